package import Daybook

extension BabyCare {
    /// The source of an estimated length: a median of earlier entries, or a usual length.
    package enum EstimateBasis: UInt8, StoredEnum {
        /// Median length of similar entries of the last 14 days.
        case median14d
        /// Median length of similar entries of the last 7 days.
        case median7d
        /// Usual length of entries of the same group, such as naps.
        case standardLength
        package static let names = ["median14d", "median7d", "default"]
    }

    /// An open entry was closed with an estimated end.
    package struct EndEstimated: EventPayload, PlainRecord {
        package static let kind: EventKind = "baby-care.end-estimated.v1"
        package var entryId = ""
        package var babyId = ""
        package var kind = Kind.formula
        package var started = Instant.epoch
        package var ended = Instant.epoch
        /// Confidence in the end, 0 to 100.
        package var confidence: Int64 = 0
        /// Source of the estimated length: a median of earlier entries, or a usual length.
        package var basis = EstimateBasis.standardLength
        /// Id of the entry whose start limited the end; `nil` if the estimate was not shortened.
        var cappedBy: String?
        package var by: Author?
        package var tags: [Tag] {
            slotTags(babyId, entryId, kind) + weekTags(babyId, started, ended)
        }

        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("entryId", &entryId, "babyId", &babyId, "kind", &kind)
            try field("startedUs", &started, "endedUs", &ended)
            try field("confidence", &confidence, .values(0...100))
            try field("basis", &basis, "cappedBy", &cappedBy, "by", &by)
        }

        package func sentence(_ wording: Wording) -> String {
            let source =
                switch basis {
                case .median14d: "the median of 14 days"
                case .median7d: "the median of 7 days"
                case .standardLength: "the usual length"
                }
            return "\(kind.name) \(wording.stretch(started, ended)), end estimated from \(source), "
                + "\(confidence) % sure"
        }
    }

    /// Closes an open entry with an end estimated from earlier entries.
    struct EstimateEnd: CareCommand, PlainRecord {
        var entryId = ""
        /// Id of the next entry, before whose start this entry must end; `nil` if there is none.
        var nextEntryId: String?
        /// Latest possible end of the entry; `nil` means the start of the next entry; without a
        /// next entry, the time of the command.
        var nextStart: Instant?
        var by: Author?
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("entryId", &entryId, "nextEntryId", &nextEntryId, "nextStartUs", &nextStart)
            try field("by", &by)
        }

        static let name = "baby-care.estimate-end"

        func boundary(_ state: State) -> Boundary {
            Boundary(
                entryIds: [entryId] + [nextEntryId].compactMap(\.self),
                entryToEstimate: state.entry(entryId))
        }

        func decide(_ state: State, now: Instant) throws(Refusal) -> [Event] {
            try decide(state, in: CommandContext(now: now))
        }

        func decide(_ state: State, in context: CommandContext) throws(Refusal) -> [Event] {
            let entry = try state.entry(entryId, for: by)
            guard lifecycle.allows(EndEstimated.self, in: entry.state) else {
                throw .notOpen(entryId, entry.state)
            }
            let next = nextEntryId.flatMap(state.entry)
            if let id = nextEntryId, next == nil { throw .entryNotFound(id) }
            if let next, next.state == .cancelled || !state.profile.ids.contains(next.babyId) {
                throw .cannotCombine(next.entryId)
            }
            let before = nextStart ?? next?.started ?? context.now
            guard before > entry.started else { throw .endBeforeStart }
            let zone = state.zone(in: context)
            let end = Estimate.end(of: entry, before: before, among: state.entries.values) {
                state.isNight($0, in: zone)
            }
            return [.endEstimated(EndEstimated(entry, end, cappedBy: nextEntryId, by: by))]
        }
    }
}

extension BabyCare.EndEstimated {
    /// Creates the event that closes `entry` at an estimated end.
    init(_ entry: BabyCare.Entry, _ end: BabyCare.Estimate.End, cappedBy: String?, by: Author?) {
        self.init(
            entryId: entry.entryId, babyId: entry.babyId, kind: entry.kind,
            started: entry.started, ended: end.ended, confidence: end.confidence,
            basis: end.basis, cappedBy: end.isCapped ? cappedBy : nil, by: by)
    }
}
