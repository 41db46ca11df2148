import Daybook
import DaybookLMDB
import Foundation
import TestSupport
import Testing

@testable import DaybookLog

/// Erasures through replicas of a log in a file, and replicas that do not hear of their store.
@Suite("Erasing in stores") struct ErasingTests {
    private static let dayUs = Instant.dayUs
    private let folder: TemporaryFolder
    private let catalogue: Catalogue

    init() throws {
        folder = try TemporaryFolder()
        catalogue = try Catalogue([Tallies.self])
    }

    @Test("What every erasure does", .timeLimit(.minutes(5)), arguments: StoreSuite.erasingCases)
    func holds(_ test: StoreCase) async throws {
        try await test.run(on: try FileStoreMaker())
    }

    /// What a machine's clocks say so many days after the store's last answer.
    struct Silence: Sendable, CustomStringConvertible {
        let description: String
        var wallDays: Double
        var isSameBoot = true
        var bootDays: Double
        var latestWallDays: Double = 0
        let isShown: Bool
    }

    static let silences = [
        Silence(description: "at once", wallDays: 0, bootDays: 0, isShown: true),
        Silence(description: "after six days", wallDays: 6, bootDays: 6, isShown: true),
        Silence(description: "after seven days", wallDays: 7, bootDays: 7, isShown: false),
        Silence(
            description: "the wall clock was set back", wallDays: -3, bootDays: 7, isShown: false),
        Silence(
            description: "the wall clock stands still", wallDays: 0, bootDays: 7.5, isShown: false),
        Silence(
            description: "the wall clock was set ahead", wallDays: 8, bootDays: 1, isShown: false),
        Silence(
            description: "started anew after six days", wallDays: 6, isSameBoot: false, bootDays: 1,
            isShown: true),
        Silence(
            description: "started anew after eight days", wallDays: 8, isSameBoot: false,
            bootDays: 0.1, isShown: false),
        Silence(
            description: "started anew, and on for eight days by its counter", wallDays: 1,
            isSameBoot: false, bootDays: 8, isShown: false),
        Silence(
            description: "started anew with a clock before the answer", wallDays: -1,
            isSameBoot: false, bootDays: 0.1, isShown: false),
        Silence(
            description: "started anew with a clock before what it has shown", wallDays: 1,
            isSameBoot: false, bootDays: 0.1, latestWallDays: 3, isShown: false),
        Silence(
            description: "had shown eight days before it was set back", wallDays: 1, bootDays: 1,
            latestWallDays: 8, isShown: false),
    ]

    @Test("Seven days without the store are enough, whatever a clock says", arguments: silences)
    func silence(_ silence: Silence) throws {
        func us(_ days: Double) -> Int64 { Int64(days * Double(Self.dayUs)) }
        let start = MachineTime(
            wall: Instant(microseconds: 40 * Self.dayUs), boot: Array(1...16),
            sinceBoot: 5 * Self.dayUs)
        var note = ContactNote(begunAt: start)
        #expect(note.restUs(at: start) == nil)
        note.renew(Instant(microseconds: 41 * Self.dayUs), at: start)
        note.latestWall = Instant(
            microseconds: start.wall.microseconds + us(silence.latestWallDays))
        let now = MachineTime(
            wall: Instant(microseconds: start.wall.microseconds + us(silence.wallDays)),
            boot: silence.isSameBoot ? start.boot : Array(2...17),
            sinceBoot: (silence.isSameBoot ? start.sinceBoot : 0) + us(silence.bootDays))
        #expect((note.restUs(at: now) != nil) == silence.isShown)
        var read = try ContactNote(decoding: note.bytes.rawSpan)
        #expect(read == note)
        _ = read.look(at: now)
        #expect(read.isOver != silence.isShown)
        // Once it is over, no clock opens it again, but the store's answer does.
        guard read.isOver else { return }
        #expect(read.restUs(at: start) == nil)
        read.renew(Instant(microseconds: 0), at: start)
        #expect(read.restUs(at: start) == ContactNote.longestSilenceUs)
    }

    @Test("A replica whose store is silent shows no texts, and says since when")
    func silentStore() throws {
        let store = FileStore(
            try EventLog(path: folder.path("store"), access: .create, catalogue: catalogue))
        let path = folder.path("replica")
        func replica() throws -> EventLog {
            try EventLog.replica(
                of: store, path: path, hasKeys: true, catalogue: catalogue, people: Tallies.people)
        }
        do {
            let log = try replica()
            let note = Tally.Noted(["ada"], "secret", by: "kim", place: 7)
            _ = try log.append(
                AppendRequest(
                    [NewEvent(note, occurredAt: .init(microseconds: 0))],
                    metadata: CommitMetadata(actor: "lee")))
            #expect(try log.people.text(at: Position(1), field: 0) == "secret")
        }
        func plain(_ access: EventLog.Access = .read) throws -> EventLog {
            try EventLog(path: path, access: access, catalogue: catalogue, people: Tallies.people)
        }
        #expect(try plain().people.text(at: Position(1), field: 0) == "secret")
        // As if the store had answered eight days ago.
        do {
            let log = try plain(.write)
            var note = try #require(log.file.lease?.note)
            note.machine.wall = Instant(
                microseconds: note.machine.wall.microseconds - 8 * Self.dayUs)
            note.machine.boot = Array(repeating: 3, count: 16)
            note.latestWall = note.machine.wall
            try log.file.write(note)
        }
        for access in [EventLog.Access.read, .write, .read] {
            let log = try plain(access)
            #expect(!log.hasKeys)
            #expect(try log.people.text(at: Position(1), field: 0) == "not here")
            #expect(try log.commits.at(Position(1))?.metadata.actor == "not here")
            let error = #expect(throws: LogError.self) { try log.requireKeys("a test reads") }
            #expect("\(error as Any)".contains("after 7 days without its store"))
            let found = try log.verify(against: catalogue)
            #expect(found.isSound, "\(found.findings)")
        }
        // Opening it for writing has kept that it is over, also for a clock that is set back.
        #expect(try plain().file.lease?.note.isOver == true)
        do {
            let log = try replica()
            #expect(log.hasKeys)
            #expect(try log.people.text(at: Position(1), field: 0) == "secret")
        }
        #expect(try plain().people.text(at: Position(1), field: 0) == "secret")
    }

    @Test("A note of the wrong size or with another flag is damage")
    func damagedNotes() {
        let bytes = ContactNote(begunAt: .now).bytes
        for broken in [[], Array(bytes.dropLast()), bytes + [0], bytes.dropLast() + [2]] {
            #expect(throws: CorruptRecord.self) { try ContactNote(decoding: broken.rawSpan) }
        }
    }
}
