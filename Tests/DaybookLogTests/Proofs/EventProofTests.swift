import Daybook
import Foundation
import TestSupport
import Testing

@testable import DaybookLog

/// Proofs of events, which are made with a log and checked without it.
@Suite struct EventProofTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func log(_ commits: Int) throws -> EventLog {
        let log = try EventLog(path: folder.path("log"), access: .create)
        try log.appendNotes(0..<commits)
        return log
    }

    @Test("Each event of a log is proven, whether the tree is stored, in part or not at all")
    func everyEvent() throws {
        var texts: [String] = []
        do {
            let log = try log(300)
            let last = try log.head().rawValue
            texts = try (1...last).map { "\(try log.proofs.proof(of: Position($0)))" }
            for (text, event) in zip(texts, try log.reader().collect()) {
                let proof = try EventProof(parsing: Array(text.utf8))
                #expect("\(proof)" == text)
                let proven = try proof.check()
                #expect(proven.event.envelope == event.envelope && proven.event.tags == event.tags)
                #expect(proven.event.kind == event.kind && proven.event.zone == event.zone)
                let commit = try #require(try log.commits.at(event.position))
                #expect(proven.commit == commit.first...commit.last)
                #expect(proven.metadata.device == "d" && proven.metadata.correlation == "c")
                #expect(proven.head == (try log.chainHead()) && proven.size == 300)
            }
        }
        for position in Cases.sample(0..<texts.count) {
            // Each time another log object, which has kept no tree.
            let log = try EventLog(path: folder.path("log"), access: .read)
            let proof = try log.proofs.proof(of: Position(UInt64(position) + 1))
            #expect("\(proof)" == texts[position])
        }
        let log = try EventLog(path: folder.path("log"), access: .write)
        let last = UInt64(texts.count)
        try log.proofs.storeTree()
        #expect(try (1...last).map { "\(try log.proofs.proof(of: Position($0)))" } == texts)
        try log.appendNotes(300..<520)
        let after = try log.proofs.proof(of: Position(last), since: .commits(300))
        #expect(try after.check().size == 520)
        #expect(try after.check().earlier?.head.position.rawValue == last)
    }

    @Test("A log continues itself at each of its heads and sizes")
    func consistency() throws {
        let log = try log(70)
        for size in UInt64(1)...70 {
            let bySize = try log.proofs.proof(of: Position(3), since: .commits(size))
            let proven = try #require(try bySize.check().earlier)
            #expect(proven.size == size)
            let byHead = try log.proofs.proof(of: Position(3), since: .head(proven.head))
            #expect(byHead == bySize)
            let text = "\(bySize)"
            #expect("\(try EventProof(parsing: Array(text.utf8)))" == text)
        }
    }

    @Test("A log does not prove positions and states that it does not have")
    func absent() throws {
        let log = try log(4)
        let last = try log.head()
        for position in [Position.origin, last.next, Position(.max)] {
            #expect(throws: LogError.proof(.noEvent(position, last: last))) {
                try log.proofs.proof(of: position)
            }
        }
        for size in [UInt64(0), 5, .max] {
            #expect(throws: LogError.proof(.noSuchSize(size, commits: 4))) {
                try log.proofs.proof(of: last, since: .commits(size))
            }
        }
        let other = try #require(Head("1:" + String(repeating: "0a", count: 32)))
        #expect(throws: LogError.self) {
            try log.proofs.proof(of: last, since: .head(other))
        }
        let empty = try EventLog(path: folder.path("empty"), access: .create)
        #expect(throws: LogError.proof(.noEvent(Position(1), last: .origin))) {
            try empty.proofs.proof(of: Position(1))
        }
        #expect(try empty.proofs.note().root == TreeHasher.emptyRoot)
    }

    @Test("A proof in which any byte is flipped is refused", arguments: [0, 1, 5, 7])
    func flippedBytes(_ bit: UInt8) throws {
        let log = try log(11)
        let key = try HeadSigningKey(pem: Array(ExampleKeys.privatePEM.utf8))
        let publicKey = try HeadVerifyingKey(pem: Array(ExampleKeys.publicPEM.utf8))
        for size in [3, 4, 6, 10] {
            try check(
                try log.proofs.proof(of: Position(9), since: .commits(UInt64(size))), bit)
        }
        let signed = try log.proofs.proof(of: Position(6)).signed(by: key)
        #expect(try EventProof(parsing: Array("\(signed)".utf8)).note.isSigned(by: publicKey))
        try check(signed, bit) { $0.isSigned(by: publicKey) }
    }

    /// Flips a bit of each byte of a proof, and expects that the proof is not accepted.
    private func check(
        _ proof: EventProof, _ bit: UInt8, isTrusted: (TreeNote) -> Bool = { _ in true }
    ) throws {
        let bytes = Array("\(proof)".utf8)
        _ = try EventProof(parsing: bytes).check()
        for index in bytes.indices {
            var changed = bytes
            changed[index] ^= 1 << bit
            guard let read = try? EventProof(parsing: changed), (try? read.check()) != nil,
                isTrusted(read.note)
            else { continue }
            Issue.record("byte \(index), bit \(bit): \(String(decoding: changed, as: UTF8.self))")
        }
    }

    /// The byte counts of a leaf have 16 bits: a zone that is 65,536 bytes longer could take in the
    /// start of the row.
    @Test("A zone of more bytes than a log stores is refused, as text and as a value")
    func longZone() throws {
        let proof = try log(3).proofs.proof(of: Position(2))
        for (count, isRefused) in [(255, false), (256, true), (65_536, true)] {
            let zone = String(repeating: "z", count: count)
            let text = "\(proof)".replacing("\nzone -\n", with: "\nzone \(zone)\n")
            #expect(text != "\(proof)")
            do throws(ProofFormatError) {
                _ = try EventProof(parsing: Array(text.utf8))
                #expect(!isRefused)
            } catch {
                #expect(isRefused && error.field == "zone", "\(error)")
            }
            let forged = EventProof(
                position: proof.position, kind: proof.kind, zone: zone, row: proof.row,
                path: proof.path, commit: proof.commit, head: proof.head, earlier: nil,
                note: proof.note)
            do throws(ProofFault) {
                _ = try forged.check()
                Issue.record("no fault")
            } catch {
                #expect((error.field == "zone") == isRefused, "\(error)")
            }
        }
    }

    /// Inclusion paths alone would fit several of these sizes: commit 0 of 6 has the path of 0 of 7.
    @Test(
        "A proof of another tree size is refused, for each size and event",
        arguments: [2, 6, 11, 14, 17])
    func sizes(_ commits: Int) throws {
        let log = try log(commits)
        for position in 1...(try log.head().rawValue) {
            let text = "\(try log.proofs.proof(of: Position(position)))"
            for size in 1...40 where size != commits {
                let other = text.replacing("\n\(commits)\n", with: "\n\(size)\n")
                let proof = try EventProof(parsing: Array(other.utf8))
                #expect(throws: ProofFault.self) { try proof.check() }
            }
        }
    }

    @Test("Each part of a proof exchanged for that of another true proof is refused")
    func exchangedLines() throws {
        let log = try log(40)
        let a = "\(try log.proofs.proof(of: Position(9), since: .commits(7)))"
        try log.appendNotes(40..<41)
        let b = "\(try log.proofs.proof(of: Position(10), since: .commits(12)))"
        let (linesA, linesB) = (lines(a), lines(b))
        #expect(linesA.count == linesB.count)
        for index in linesA.indices where linesA[index] != linesB[index] {
            var lines = linesA
            lines[index] = linesB[index]
            let text = lines.joined(separator: "\n")
            let proof = try? EventProof(parsing: Array(text.utf8))
            #expect((try? proof?.check()) == nil, "\(linesA[index])")
        }
    }

    private func lines(_ text: String) -> [Substring] {
        text.split(separator: "\n", omittingEmptySubsequences: false)
    }

    @Test("A text of another form is refused with the line and the field")
    func malformed() throws {
        let log = try log(5)
        let text = "\(try log.proofs.proof(of: Position(4), since: .commits(2)))"
        let lines = lines(text)
        let hash = Base64.text([UInt8](repeating: 1, count: 32))
        let mistakes: [(line: Int, field: String, texts: [String])] = [
            (1, "first line", ["", "daybook-proof-v2", "daybook-proof-v1 "]),
            (
                2, "position",
                [
                    "position", "position 0", "position 04", "position +4", "place 4",
                    "position 9223372036854775808", "position  4", "position 4 ",
                ]
            ),
            (3, "kind", ["kind", "kind a", "kind test noted", "kind test.noted"]),
            (
                4, "zone",
                ["zone ", "zone", "zone a b", "zone %41", "zone %4", "zone %2D", "zone é"]
            ),
            (5, "event", ["event", "event AA=", "event A A=", "event AAA", "event AB==x"]),
            (
                6, "event-path",
                [
                    "event-path ", "event-path --", "event-path AAAA",
                    "event-path \(hash)  \(hash)", "event-path \(hash) ",
                ]
            ),
            (7, "first", ["first 0", "first -1", "first x"]),
            (8, "commit", ["commit ?", "commit"]),
            (9, "index", ["index", "index -1", "index 00"]),
            (10, "path", ["path", "path" + String(repeating: " \(hash)", count: 65)]),
            (11, "head", ["head 0:" + String(repeating: "0", count: 64), "head 7", "head"]),
            (12, "head-events", ["head-events AAAA", "head-events -", "head-event \(hash)"]),
            (13, "head-commit", ["head-commit %"]),
            (14, "head-path", ["head-path \(hash)\(hash)"]),
            (15, "empty line", ["sinc 1", "since"]),
            (19, "since-size", ["since-size 0", "since-size two"]),
            (20, "since-root", ["since-root -", "since-root \(hash) \(hash)"]),
            (21, "since-consistency", ["since-consistency"]),
            (22, "empty line", [" ", "x"]),
            (23, "log", ["daybook/7", "Daybook/" + log.id, "daybook/" + log.id.uppercased(), ""]),
            (24, "size", ["0", "05", "x", "", "9223372036854775808"]),
            (25, "root", ["", "AAAA", hash + " "]),
        ]
        for (line, field, texts) in mistakes {
            for mistake in texts {
                var changed = lines.map(String.init)
                changed[line - 1] = mistake
                let bytes = Array(changed.joined(separator: "\n").utf8)
                let error = #expect(throws: ProofFormatError.self) {
                    try EventProof(parsing: bytes)
                }
                #expect(
                    error?.line == line && error?.field == field,
                    "\(mistake): \(String(describing: error))")
            }
        }
        for count in 0..<text.utf8.count {
            #expect(throws: ProofFormatError.self) {
                try EventProof(parsing: Array(text.utf8.prefix(count)))
            }
        }
        let endings = [
            "\n", "\n\n", "\n\u{2014} a AAAA\n", "\n- a AAAAAAA=\n", "\n\u{2014} a b AAAAAAA=\n",
            "\n\u{2014} a+b AAAAAAA=\n", "\n\u{2014} a AAAAAAA=\n\n", "x\n",
        ]
        for ending in endings {
            #expect(throws: ProofFormatError.self, "\(ending)") {
                try EventProof(parsing: Array((text + ending).utf8))
            }
        }
        #expect(throws: ProofFormatError.self) {
            try EventProof(parsing: Array(text.replacing("\n", with: "\r\n").utf8))
        }
        #expect(throws: ProofFormatError.self) { try EventProof(parsing: [0xFF, 0x0A]) }
    }

    @Test("Signatures of witnesses are kept, and another key does not confirm a note")
    func witnesses() throws {
        let log = try log(3)
        let key = try HeadSigningKey(pem: Array(ExampleKeys.privatePEM.utf8))
        let publicKey = try HeadVerifyingKey(pem: Array(ExampleKeys.publicPEM.utf8))
        let plain = try log.proofs.proof(of: Position(2))
        #expect(!plain.note.isSigned && !plain.note.isSigned(by: publicKey))
        let text = "\(try plain.signed(by: key))\u{2014} witness.example/w AAAAAAA=\n"
        let read = try EventProof(parsing: Array(text.utf8))
        #expect("\(read)" == text)
        #expect(read.note.isSigned(by: publicKey))
        let other = try HeadVerifyingKey(
            pem: Array(
                ExampleKeys.publicPEM.replacing(
                    "11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo",
                    with: "PUAXw+hDiVqStwqnTRt+vJyYLM8uxJaMwM1V8Sr0Zgw"
                ).utf8))
        #expect(!read.note.isSigned(by: other))
    }

    @Test("A zone of any characters is proven")
    func zones() throws {
        let log = try EventLog(path: folder.path("log"), access: .create)
        for zone in ["-", "%", "a b", "é\n\u{202E}", "%2d", "+01:00"] {
            let event = NewEvent(Note(1), occurredAt: Instant(microseconds: 1), zone: zone)
            let receipt = try #require(try log.append(AppendRequest([event])))
            let text = "\(try log.proofs.proof(of: receipt.last))"
            #expect(text.utf8.allSatisfy { $0 == 0x0A || (0x20...0x7E).contains($0) })
            #expect(try EventProof(parsing: Array(text.utf8)).check().event.zone == zone)
        }
    }

    @Test("A proof has no personal text, name or place of its event and commit")
    func noPersonalTexts() throws {
        let log = try EventLog(path: folder.path("log"), access: .create)
        let note = Note(1, "plain", topics: ["t"], secret: "Wilhelmina's secret")
        for _ in 0..<3 {
            _ = try log.append(
                AppendRequest(
                    [NewEvent(note, occurredAt: Instant(microseconds: 1))],
                    metadata: CommitMetadata(actor: "Wilhelmina", device: "d")))
        }
        let text = "\(try log.proofs.proof(of: Position(2), since: .commits(1)))"
        let words = text.split { $0 == " " || $0 == "\n" }
        let contents = words.map { Base64.bytes($0) ?? Array($0.utf8) }
        let secret = log.file.secret
        for content in contents {
            let shown = String(decoding: content, as: UTF8.self)
            #expect(!shown.contains("Wilhelmina"))
            #expect(!shown.utf8.elementsEqual(secret))
        }
        #expect(contents.contains { String(decoding: $0, as: UTF8.self).contains("plain") })
    }

    @Test("An erasure changes no proof of an earlier state, and leaves a sound tree")
    func erasure() throws {
        let catalogue = try Catalogue([Notes.self])
        let log = try EventLog(path: folder.path("log"), access: .create, catalogue: catalogue)
        try log.appendNotes(0..<20)
        try log.proofs.storeTree()
        let before = try log.proofs.note()
        _ = try log.erase(.actor("kim"))
        try log.reindex()
        #expect(try log.verify().findings.isEmpty)
        let proof = try log.proofs.proof(of: Position(5), since: .commits(20))
        let proven = try proof.check()
        #expect(proven.earlier?.root == before.root && proven.size == 21)
    }
}
