import Testing

@testable import DaybookCryptography

/// Encryption of many texts with one context, and the random bytes that it takes.
@Suite struct SealerTests {
    private func key(_ byte: UInt8) throws -> AESGCMKey {
        try #require(AESGCMKey(Array(repeating: byte, count: AESGCMKey.byteCount)))
    }

    @Test("What a sealer encrypts opens with the key of its call, at the place of its call, only")
    func roundTrip() throws {
        let keys = [try key(1), try key(1), try key(2), try key(1), try key(3)]
        let sealer = AESGCMKey.Sealer()
        var nonces: Set<[UInt8]> = []
        for (index, key) in keys.enumerated() {
            for text in [[], [7], Array(repeating: UInt8(index), count: 1_000)] as [[UInt8]] {
                let sealed = sealer.seal(text, with: key, at: [UInt8(index)])
                let added = AESGCMKey.nonceByteCount + AESGCMKey.tagByteCount
                #expect(sealed.count == text.count + added)
                #expect(key.open(sealed, at: [UInt8(index)]) == text)
                #expect(AESGCMKey.Opener(key).open(sealed, at: [UInt8(index)]) == text)
                #expect(key.open(sealed, at: [UInt8(index) + 1]) == nil)
                #expect(try self.key(4).open(sealed, at: [UInt8(index)]) == nil)
                #expect(nonces.insert(Array(sealed.prefix(AESGCMKey.nonceByteCount))).inserted)
            }
        }
    }

    @Test("Random bytes are as many as asked for, and none is handed out twice")
    func random() {
        var random = RandomBytes()
        var seen: Set<[UInt8]> = []
        for count in [16, 12, 28, 255, 256, 257, 700, 16] {
            var bytes: [UInt8] = [1]
            random.append(count, to: &bytes)
            #expect(bytes.count == count + 1 && bytes[0] == 1)
            // Twelve equal random bytes are one case in 2⁹⁶.
            for start in stride(from: 1, to: bytes.count - 11, by: 12) {
                #expect(seen.insert(Array(bytes[start..<start + 12])).inserted)
            }
        }
        #expect(RandomBytes.fresh(0).isEmpty && RandomBytes.fresh(256).count == 256)
    }
}

extension AESGCMKey.Opener {
    fileprivate func open(_ sealed: [UInt8], at place: [UInt8]) -> [UInt8]? {
        sealed.withUnsafeBytes { open($0, at: place) }
    }
}
