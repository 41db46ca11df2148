import Daybook

// MARK: Parts of a sound area

struct Added: EventPayload {
    static let kind: EventKind = "shelf.added.v1"
    var shelf = ""
    var amount: Int64 = 0
    static var blank: Self { Self() }
    var tags: [Tag] { [Tag("shelf", shelf)] }

    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("shelf", &shelf)
        try field("amount", &amount)
    }
}

struct Removed: EventPayload {
    static let kind: EventKind = "shelf.removed.v1"
    var shelf = ""
    static var blank: Self { Self() }
    var tags: [Tag] { [Tag("shelf", shelf)] }

    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("shelf", &shelf)
    }
}

enum Fill: UInt8, StoredEnum { case empty, full }

struct Shelf: Record {
    var fill = Fill.empty
    var amount: Int64 = 0
    static var blank: Self { Self() }

    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("fill", &fill)
        try field("amount", &amount)
    }
}

enum Shelves: Projection {
    enum Event: DecidedEvents {
        case added(Added)
        case removed(Removed)
        static let kinds = [StoredKind(added)]
    }

    static func evolve(_ state: inout Shelf, with event: Event, _ envelope: Envelope) {
        guard case .added(let added) = event else { return }
        state.fill = .full
        state.amount = state.amount.saturatingSum(added.amount)
    }
}

let shelf = ProjectionDescription("shelf", noun: "shelf", "The amount on a shelf", Shelves.self)

// MARK: Areas with a slip

enum MissingKind: Area {
    static let name = "shelf"
    static let events = Shelves.Event.kinds.map(\.description)
    static let commands = [CommandDescription(Remove.self)]
    static let projections = [shelf]

    struct Remove: Command {
        typealias Model = Shelves
        static let name = "shelf.remove"
        var shelf = ""
        static var blank: Self { Self() }

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("shelf", &shelf)
        }

        var query: Query { events(of: Tag("shelf", shelf)) }
        func decide(_ state: Shelf, now: Instant) -> [Shelves.Event] {
            [.removed(Removed(shelf: shelf))]
        }
    }
}

enum MissingField: Area {
    struct Noted: EventPayload {
        static let kind: EventKind = "shelf.added.v1"
        var shelf = ""
        var note = ""
        var label = Label()
        static var blank: Self { Self() }
        var tags: [Tag] { [Tag("shelf", shelf)] }

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("shelf", &shelf, "label", &label.text)
        }
    }

    struct Label: Equatable {
        var text = ""
        var color = ""
    }

    static let name = "shelf"
    static let events = [EventDescription(Noted.self)]
    static let commands: [CommandDescription] = []
    static let projections: [ProjectionDescription] = []
}

enum RepeatedName: Area {
    struct Moved: EventPayload {
        static let kind: EventKind = "shelf.moved.v1"
        var shelf = ""
        var target = ""
        static var blank: Self { Self() }
        var tags: [Tag] { [Tag("shelf", shelf)] }

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("shelf", &shelf)
            try field("shelf", &target)
        }
    }

    static let name = "shelf"
    static let events = [EventDescription(Moved.self)]
    static let commands: [CommandDescription] = []
    static let projections: [ProjectionDescription] = []
}

enum PartlyFree: Area {
    /// A text that is a free text in all values but the blank one.
    struct Label: FieldValue {
        var text = ""
        static var blank: Self { Self() }

        static func visit<V: FieldVisitor>(
            _ visitor: inout V, _ value: inout Self
        ) throws(V.Failure) {
            if value.text.isEmpty {
                try visitor.text(&value.text)
            } else {
                try visitor.freeText(&value.text)
            }
        }
    }

    struct Labelled: EventPayload {
        static let kind: EventKind = "shelf.labelled.v1"
        var shelf = ""
        var label = Label()
        static var blank: Self { Self() }
        var tags: [Tag] { [Tag("shelf", shelf)] }

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("shelf", &shelf)
            try field("label", &label)
        }
    }

    static let name = "shelf"
    static let events = [EventDescription(Labelled.self)]
    static let commands: [CommandDescription] = []
    static let projections: [ProjectionDescription] = []
}

enum MisspeltNoun: Area {
    static let name = "shelf"
    static let events = Shelves.Event.kinds.map(\.description)
    static let commands: [CommandDescription] = []
    static let projections = [
        ProjectionDescription("shelf", noun: "shelve", "The amount on a shelf", Shelves.self)
    ]
    static let people: PersonNouns = ["persn": "persn"]
}

protocol ShelfArea: Area {}

extension ShelfArea {
    static var name: String { "shelf" }
    static var events: [EventDescription] { Shelves.Event.kinds.map(\.description) }
    static var commands: [CommandDescription] { [] }
    static var projections: [ProjectionDescription] { [shelf] }
}

enum MachineField: ShelfArea {
    static let machines = [
        Lifecycle<Fill>("shelf", field: "stat", [.begins(Added.self, .full)]).machine
    ]
}

enum MachineKind: ShelfArea {
    static let machines = [
        StateMachine("shelf", field: "fill", [(["empty"], ["shelf.adedd"], ["full"])])
    ]
}

enum MachineState: ShelfArea {
    static let machines = [
        StateMachine("shelf", field: "fill", [(["empty"], ["shelf.added"], ["ful"])])
    ]
}

enum MachineProjection: ShelfArea {
    static let machines = [
        Lifecycle<Fill>("shelff", field: "fill", [.begins(Added.self, .full)]).machine
    ]
}

enum ForeignName: Area {
    static let name = "shelves"
    static let events = Shelves.Event.kinds.map(\.description)
    static let commands: [CommandDescription] = []
    static let projections = [shelf]
}

enum TooFewNames: Area {
    enum Short: UInt8, StoredEnum {
        case one, two
        static let names = ["one"]
    }

    struct Chosen: EventPayload {
        static let kind: EventKind = "names.chosen.v1"
        var short = Short.one
        static var blank: Self { Self() }
        var tags: [Tag] { [] }

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("short", &short)
        }
    }

    static let name = "names"
    static let events = [EventDescription(Chosen.self)]
    static let commands: [CommandDescription] = []
    static let projections: [ProjectionDescription] = []
}

enum Unwritten: Area {
    static let name = "shelf"
    static let events: [EventDescription] = []
    static let commands: [CommandDescription] = []
    static let projections = [shelf]
}

enum NeverRenamed: Area {
    static let name = "shelf"
    static let events = [EventDescription(Added.self)]
    static let commands: [CommandDescription] = []
    static let projections = [shelf.endingIn("room")]
}

enum LostState: Area {
    struct Counted: Record {
        var amount: Int64 = 0
        var last: Int64 = 0
        static var blank: Self { Self() }

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("amount", &amount)
        }
    }

    enum Counter: Projection {
        enum Event: EventSet {
            case added(Added)
            static let kinds = [StoredKind(added)]
        }

        static func evolve(_ state: inout Counted, with event: Event, _ envelope: Envelope) {
            guard case .added(let added) = event else { return }
            state.amount = state.amount.saturatingSum(state.last)
            state.last = added.amount
        }
    }

    static let name = "shelf"
    static let events = Shelves.Event.kinds.map(\.description)
    static let commands: [CommandDescription] = []
    static let projections = [
        ProjectionDescription("shelf", noun: "shelf", "The amount on a shelf", Counter.self)
    ]
}

/// Kinds whose sentences are no line for people.
enum BadSentences: Area {
    static let name = "shelf"
    static let events = [
        EventDescription(Empty.self), EventDescription(Broken.self), EventDescription(Long.self),
        EventDescription(Timed.self), EventDescription(Hashed.self),
    ]
    static let commands: [CommandDescription] = []
    static let projections: [ProjectionDescription] = []

    struct Empty: EventPayload {
        static let kind: EventKind = "shelf.added.v1"
        static var blank: Self { Self() }
        var tags: [Tag] { [] }
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {}
        func sentence(_ wording: Wording) -> String { "" }
    }

    struct Broken: EventPayload {
        static let kind: EventKind = "shelf.broken.v1"
        static var blank: Self { Self() }
        var tags: [Tag] { [] }
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {}
        func sentence(_ wording: Wording) -> String { "one\nline" }
    }

    struct Long: EventPayload {
        static let kind: EventKind = "shelf.long.v1"
        var note: PersonalText?
        static var blank: Self { Self() }
        var tags: [Tag] { [] }
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("note", &note)
        }
        func sentence(_ wording: Wording) -> String {
            "noted " + (note?.text ?? "nothing").split(separator: "\n").joined(separator: " ").trimmed
        }
    }

    struct Timed: EventPayload {
        static let kind: EventKind = "shelf.timed.v1"
        var taken = Instant.epoch
        static var blank: Self { Self() }
        var tags: [Tag] { [] }
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("takenUs", &taken)
        }
        func sentence(_ wording: Wording) -> String { "taken at \(taken.microseconds)" }
    }

    struct Hashed: EventPayload {
        static let kind: EventKind = "shelf.hashed.v1"
        var label = Digest.blank
        static var blank: Self { Self() }
        var tags: [Tag] { [] }
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("label", &label)
        }
        func sentence(_ wording: Wording) -> String { "labelled \(label)" }
    }
}
