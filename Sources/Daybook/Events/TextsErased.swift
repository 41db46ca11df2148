/// The event that records an erasure of personal texts; only the log itself writes it.
package struct TextsErased: EventPayload {
    public static let kind: EventKind = "log.texts-erased.v1"

    /// The tags whose events lost their personal texts; empty for an erasure by position or actor.
    public var erasedTags: [String] = []
    /// Position of the only event whose texts were erased; `nil` for an erasure by tags or actor.
    public var position: Int64?
    /// Numbers of the erased people in the log's table of people; their names are not stored.
    public var people: [Int64] = []
    /// The number of erased texts.
    public var erasedTextCount: Int64 = 0
    /// Numbers of the slots in the log's key vault whose encryption keys were overwritten.
    public var slots: [Int64] = []
    /// The reason that the user gave for the erasure; `nil` if none was given.
    public var reason: PersonalText?

    public static var blank: Self { Self() }

    public var tags: [Tag] { [] }

    public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("tags", &erasedTags)
        try field("position", &position, .position)
        try field("people", &people, .values(1...Int64(UInt32.max)))
        try field("texts", &erasedTextCount, .count)
        try field("slots", &slots, .values(1...Int64(UInt32.max)))
        try field("reason", &reason)
    }

    public func sentence(_ wording: Wording) -> String {
        wording.list(after: erasedTextCount.counted("text") + " erased", wording.quoted(reason))
    }
}
