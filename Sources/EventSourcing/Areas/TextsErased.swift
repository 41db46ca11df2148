/// The record of an erasure of personal texts, which the log itself writes.
public struct TextsErased: EventPayload {
    public static let kind: EventKind = "log.texts-erased.v1"

    /// The tags whose events lost their texts. The event itself has none: it is about nobody.
    public var erasedTags: [String] = []
    /// The event that lost its texts.
    public var position: Int64?
    /// The people that were erased, by their numbers; names of actors are not kept.
    public var people: [Int64] = []
    /// Texts that are gone.
    public var texts: Int64 = 0
    /// The slots of the vault whose keys are overwritten.
    public var slots: [Int64] = []
    public var reason: PersonalText?

    public init() {}

    public var tags: [Tag] { [] }

    public static let limits: [String: Limit] = [
        "position": .position, "people": .values(1...Int64(UInt32.max)), "texts": .count,
        "slots": .values(1...Int64(UInt32.max)),
    ]

    public static func fields<Visitor: FieldVisitor>(
        _ visitor: inout Visitor, _ value: inout TextsErased
    ) throws(Visitor.Failure) {
        try visitor.field("tags", &value.erasedTags)
        try visitor.field("position", &value.position)
        try visitor.field("people", &value.people)
        try visitor.field("texts", &value.texts)
        try visitor.field("slots", &value.slots)
        try visitor.field("reason", &value.reason)
    }
}
