/// The record of an erasure of personal texts, which the log itself writes.
public struct TextsErased: EventPayload {
    public static let kind: EventKind = "log.texts-erased.v1"

    /// Tags whose events lost their texts. The event itself has no tags.
    public var erasedTags: [String] = []
    /// The event that lost its texts.
    public var position: Int64?
    /// The people that were erased, by their numbers; names of actors are not kept.
    public var people: [Int64] = []
    /// Texts that are gone.
    public var texts: Int64 = 0
    /// The slots of the vault whose keys are overwritten.
    public var slots: [Int64] = []
    /// The reason that was given, sealed.
    public var reason: PersonalText?

    public static var blank: Self { Self() }

    public var tags: [Tag] { [] }

    public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("tags", &erasedTags)
        try field("position", &position, .position)
        try field("people", &people, .values(1...Int64(UInt32.max)))
        try field("texts", &texts, .count)
        try field("slots", &slots, .values(1...Int64(UInt32.max)))
        try field("reason", &reason)
    }
}
