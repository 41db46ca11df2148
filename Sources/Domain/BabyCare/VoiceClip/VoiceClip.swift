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
        public var startedUs: Int64?
        public var endedUs: Int64?
        public var value = Value()
        public var meta: Meta = [:]
        public static var blank: Self { Self() }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("kind", &kind)
            try field("startedUs", &startedUs, .moment)
            try field("endedUs", &endedUs, .moment)
            try field("value", &value, "meta", &meta)
        }
    }
}

extension Refusal {
    static let voiceDisabled = Refusal("voiceDisabled", "voice is not part of the plan")
}
