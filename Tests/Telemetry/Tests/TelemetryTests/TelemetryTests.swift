import Daybook
import DaybookLog
import DaybookTelemetry
import Foundation
import InMemoryLogging
import Logging
import MetricsTestKit
import Testing

/// An event with personal data in every place that an event has.
private struct Visit: EventPayload {
    static let kind: EventKind = "clinic.visited.v1"
    var patient = ""
    var note: PersonalText?
    static var blank: Self { Self() }
    var tags: [Daybook.Tag] { [Daybook.Tag("patient", patient)] }

    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("patient", &patient)
        try field("note", &note)
    }
}

/// The records and metrics of a log.
@Suite("Telemetry", .timeLimit(.minutes(5))) struct TelemetryTests {
    private let records = InMemoryLogHandler()
    private let metrics = TestMetrics()
    private let folder: Folder
    private var path: String { folder.url.appendingPathComponent("log").path }

    init() throws {
        folder = try Folder()
    }

    /// A folder that is removed with its owner.
    private final class Folder: Sendable {
        let url = FileManager.default.temporaryDirectory
            .appendingPathComponent("telemetry-\(UUID().uuidString)-needle-path")

        init() throws {
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        }

        deinit { try? FileManager.default.removeItem(at: url) }
    }

    private func open(_ access: EventLog.Access = .create) throws -> EventLog {
        let records = records
        var logger = Logger(label: "test") { _ in records }
        logger.logLevel = .trace
        return try EventLog(
            path: path, access: access, writeWait: .milliseconds(200),
            people: ["patient": "patient"],
            observer: LogTelemetry(
                logger: logger, metrics: metrics, dimensions: [("log_name", "clinic")]))
    }

    private func visit(_ key: String = "needle-key", after: Position? = nil) -> AppendRequest {
        var visit = Visit(patient: "needle-patient")
        visit.note = PersonalText("needle-note")
        let sameKind = Query(Query.Item(kinds: [Visit.kind]))
        return AppendRequest(
            [NewEvent(visit, occurredAt: .epoch), NewEvent(visit, occurredAt: .epoch)],
            metadata: CommitMetadata(
                actor: "needle-actor", device: "needle-device", correlation: "needle-flow"),
            conditions: after.map { [AppendCondition(sameKind, after: $0)] } ?? [],
            idempotency: .init(key: key, asked: Array("needle-asked".utf8)))
    }

    private func duration(_ operation: String, _ outcome: String) throws -> [Int64] {
        try metrics.expectTimer(
            "daybook_operation_duration",
            [("log_name", "clinic"), ("operation", operation), ("outcome", outcome)]
        ).values
    }

    private func record(_ message: String) throws -> InMemoryLogHandler.Entry {
        try #require(records.entries.last { "\($0.message)" == message })
    }

    private func value(_ name: String, in record: InMemoryLogHandler.Entry) -> String? {
        record.metadata[name].map { "\($0)" }
    }

    @Test("Appends are timed by their outcome, and their commits and events are counted")
    func appends() throws {
        let log = try open()
        _ = try log.append(visit())
        _ = try log.append(visit())
        _ = try log.append(visit("needle-other"))
        #expect(throws: AppendError.conflict(at: Position(4))) {
            try log.append(visit("needle-third", after: Position(2)))
        }
        #expect(try duration("append", "done").count == 2)
        #expect(try duration("append", "repeated").count == 1)
        #expect(try duration("append", "conflict").count == 1)
        #expect(try duration("append", "done").allSatisfy { $0 > 0 })
        #expect(try duration("open", "done").count == 1)
        #expect(metrics.counterTotal(label: "daybook_commits") == 2)
        let written = [("log_name", "clinic"), ("operation", "append")]
        #expect(metrics.counterTotal(label: "daybook_events", dimensions: written) == 4)
        let head = try metrics.expectGauge("daybook_head_position", [("log_name", "clinic")])
        #expect(head.lastValue == 4)
        let waits = try metrics.expectTimer("daybook_writer_wait", [("log_name", "clinic")])
        #expect(waits.values.count == 4)
        let appended = try record("append: done")
        #expect(appended.level == .debug)
        #expect(value("log", in: appended) == log.id)
        #expect(value("position", in: appended) == "4")
        #expect(value("events", in: appended) == "2")
        #expect(value("reason", in: appended) == nil)
    }

    @Test("Reads count their events, and a follower its lag in events")
    func readsAndFollowers() async throws {
        let log = try open()
        _ = try await log.append(visit())
        _ = try await log.append(visit("needle-other"))
        #expect(try log.reader().collect().count == 4)
        let read = [("operation", "read")]
        #expect(metrics.counterTotal(label: "daybook_events", dimensions: read) == 4)
        #expect(try record("read: done").level == .trace)
        for try await _ in log.follow(after: Position(1)) { break }
        let lag = try metrics.expectRecorder("daybook_follower_lag", [("log_name", "clinic")])
        #expect(lag.values == [3])
        #expect(try value("lag", in: record("follow: done")) == "3")
    }

    @Test("An erasure counts the texts, and a verification the faults")
    func erasures() throws {
        let log = try open()
        _ = try log.append(visit())
        _ = try log.erase(
            .tags([Daybook.Tag("patient", "needle-patient")]), reason: "needle-reason",
            catalogue: .empty)
        #expect(metrics.counterTotal(label: "daybook_texts_erased") == 2)
        #expect(try value("texts", in: record("erase: done")) == "2")
        #expect(try log.verify().isSound)
        #expect(try record("verify: done").level == .debug)
    }

    @Test("A log that cannot be opened is an error with a reason")
    func failure() throws {
        #expect(throws: LogError.self) { try open(.read) }
        let failed = try record("open: failed")
        #expect(failed.level == .error)
        #expect(value("reason", in: failed) == "missing")
        #expect(value("log", in: failed) == nil)
        try Data("needle-content, which is no log".utf8).write(to: URL(fileURLWithPath: path))
        #expect(throws: LogError.self) { try open(.read) }
        #expect(try value("reason", in: record("open: failed")) == "format")
        #expect(try duration("open", "failed").count == 2)
    }

    @Test("No record and no metric has a text, a tag, a name, a key or a path")
    func nothingPersonal() async throws {
        try await readsAndFollowers()
        let log = try open()
        #expect(throws: AppendError.self) {
            try log.append(AppendRequest([], idempotency: .init(key: "", asked: [])))
        }
        #expect(throws: AppendError.self) {
            var other = visit()
            other.idempotency?.asked = Array("needle-else".utf8)
            _ = try log.append(other)
        }
        _ = try log.erase(.actor("needle-actor"), reason: "needle-reason", catalogue: .empty)
        #expect(throws: LogError.self) { try open(.read) }
        #expect(records.entries.count > 8)
        for entry in records.entries {
            #expect(!"\(entry)".contains("needle"), "\(entry)")
        }
        let timers = metrics.timers.flatMap(\.dimensions)
        for (name, value) in timers + metrics.counters.flatMap(\.dimensions) {
            #expect(!"\(name)\(value)".contains("needle"))
        }
    }
}
