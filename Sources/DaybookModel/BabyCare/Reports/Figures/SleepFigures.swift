package import Daybook

extension BabyCare {
    /// Totals of sleep in a period, in seconds.
    package struct SleepFigures: PlainRecord {
        /// Seconds of closed sleeps within the period; every overlapping sleep counts in full.
        package var sumS: Int64 = 0
        /// Seconds of closed sleeps within the period; overlapping sleeps count once.
        package var unionS: Int64 = 0
        /// Number of closed sleeps that started in the period.
        package var count: Int64 = 0
        /// Seconds from start to end of the closed sleeps that started in the period.
        var startedS: Int64 = 0
        /// Seconds of the closed sleep that lasted longest within the period.
        package var longestS: Int64 = 0
        /// Seconds of night sleeps within the period; overlapping sleeps count once.
        package var nightS: Int64 = 0
        /// Seconds of naps within the period; an overlap with a night sleep counts as night.
        package var napS: Int64 = 0
        /// Those seconds of `sumS` that come from sleeps with an estimated end.
        package var estimatedS: Int64 = 0
        /// Open sleeps that may last into the period; no total includes them.
        package var open: [OpenSleep] = []

        /// True if at least one sleep of the period is closed.
        package var hasClosedSleep: Bool { count > 0 || sumS > 0 }
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("sumS", &sumS, "unionS", &unionS, "count", &count, "startedS", &startedS)
            try field("longestS", &longestS, "nightS", &nightS, "napS", &napS)
            try field("estimatedS", &estimatedS, "open", &open)
        }
    }

    /// A sleep without a recorded end.
    package struct OpenSleep: PlainRecord {
        package var entryId = ""
        package var started = Instant.epoch
        package var start = ""
        /// Seconds of sleep within the period, up to the next sleep or the last recorded event;
        /// `nil` unless requested.
        package var soFarS: Int64?
        package static var elementKey: String? { "entryId" }
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("entryId", &entryId, "startedUs", &started, "start", &start)
            try field("soFarS", &soFarS)
        }
    }

    /// Statistics of waking times, from the end of a sleep to the start of the next.
    package struct WakeFigures: PlainRecord {
        /// Number of waking times that lie wholly in the period.
        package var count: Int64 = 0
        /// Mean waking time in seconds, rounded.
        package var meanS: Int64 = 0
        /// Longest waking time in seconds.
        package var maxS: Int64 = 0
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("count", &count, "meanS", &meanS, "maxS", &maxS)
        }
    }
}
