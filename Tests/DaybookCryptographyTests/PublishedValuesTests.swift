import DaybookCryptography
import Testing

private func bytes(_ hexadecimal: String) -> [UInt8] {
    let digits = hexadecimal.compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] * 16 + digits[$0 + 1]) }
}

/// A text of the examples, and what comes of it.
struct DigestExample: CustomTestStringConvertible, Sendable {
    var text: String
    var times = 1
    var digest: String
    var testDescription: String { "\(times) × “\(text)”" }
    var content: [UInt8] { Array(String(repeating: text, count: times).utf8) }
}

/// The library of the system, held to values that the standards publish.
struct PublishedValuesTests {
    @Test(
        "SHA-256 of a text is the published one",
        arguments: [
            DigestExample(
                text: "",
                digest: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            DigestExample(
                text: "abc",
                digest: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            DigestExample(
                text: "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                digest: "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"),
            DigestExample(
                text: "a", times: 1_000_000,
                digest: "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
        ])
    func digest(_ example: DigestExample) {
        let content = example.content
        #expect(SHA256.hash(content) == bytes(example.digest))
        for size in [1, 63, 64, 65, 1_000] where size == 1_000 || content.count < 1_000 {
            var hasher = SHA256()
            for start in stride(from: 0, to: content.count, by: size) {
                hasher.update(content[start..<min(start + size, content.count)])
            }
            #expect(hasher.finalize() == bytes(example.digest), "in pieces of \(size)")
        }
    }

    @Test("A copy of a running digest goes on by itself, and its end is not the end of the other")
    func copies() {
        var first = SHA256()
        first.update(Array("ab".utf8))
        var second = first
        second.update(Array("d".utf8))
        #expect(first.finalize() == SHA256.hash(Array("ab".utf8)))
        first.update(Array("c".utf8))
        #expect(first.finalize() == SHA256.hash(Array("abc".utf8)))
        #expect(second.finalize() == SHA256.hash(Array("abd".utf8)))
    }

    @Test("HMAC-SHA256 gives the values of RFC 4231, also for keys longer than a block")
    func code() {
        #expect(
            HMACSHA256.code(of: Array("what do ya want for nothing?".utf8), key: Array("Jefe".utf8))
                == bytes("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"))
        #expect(
            HMACSHA256.code(
                of: Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
                key: Array(repeating: 0xAA, count: 131))
                == bytes("60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"))
    }

    @Test("A prepared key gives the same HMAC again and again, whatever came between")
    func keyed() {
        let keys: [[UInt8]] = [[], [1, 2, 3], Array(repeating: 0xAA, count: 131)]
        let texts: [[UInt8]] = [[], [1], Array(repeating: 7, count: 300)]
        let prepared = keys.map(HMACSHA256.Keyed.init)
        for _ in 0..<2 {
            for (key, keyed) in zip(keys, prepared) {
                for text in texts {
                    let code = HMACSHA256.code(of: text, key: key)
                    #expect(keyed.code(of: text) == code)
                    let (first, rest) = (Array(text.prefix(1)), Array(text.dropFirst()))
                    #expect(keyed.code(of: first, rest) == code)
                }
                #expect(keyed.code(of: []) == HMACSHA256.code(of: [], key: key))
            }
        }
    }

    @Test("An HMAC with an empty key is not that of the key used before")
    func emptyKey() {
        _ = HMACSHA256.code(of: [1], key: [1, 2, 3])
        #expect(
            HMACSHA256.code(of: [], key: [])
                == bytes("b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad"))
    }

    @Test("AES-256-GCM opens the published text, and not one byte of it changed")
    func openPublished() throws {
        // Test case 16 of the submission of GCM to NIST.
        let key = try #require(
            AESGCMKey(bytes("feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308")))
        let place = bytes("feedfacedeadbeeffeedfacedeadbeefabaddad2")
        let sealed = bytes(
            "cafebabefacedbaddecaf888"
                + "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa"
                + "8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662"
                + "76fc6ece0f4e1768cddf8853bb2d551b")
        #expect(
            key.open(sealed, at: place)
                == bytes(
                    "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
                        + "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39"))
        for position in sealed.indices {
            var changed = sealed
            changed[position] ^= 1
            #expect(key.open(changed, at: place) == nil, "byte \(position)")
        }
        #expect(key.open(sealed, at: Array(place.dropLast())) == nil)
        #expect(key.open(Array(sealed.prefix(27)), at: place) == nil)
        #expect(key.open([], at: place) == nil)
    }

    @Test("A sealed text opens only under its own key and at its own place")
    func sealAndOpen() throws {
        let key = try #require(AESGCMKey(Array(0..<32)))
        let other = try #require(AESGCMKey(Array(1...32)))
        for count in [0, 1, 15, 16, 17, 1_000] {
            let text = (0..<count).map { UInt8($0 % 251) }
            let sealed = key.seal(text, at: [7])
            #expect(sealed.count == count + AESGCMKey.nonceByteCount + AESGCMKey.tagByteCount)
            #expect(key.open(sealed, at: [7]) == text)
            #expect(key.open(sealed, at: [8]) == nil)
            #expect(key.open(sealed, at: []) == nil)
            #expect(other.open(sealed, at: [7]) == nil)
            #expect(key.seal(text, at: [7]) != sealed, "a nonce is never used twice")
        }
        let opener = AESGCMKey.Opener(key)
        func open(_ sealed: [UInt8], at place: [UInt8]) -> [UInt8]? {
            sealed.withUnsafeBytes { opener.open($0, at: place) }
        }
        for count in [16, 0, 1_000, 17] {
            // One opener opens text after text, also after a text that it refused.
            let text = (0..<count).map { UInt8($0 % 251) }
            let sealed = key.seal(text, at: [7])
            #expect(open(sealed, at: [7]) == text)
            #expect(open(sealed, at: [8]) == nil)
            #expect(open(other.seal(text, at: [7]), at: [7]) == nil)
            #expect(open(Array(sealed.prefix(27)), at: [7]) == nil)
            #expect(open(sealed, at: [7]) == text)
        }
        #expect(open([], at: []) == nil)
        #expect(AESGCMKey(Array(0..<31)) == nil)
        #expect(AESGCMKey(Array(0..<33)) == nil)
    }

    @Test("Ed25519 gives the signatures of RFC 8032, and knows a changed one")
    func signatures() throws {
        let seed = bytes("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb")
        let signature = bytes(
            "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
                + "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00")
        let key = try #require(Ed25519.PrivateKey(seed))
        let publicKey = try #require(
            Ed25519.PublicKey(
                bytes("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c")))
        #expect(key.signature(of: [0x72]) == signature)
        #expect(publicKey.isValid(signature, of: [0x72]))
        #expect(!publicKey.isValid(signature, of: [0x73]))
        #expect(!publicKey.isValid(signature, of: []))
        for length in [0, 63] {
            #expect(!publicKey.isValid(Array(signature.prefix(length)), of: [0x72]))
        }
        #expect(!publicKey.isValid(signature + [0], of: [0x72]))
        var changed = signature
        changed[0] ^= 1
        #expect(!publicKey.isValid(changed, of: [0x72]))
        #expect(Ed25519.PrivateKey(Array(seed.dropLast())) == nil)
        #expect(Ed25519.PublicKey([]) == nil)
    }
}
