public import CivilTime
public import EventSourcing

extension BabyCare {
    /// The content of a voice clip.
    public struct Clip: Record {
        public var babyId = ""
        public var candidates: [Candidate] = []
        public var isConfirmed = false
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("babyId", &babyId, "candidates", &candidates, "isConfirmed", &isConfirmed)
        }
    }

    /// An entry that was heard in a clip.
    public struct Candidate: Record {
        public var kind = Kind.formula
        public var started: Instant?
        public var ended: Instant?
        public var value = Value()
        public var meta: Meta = [:]
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("kind", &kind)
            try field("startedUs", &started, "endedUs", &ended)
            try field("value", &value, "meta", &meta)
        }
    }
}

extension Refusal {
    static let voiceDisabled = Refusal("voiceDisabled", "voice is not part of the plan")
}
