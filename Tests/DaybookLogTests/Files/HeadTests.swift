import Daybook
import Foundation
import TestSupport
import Testing

@testable import DaybookLog

extension EventLog {
    /// Appends a commit of so many notes.
    fileprivate func note(_ count: Int = 1) throws {
        let notes = (0..<count).map {
            NewEvent(Note(Int64($0), "n"), occurredAt: Instant(microseconds: 1))
        }
        _ = try append(AppendRequest(notes))
    }
}

@Suite struct HeadTests {
    private static let chain = String(repeating: "0a", count: 32)

    @Test("A head is read as it is written")
    func text() throws {
        for text in ["7:\(Self.chain)", "9223372036854775807:\(Self.chain)", "\(Head.origin)"] {
            #expect(try #require(Head(text)).description == text)
        }
        #expect(Head.origin.description == "0:" + String(repeating: "0", count: 64))
    }

    @Test(
        "Any other text is no head",
        arguments: [
            "", ":", "7", "7:", ":\(chain)", "07:\(chain)", "+7:\(chain)", "-7:\(chain)",
            "7:\(chain)0", "7:\(chain.dropLast())", "7:\(chain.uppercased())", " 7:\(chain)",
            "7:\(chain) ", "7:\(chain):", "9223372036854775808:\(chain)",
            "18446744073709551616:\(chain)", "0:\(chain)", "7:" + String(repeating: "0", count: 64),
            "٧:\(chain)",
        ])
    func malformed(_ text: String) {
        #expect(Head(text) == nil)
    }

    @Test("A log contains the head of each of its commits, and of no other position")
    func positions() throws {
        let folder = try TemporaryFolder()
        let log = try EventLog(path: folder.path("log"), access: .create)
        #expect(try log.chainHead() == .origin)
        var heads: [Head] = [.origin]
        for count in [1, 3, 2] {
            try log.note(count)
            heads.append(try log.chainHead())
        }
        #expect(heads.map(\.position.rawValue) == [0, 1, 4, 6])
        for head in heads { #expect(try log.mismatch(with: head) == nil) }
        #expect(try log.file.status().chainHead == heads[3])
        #expect(try log.verify(against: try Catalogue([Notes.self])).chainHead == heads[3])
        let inside = try #require(Head("3:\(Self.chain)"))
        #expect(
            try log.mismatch(with: inside)
                == .insideCommit(first: Position(2), last: Position(4)))
        let other = try #require(Head("4:\(Self.chain)"))
        #expect(try log.mismatch(with: other) == .otherChain(found: heads[2].chain))
        let beyond = try #require(Head("7:\(Self.chain)"))
        #expect(try log.mismatch(with: beyond) == .shorter(lastPosition: Position(6)))
    }
}

/// Heads signed with the first key of RFC 8032 section 7.1; OpenSSL made the files and the signature.
@Suite struct SignedHeadTests {
    static let line =
        "daybook-head-v1 000102030405060708090a0b0c0d0e0f 7:"
        + "0000000000000000000000000000000000000000000000000000000000000005 2026-07-12T12:00:00Z "
        + "M64L8xKQ/ZhOxTxlfd/DMZuUvYiqO9UfQnU4auScUL3EQnQ0bNdQzJVvGKf//M4g15plh6ahm8SfwW26wZ5JDQ=="

    private func verifyingKey() throws -> HeadVerifyingKey {
        try HeadVerifyingKey(pem: Array(ExampleKeys.publicPEM.utf8))
    }

    @Test("A signed head is the line that OpenSSL's signature makes")
    func vector() throws {
        let key = try HeadSigningKey(pem: Array(ExampleKeys.privatePEM.utf8))
        let signed = try #require(SignedHead(Self.line))
        #expect(signed.isSigned(by: try verifyingKey()))
        // The signature itself may differ: some libraries add randomness to it.
        let own = try SignedHead(signed.head, of: signed.log, at: signed.signedAt, with: key)
        #expect(own.isSigned(by: try verifyingKey()))
        #expect(own.description.split(separator: " ").dropLast() == Self.words.dropLast())
    }

    private static var words: [Substring] { line.split(separator: " ") }

    @Test("Each part of a signed head is bound by the signature")
    func binding() throws {
        let key = try verifyingKey()
        let changes: [(Int, String)] = [
            (1, "100102030405060708090a0b0c0d0e0f"),
            (2, "8:0000000000000000000000000000000000000000000000000000000000000005"),
            (2, "7:0000000000000000000000000000000000000000000000000000000000000006"),
            (3, "2026-07-12T12:00:01Z"),
            (4, String(repeating: "A", count: 86) + "=="),
        ]
        for (index, text) in changes {
            var words = Self.words.map(String.init)
            words[index] = text
            let changed = try #require(SignedHead(words.joined(separator: " ")), "\(text)")
            #expect(!changed.isSigned(by: key), "\(text)")
        }
    }

    @Test("A line in any other form is no signed head")
    func malformed() {
        let words = Self.words.map(String.init)
        for (index, text) in [
            (0, "daybook-head-v2"), (0, "daybook"), (1, "00"), (1, words[1].uppercased()),
            (1, words[1] + "00"), (2, "7"), (3, "2026-07-12T12:00:00+00:00"),
            (3, "2026-07-12T12:00:00.000Z"), (3, "2026-07-12t12:00:00Z"), (3, "now"),
            (4, ""), (4, String(words[4].dropLast())), (4, words[4] + "AAAA"),
            (4, words[4].replacingOccurrences(of: "DQ==", with: "DR==")),
        ] {
            var words = words
            words[index] = text
            #expect(SignedHead(words.joined(separator: " ")) == nil, "\(index): \(text)")
        }
        for line in [
            "", " " + Self.line, Self.line + " ", Self.line + " x",
            Self.line.replacingOccurrences(of: " ", with: "  "),
            String(Self.line.dropLast(100)),
        ] {
            #expect(SignedHead(line) == nil, "\(line)")
        }
        for end in 0..<Self.line.utf8.count {
            #expect(SignedHead(Self.line.prefix(end)) == nil)
        }
    }

    @Test("A key file is read in its one form, with either line end")
    func keyFiles() throws {
        for pem in [ExampleKeys.privatePEM, String(ExampleKeys.privatePEM.dropLast())] {
            _ = try HeadSigningKey(pem: Array(pem.utf8))
            _ = try HeadSigningKey(
                pem: Array(pem.replacingOccurrences(of: "\n", with: "\r\n").utf8))
        }
        #expect(throws: HeadKeyError.privateInsteadOfPublic) {
            try HeadVerifyingKey(pem: Array(ExampleKeys.privatePEM.utf8))
        }
        #expect(throws: HeadKeyError.notPrivateKey) {
            try HeadSigningKey(pem: Array(ExampleKeys.publicPEM.utf8))
        }
    }

    @Test("A key file that was cut short, or has more in it, is refused")
    func wrongLengths() {
        for (pem, isPrivate) in [(ExampleKeys.privatePEM, true), (ExampleKeys.publicPEM, false)] {
            let bytes = Array(pem.utf8)
            for end in 0..<(bytes.count - 1) { expectRefusal(Array(bytes[..<end]), isPrivate) }
            for more in ["\n", "x", "\0", pem, " "] {
                expectRefusal(bytes + Array(more.utf8), isPrivate)
                expectRefusal(Array(more.utf8) + bytes, isPrivate)
            }
        }
    }

    @Test("A key file whose structure differs in any byte is refused")
    func structure() throws {
        for (pem, isPrivate) in [(ExampleKeys.privatePEM, true), (ExampleKeys.publicPEM, false)] {
            let lines = pem.split(separator: "\n").map(String.init)
            let der = Array(try #require(Data(base64Encoded: lines[1])))
            for index in 0..<(der.count - 32) {
                for bit in 0..<8 {
                    var changed = der
                    changed[index] ^= 1 << bit
                    expectRefusal(Self.pem(lines, changed), isPrivate)
                }
            }
            expectRefusal(Self.pem(lines, der + [0]), isPrivate)
            expectRefusal(Self.pem(lines, Array(der.dropLast())), isPrivate)
            expectRefusal(Self.pem(lines, []), isPrivate)
            let label = Array(pem.replacingOccurrences(of: "BEGIN ", with: "BEGIN EC ").utf8)
            expectRefusal(label, isPrivate)
        }
    }

    private static func pem(_ lines: [String], _ der: [UInt8]) -> [UInt8] {
        Array("\(lines[0])\n\(Data(der).base64EncodedString())\n\(lines[2])\n".utf8)
    }

    private func expectRefusal(_ file: [UInt8], _ isPrivate: Bool) {
        #expect(throws: HeadKeyError.self, "\(String(decoding: file, as: UTF8.self))") {
            if isPrivate {
                _ = try HeadSigningKey(pem: file)
            } else {
                _ = try HeadVerifyingKey(pem: file)
            }
        }
    }

    @Test("Base64 is read in its one form")
    func base64() {
        var generator = SeededGenerator(seed: 7)
        for count in 0..<70 {
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
            let text = Base64.text(bytes)
            #expect(text == Data(bytes).base64EncodedString())
            #expect(Base64.bytes(text) == bytes)
        }
        for text in [
            "A", "AA", "AAA", "AA=A", "A===", "====", "AB==", "AA==AA==", "AA==\n", "AA-_",
        ] {
            #expect(Base64.bytes(text) == nil, "\(text)")
        }
    }
}
