// The code of docs/embedding.md. A test holds the document to this file, line by line.
// [define]
import CivilTime
import EventSourcing
import EventStorage

/// A timer that is started and stopped, one at a time.
enum Stopwatch: Projection {
    struct Started: EventPayload {
        static let kind: EventKind = "stopwatch.started.v1"
        var id = ""
        static var blank: Self { Self() }
        var tags: [Tag] { [Tag("stopwatch", id)] }

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("id", &id)
        }
    }

    enum Event: DecidedEvents {
        case started(Started)

        static let kinds = [StoredKind(started)]
    }

    struct State: Record {
        var isRunning = false
        static var blank: Self { Self() }

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("isRunning", &isRunning)
        }
    }

    static func evolve(_ state: inout State, with event: Event, _ envelope: Envelope) {
        switch event {
        case .started: state.isRunning = true
        }
    }

    /// A command: its fields, the events it depends on, and its rule.
    struct Start: Command {
        typealias Model = Stopwatch
        static let name = "stopwatch.start"
        var id = ""
        static var blank: Self { Self() }

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("id", &id)
        }

        var query: Query { events(of: Tag("stopwatch", id)) }

        func decide(_ stopwatch: State, now: Instant) throws(Refusal) -> [Event] {
            guard !stopwatch.isRunning else {
                throw Refusal("running", "the stopwatch is running already")
            }
            return [.started(Started(id: id))]
        }
    }
}
// [end]

// [use]
func startStopwatch(inLogAt path: String) throws -> (first: Decided, second: Decided) {
    let log = try EventLog(path: path, access: .create)
    let context = CommandContext(now: EventLog.systemTime(), zone: "Asia/Seoul")
    let start = PendingCommand(Stopwatch.Start(id: "s1"), context: context)

    // Decided on what the log holds, appended under the condition that nothing came between,
    // and durable when it returns. Safe from any thread and from several processes.
    let first = try log.decide(
        start, metadata: CommitMetadata(actor: "user-7"), catalogue: try Catalogue([]))
    let second = try log.decide(start, catalogue: try Catalogue([]))
    return (first, second)
}
// [end]

// [read]
func isRunning(inLogAt path: String) throws -> Bool {
    let log = try EventLog(path: path, access: .read)
    var state = Stopwatch.State.blank
    _ = try log.fold(Stopwatch.self, into: &state)
    return state.isRunning
}
// [end]

// [watch]
func openWatched(logAt path: String, headFileAt headPath: String) throws -> EventLog {
    let headFile = HeadFile(path: headPath) { error in
        print("a commit is on disk, but not in the head file: \(error)")
    }
    return try EventLog(path: path, access: .create, headFile: headFile)
}
// [end]
