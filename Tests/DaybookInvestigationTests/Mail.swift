import Daybook
import DaybookLog
import TestSupport

/// An area of the tests: parcels, whose weight was stored in grams first, and calls about them.
enum Mail: Area {
    static let name = "mail"
    static let events = [
        EventDescription(Sent.self), EventDescription(Called.self),
    ]
    static let commands: [CommandDescription] = []
    static let projections: [ProjectionDescription] = []
    static let upcasters = [
        Upcaster { (old: SentInGrams) in
            Sent { sent in
                sent.milligrams = old.grams * 1_000
                sent.receiver = old.receiver
            }
        }
    ]
    static let people = ["person": "person"] as PersonNouns

    enum Size: UInt8, StoredEnum { case small, large }

    struct SentInGrams: EventPayload {
        static let kind: EventKind = "mail.sent.v1"
        var grams: Int64 = 0
        var receiver = ""
        var tags: [Daybook.Tag] { [Daybook.Tag("person", receiver)] }
        static var blank: Self { Self() }

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("grams", &grams)
            try field("receiver", &receiver)
        }
    }

    struct Sent: EventPayload {
        static let kind: EventKind = "mail.sent.v2"
        var milligrams: Int64 = 0
        var receiver = ""
        var size = Size.small
        var isUrgent: Bool?
        var stamps: [String] = []
        var by: Author?
        var note: PersonalText?
        var marks: [String: String] = [:]
        var tags: [Daybook.Tag] { [Daybook.Tag("person", receiver)] }
        static var blank: Self { Self() }

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("milligrams", &milligrams)
            try field("receiver", &receiver)
            try field("size", &size)
            try field("isUrgent", &isUrgent)
            try field("stamps", &stamps)
            try field("by", &by)
            try field("note", &note)
            try field("marks", &marks)
        }
    }

    struct Called: EventPayload {
        static let kind: EventKind = "mail.called.v1"
        var receiver = ""
        var minutes: Int64 = 0
        var device: String?
        var line = Line()
        var tags: [Daybook.Tag] {
            [Daybook.Tag("person", receiver)] + (minutes > 5 ? [Daybook.Tag("device", "long")] : [])
        }
        static var blank: Self { Self() }

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("receiver", &receiver)
            try field("minutes", &minutes)
            try field("device", &device)
            try field("line", &line)
        }
    }

    struct Line: Record {
        var number = ""
        var startedUs: Int64 = 0
        static var blank: Self { Self() }

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("number", &number)
            try field("startedUs", &startedUs)
        }
    }
}

/// A log of the area in a folder of its own.
struct MailLog {
    let folder: TemporaryFolder
    let log: EventLog
    let catalogue: Catalogue

    init() throws {
        folder = try TemporaryFolder()
        catalogue = try Catalogue([Mail.self])
        log = try EventLog(path: folder.path("log"), access: .create, catalogue: catalogue)
    }

    func append(_ payloads: [any EventPayload], by actor: String = "", on device: String = "")
        throws
    {
        let head = Int64(try log.head().rawValue)
        let events = payloads.enumerated().map { index, payload in
            NewEvent(payload, occurredAt: Instant(microseconds: head + Int64(index) + 1))
        }
        _ = try log.append(
            AppendRequest(events, metadata: CommitMetadata(actor: actor, device: device)))
    }

    /// The positions of the events that a filter selects.
    func positions(
        _ filter: EventFilter, _ window: ReadWindow = ReadWindow()
    ) throws -> [UInt64] {
        try FilteredReader(log, filter, window).collect().map(\.position.rawValue)
    }
}
