import Daybook
import DaybookLMDB
import Foundation
import TestSupport
import Testing

@testable import DaybookLog

/// States that are kept, and when they are gone on from.
@Suite struct SnapshotTests {
    /// What the notes of a topic come to.
    struct Total: Record {
        var notes: Int64 = 0
        var sum: Int64 = 0
        var last = ""

        static var blank: Self { Self() }

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("notes", &notes)
            try field("sum", &sum)
            try field.internalField("last", &last)
        }
    }

    enum NoteSet: EventSet {
        case noted(Note)

        static let kinds = [StoredKind(NoteSet.noted)]
    }

    enum Sums: Projection {
        static func evolve(_ state: inout Total, with event: NoteSet, _ envelope: Envelope) {
            guard case .noted(let note) = event else { return }
            state.notes += 1
            state.sum &+= note.number
            state.last = note.text
        }
    }

    /// The same, but for what it does with one number.
    enum OtherSums: Projection {
        static func evolve(_ state: inout Total, with event: NoteSet, _ envelope: Envelope) {
            guard case .noted(let note) = event else { return }
            state.notes += 1
            state.sum &+= note.number == 419 ? 0 : note.number
            state.last = note.text
        }
    }

    /// The same, but for what it keeps and does not show.
    enum ForgetfulSums: Projection {
        static func evolve(_ state: inout Total, with event: NoteSet, _ envelope: Envelope) {
            guard case .noted(let note) = event else { return }
            state.notes += 1
            state.sum &+= note.number
        }
    }

    enum SumArea: Area {
        static let name = "test"
        static let events = [EventDescription(Note.self)]
        static let commands: [CommandDescription] = []
        static let projections = [projection(Sums.self)]
    }

    private static func projection(_ type: (some Projection).Type) -> ProjectionDescription {
        ProjectionDescription("sums", noun: "topic", "What notes come to", type)
    }

    private let catalogue: Catalogue
    private let sums = Self.projection(Sums.self)

    init() throws {
        catalogue = try Catalogue([SumArea.self])
    }

    private func append(_ notes: [(Note, Int64)], to log: EventLog) throws {
        _ = try log.append(
            AppendRequest(
                notes.map { NewEvent($0.0, occurredAt: Instant(microseconds: $0.1)) }))
    }

    @Test("A state is what a fold from the first event gives, at any moment of either clock")
    func oracle() throws {
        for seed in Cases.sample(UInt64(1)...6) {
            var generator = SeededGenerator(seed: seed)
            let folder = try TemporaryFolder()
            let log = try EventLog(path: folder.path("log"), access: .create)
            var written: [(note: Note, at: Int64)] = []
            for _ in 0..<12 {
                let notes = (0..<200).map { _ in
                    let number = Int64.random(in: -5...1_000, using: &generator)
                    let topic = ["a", "a", "a", "b", "b", "c"].randomElement(using: &generator)
                    return (
                        Note(number, "\(number)", topics: [topic ?? "a"]),
                        Int64.random(in: 0...4_000, using: &generator) + Int64(written.count)
                    )
                }
                try append(notes, to: log)
                written += notes
                if Bool.random(using: &generator) {
                    _ = try LogSnapshots(log).take(catalogue, of: [sums])
                }
            }
            var usesSnapshot = false
            for _ in 0..<60 {
                let through = Int.random(in: 0...written.count, using: &generator)
                let valid = Bool.random(using: &generator) ? Int64.random(in: 0...6_000) : nil
                let topic = ["a", "b", "c", "d"].randomElement(using: &generator) ?? "a"
                let reader = try EntityReader(
                    log, catalogue, through: Position(UInt64(through)),
                    validThrough: valid.map { Instant(microseconds: $0) })
                let state = try reader.state(
                    along: reader.walk(of: sums, topic), .standard)
                var fold = sums.fold(.standard)
                var count: UInt64 = 0
                for (index, (note, at)) in written[..<through].enumerated()
                where note.topics == [topic] && at <= valid ?? .max {
                    count += 1
                    let event = NewEvent(note, occurredAt: Instant(microseconds: at))
                    try fold.apply(
                        RecordedEvent(
                            envelope: Envelope(
                                position: Position(UInt64(index + 1)), occurredAt: event.occurredAt,
                                recordedAt: event.occurredAt), kind: event.kind, tags: event.tags,
                            zone: "", payload: event.payload))
                }
                #expect(state.fold.bytes == fold.bytes, "seed \(seed), \(topic), \(through)")
                #expect(state.checkpoint.count == count)
                let fingerprint = try Fingerprint(of: sums, .standard, in: catalogue)
                let kept = try LogSnapshots(log).newest(
                    of: "sums", .standard, topic, through: Position(UInt64(through)), fingerprint)
                usesSnapshot = usesSnapshot || kept != nil
            }
            #expect(usesSnapshot)
            #expect(try log.verify(against: catalogue).findings == [])
        }
    }

    @Test("Two folds that differ have different fingerprints, equal ones the same")
    func fingerprints() throws {
        let own = try Fingerprint(of: sums, .standard, in: catalogue)
        #expect(try Fingerprint(of: Self.projection(Sums.self), .standard, in: catalogue) == own)
        for other in [Self.projection(OtherSums.self), Self.projection(ForgetfulSums.self)] {
            #expect(try Fingerprint(of: other, .standard, in: catalogue) != own)
        }
        #expect(own.bytes.count == 16)
    }

    private func threeHundredNotes(_ folder: TemporaryFolder) throws -> EventLog {
        let log = try EventLog(
            path: folder.path("log"), access: .create, clock: { Instant(microseconds: 1_000) })
        try append((1...300).map { (Note($0, "n", topics: ["t"]), 5) }, to: log)
        return log
    }

    @Test("A snapshot of another fold is not used, and the next pass removes it")
    func stale() throws {
        let folder = try TemporaryFolder()
        let log = try threeHundredNotes(folder)
        let other = Self.projection(OtherSums.self)
        let first = try LogSnapshots(log).take(catalogue, of: [other])
        #expect(first.writtenCount == 1 && first.droppedCount == 0)
        #expect(try log.verify(against: catalogue).staleSnapshots == 1)
        let reader = try EntityReader(log, catalogue)
        let state = try reader.state(along: reader.walk(of: sums, "t"), .standard)
        #expect(state.fold.json == #"{"notes":300,"sum":45150}"#)
        let second = try LogSnapshots(log).take(catalogue, of: [sums])
        #expect(second.writtenCount == 1 && second.droppedCount == 1)
        #expect(try log.verify(against: catalogue).snapshots == 1)
        // Nothing new has come, so that nothing is written.
        #expect(try LogSnapshots(log).take(catalogue, of: [sums]) == SnapshotPass())
    }

    enum Damage: CaseIterable {
        case state, count, hash, latest, noEvent, tooShort
    }

    @Test("Verify finds a snapshot that no fold gives", arguments: Damage.allCases)
    func damaged(_ damage: Damage) throws {
        let folder = try TemporaryFolder()
        let log = try threeHundredNotes(folder)
        _ = try LogSnapshots(log).take(catalogue, of: [sums])
        let table = log.file.tables.snapshots
        var (key, value): ([UInt8], [UInt8]) = ([], [])
        try LogSnapshots(log).forEach(beginningWith: Snapshot.prefix("sums", .standard)) {
            (key, value) = ($0.copied(), $1.copied())
        }
        var transaction = try log.file.beginWriting()
        switch damage {
        case .state: value[value.count - 1] ^= 1
        case .count: value[16] ^= 1
        case .hash: value[24] ^= 1
        case .latest: value[32] ^= 1
        case .tooShort: value = Array(value[..<39])
        case .noEvent:
            key[key.count - 1] = 0xFF
            key[key.count - 2] = 0xFF
        }
        try transaction.put(value, for: key.rawSpan, in: table)
        try transaction.commit()
        let found = try log.verify(against: catalogue).findings
        #expect(found.contains { $0.rule == "snapshot" }, "\(found)")
    }

    /// The hash was computed with Python from the sentence in `docs/format.md`.
    @Test("A snapshot is the bytes the document says")
    func aSnapshotIsTheBytesTheDocumentSays() throws {
        let folder = try TemporaryFolder()
        let log = try threeHundredNotes(folder)
        _ = try LogSnapshots(log).take(catalogue, of: [sums])
        var rows: [(key: [UInt8], value: [UInt8])] = []
        try LogSnapshots(log).forEach(beginningWith: [0x73]) { key, value in
            rows.append((key.copied(), value.copied()))
        }
        let row = try #require(rows.first)
        #expect(rows.count == 1)
        #expect(
            row.key == [
                0x73, 0x75, 0x6D, 0x73, 0, 0,  // "sums", standard
                0x74, 0,  // "t"
                0, 0, 0, 0, 0, 0, 0x01, 0x00,  // position 256
            ])
        #expect(
            Array(row.value[16...]) == [
                0x00, 0x01, 0, 0, 0, 0, 0, 0,  // 256 events
            ] + SnapshotTests.hashOf256 + [
                5, 0, 0, 0, 0, 0, 0, 0,  // the latest at 5 µs
                0x80, 0x04,  // notes 256
                0x80, 0x82, 0x04,  // sum 32,896
                1, 0x6E,  // "n"
            ])
        #expect(
            Array(row.value[..<16])
                == (try Fingerprint(of: sums, .standard, in: catalogue).bytes))
    }

    private static let hashOf256: [UInt8] = [0x34, 0x97, 0x19, 0x80, 0x28, 0xC3, 0x1C, 0xD5]
}
