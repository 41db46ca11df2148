import Daybook
import Foundation
import Testing

@testable import DaybookLog

/// Calls on a log that was opened with its catalogue.
@Suite("Short calls") final class ShortCallTests {
    private let folder: URL
    private var path: String { folder.appendingPathComponent("log.daybook").path }

    init() throws {
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("short-calls-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// The JSON of a stopwatch without events.
    private let blank = #"{"isRunning":false}"#

    private func log(_ areas: [any Area.Type] = [Timers.self]) throws -> EventLog {
        try EventLog(path: path, access: .create, catalogue: try Catalogue(areas))
    }

    @Test("A command is decided at the time that is given, under its key once")
    func decide() throws {
        let log = try log()
        let key = AppendRequest.Idempotency(key: "k", asked: [1])
        let start = Stopwatch.Start(id: "s1")
        let time = Instant(microseconds: 1_000)
        let first = try log.decide(
            start, at: time, zone: "UTC", offsetS: 3_600,
            metadata: CommitMetadata(device: "phone"), idempotency: key)
        guard case .appended(let receipt) = first else {
            Issue.record("the first start gave \(first)")
            return
        }
        #expect(try log.decide(start, at: time, idempotency: key) != .nothing)
        let event = try #require(try log.reader().collect().first)
        #expect(event.envelope.occurredAt == time && event.envelope.offsetS == 3_600)
        #expect(event.zone == "UTC")
        #expect(try log.reader().collect().count == 1)
        #expect(try log.commits.at(receipt.first)?.metadata.device == "phone")
    }

    @Test("Both forms of an id are one entity to a command, a state and the tools")
    func normalForm() throws {
        let log = try log()
        let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
        guard case .appended = try log.decide(Stopwatch.Start(id: decomposed)) else {
            Issue.record("the stopwatch did not start")
            return
        }
        guard case .refused(let refusal) = try log.decide(Stopwatch.Start(id: composed)) else {
            Issue.record("the stopwatch started twice")
            return
        }
        #expect(refusal.code == "running")
        for id in [composed, decomposed] {
            #expect(try log.state(Stopwatch.self, of: id).isRunning)
            #expect(try log.state("stopwatch", of: id).json == #"{"isRunning":true}"#)
        }
        // The tools read the projection's events by the id as it is typed.
        let projection = try #require(log.catalogue.projections["stopwatch"])
        #expect(try log.reader(projection.query(key: composed)).collect().count == 1)
        #expect(try log.verify().findings == [])
    }

    @Test("A state is as of a position, blank before the entity's first event")
    func states() throws {
        let log = try log()
        for id in ["a", "b"] { _ = try log.decide(Stopwatch.Start(id: id)) }
        #expect(try log.state(Stopwatch.self, of: "b").isRunning)
        #expect(try !log.state(Stopwatch.self, of: "b", at: Position(1)).isRunning)
        #expect(try !log.state(Stopwatch.self, of: "c").isRunning)
        #expect(try log.state("stopwatch", of: "b").json == #"{"isRunning":true}"#)
        #expect(try log.state("stopwatch", of: "b", at: Position(1)).json == blank)
    }

    private enum TwiceNamed: Area {
        static let name = "stopwatch"
        static let events = Timers.events
        static let commands: [CommandDescription] = []
        static let projections = ["one", "two"].map {
            ProjectionDescription($0, noun: "stopwatch", "A stopwatch", Stopwatch.self)
        }
    }

    @Test("A projection that the catalogue lacks, or has under two names, is an error that says so")
    func unknown() throws {
        do {
            let log = try EventLog(path: path, access: .create)
            #expect(throws: LogError.unknownProjection("Stopwatch")) {
                try log.state(Stopwatch.self, of: "a")
            }
            #expect(throws: LogError.unknownProjection("stopwatch")) {
                try log.state("stopwatch", of: "a")
            }
        }
        let log = try log([TwiceNamed.self])
        #expect(throws: LogError.severalProjections("Stopwatch", names: ["one", "two"])) {
            try log.state(Stopwatch.self, of: "a")
        }
        #expect(try log.state("two", of: "a").json == blank)
    }

    private enum People: Area {
        static let name = "stopwatch"
        static let events = Timers.events
        static let commands: [CommandDescription] = []
        static let projections: [ProjectionDescription] = []
        static let people: PersonNouns = ["stopwatch": "stopwatch"]
    }

    @Test("A log takes the nouns of people from its catalogue, and others where they are named")
    func people() throws {
        let catalogue = try Catalogue([People.self])
        do {
            let log = try EventLog(path: path, access: .create, catalogue: catalogue)
            #expect(log.personNouns == ["stopwatch": "stopwatch"])
        }
        let other = try EventLog(
            path: path, access: .read, catalogue: catalogue, people: ["user": "user"])
        #expect(other.personNouns == ["user": "user"])
    }
}
