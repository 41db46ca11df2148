public import Daybook

/// An event for tests of the log: a number, a text and a personal text.
public struct Note: EventPayload {
    public static let kind: EventKind = "test.noted.v1"

    public var number: Int64 = 0
    public var text = ""
    public var secret: PersonalText?
    public var topics: [String] = []

    public static var blank: Self { Self() }

    public init() {}

    public init(_ number: Int64, _ text: String = "", topics: [String] = [], secret: String? = nil)
    {
        self.number = number
        self.text = text
        self.topics = topics
        self.secret = secret.map { PersonalText($0) }
    }

    public var tags: [Tag] { topics.map { Tag("topic", $0) } }

    public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("number", &number)
        try field("text", &text)
        try field("secret", &secret)
        try field("topics", &topics)
    }
}

/// The area of `Note`.
public enum Notes: Area {
    public static let name = "test"
    public static let events = [EventDescription(Note.self)]
    public static let commands: [CommandDescription] = []
    public static let projections: [ProjectionDescription] = []
}
