// The code of docs/embedding.md. A test holds the document to this file, line by line.
// [define]
import Daybook
import DaybookLog

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

/// The area, which tells a log and the tools what there is.
enum Timers: Area {
    static let name = "stopwatch"
    static let events = [EventDescription(Stopwatch.Started.self)]
    static let commands = [CommandDescription(Stopwatch.Start.self)]
    static let projections = [
        ProjectionDescription(
            "stopwatch", noun: "stopwatch", "A stopwatch as it is", Stopwatch.self)
    ]
}
// [end]

// [use]
func startStopwatch(inLogAt path: String) throws -> (first: Decided, second: Decided) {
    let log = try EventLog(path: path, access: .create, catalogue: try Catalogue([Timers.self]))

    // Decided on what the log holds, appended under the condition that nothing came between,
    // and durable when it returns. Safe from any thread and from several processes.
    let first = try log.decide(
        Stopwatch.Start(id: "s1"), zone: "Asia/Seoul", metadata: CommitMetadata(actor: "user-7"))
    let second = try log.decide(Stopwatch.Start(id: "s1"))
    return (first, second)
}
// [end]

// [read]
func isRunning(inLogAt path: String, at position: Position? = nil) throws -> Bool {
    let log = try EventLog(path: path, access: .read, catalogue: try Catalogue([Timers.self]))
    return try log.state(Stopwatch.self, of: "s1", at: position).isRunning
}
// [end]

// [reader]
func newestStarts(inLogAt path: String) throws -> [RecordedEvent] {
    let log = try EventLog(path: path, access: .read)
    let starts = Query(Query.Item(kinds: [Stopwatch.Started.kind]))
    return try log.reader(starts, ReadWindow(.descending)).collect(limit: 10)
}

func numberOfEvents(inLogAt path: String, after position: Position) throws -> Int {
    let log = try EventLog(path: path, access: .read)
    var count = 0
    try log.reader(.all, ReadWindow(after: position)).forEachInPlace { _ in
        count += 1
        return true
    }
    return count
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

// [tasks]
func startStopwatch(_ id: String, in log: EventLog) async throws -> Decided {
    try await log.decide(Stopwatch.Start(id: id))
}
// [end]

// [facts]
/// Appends starts that another system has recorded, as one commit.
func record(startsOf ids: [String], in log: EventLog) async throws {
    let events = ids.map { NewEvent(Stopwatch.Started(id: $0), occurredAt: .now, zone: "UTC") }
    _ = try await log.append(AppendRequest(events, metadata: CommitMetadata(actor: "import")))
}
// [end]

// [events]
/// Gives each start to `show`, those in the log and then those to come.
func followStarts(
    in log: EventLog, after position: Position, show: (Stopwatch.Started, Envelope) -> Void
) async throws {
    for try await next in log.follow(Stopwatch.Event.self, after: position) {
        switch next.event {
        case .started(let started): show(started, next.recorded.envelope)
        }
    }
}
// [end]

// [decode]
/// Returns the starts among recorded events, as readers and other followers give them.
func starts(among events: [RecordedEvent], of log: EventLog) throws -> [Stopwatch.Started] {
    let reader = KindReader<Stopwatch.Event>()
    return try events.compactMap { event in
        switch try reader.read(log.catalogue.upcast(event)) {
        case .started(let started): started
        case nil: nil
        }
    }
}
// [end]

// [follow]
/// Gives each commit to `apply` once, in order. `apply` keeps the head together with its results,
/// and the program goes on after it when it starts again.
func follow(
    _ log: EventLog, after head: Head, apply: ([RecordedEvent], Head) throws -> Void
) async throws {
    for try await next in log.commits.follow(after: head) {
        try apply(next.events, next.commit.head)
    }
}
// [end]

// [operations]
/// Prints what failed or took long.
struct SlowOperations: LogObserver {
    func observe(_ operation: LogOperation) {
        guard operation.outcome == .failed || operation.duration > .seconds(1) else { return }
        print(operation.kind, operation.outcome, operation.duration, operation.reason ?? "")
    }
}

func openObserved(logAt path: String) throws -> EventLog {
    try EventLog(path: path, access: .create, observer: SlowOperations())
}
// [end]
