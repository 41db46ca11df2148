import Daybook

extension OfflineQueue {
    /// The reason why a write was rejected or could not be sent.
    enum Rejection: UInt8, StoredEnum {
        /// No answer came, or an answer that allows a retry: 408, 425, 429, 5xx.
        case transient
        /// 419: the access token has to be refreshed.
        case refresh
        /// 401 and 418: the user has to sign in.
        case auth
        /// The server rejects the write for good.
        case permanent
        /// An earlier write about the same entry is parked: it waits for a person's decision.
        case blocked
        /// The entry has no server id, so the write cannot be sent.
        case unmapped
    }

    /// The server accepted a write.
    struct MutationAcknowledged: EventPayload, PlainRecord {
        static let kind: EventKind = "offline-queue.mutation-acknowledged.v1"
        var mutationId = ""
        var device = ""
        /// Status of the answer; `nil` if the original app marks an unsendable write as sent.
        var httpStatus: Int64?
        /// Id that the device gave the entry, if the write created the entry.
        var localId: String?
        /// Id that the server gave the entry that the write created; `nil` for other writes.
        var remoteId: String?
        /// True if the server had accepted an earlier attempt, whose answer was lost.
        var replayed = false
        /// Id of the write's baby; a write sent under `rules: source` gets the active baby.
        var babyId = ""
        var rules = Rules.standard
        var tags: [Tag] { OfflineQueue.tags(device, mutationId, entry: localId, baby: babyId) }
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("mutationId", &mutationId, "device", &device)
            try field("httpStatus", &httpStatus, .httpStatus)
            try field("localId", &localId, "remoteId", &remoteId, "replayed", &replayed)
            try field("babyId", &babyId, "rules", &rules)
        }

        func sentence(_ wording: Wording) -> String {
            guard let httpStatus else { return "write marked as sent" }
            return "\(httpStatus): write accepted"
                + (replayed ? " before, its answer was lost" : "")
        }
    }

    /// The server rejected a write, or the write could not be sent.
    struct MutationRejected: EventPayload, PlainRecord {
        static let kind: EventKind = "offline-queue.mutation-rejected.v1"
        var mutationId = ""
        var device = ""
        var babyId = ""
        /// Status of the answer; `nil` if no answer came.
        var httpStatus: Int64?
        var reason = Rejection.transient
        /// True if the write is now parked: it waits for a person's decision.
        var isParked = false
        /// Id of the parked write that blocks this write; `nil` for none.
        var blockedBy: String?
        /// Earliest time of the next attempt; `nil` if the write may be sent at once.
        var notBefore: Instant?
        /// Explanation in the server's words.
        var detail: PersonalText?
        var rules = Rules.standard
        var tags: [Tag] { OfflineQueue.tags(device, mutationId, baby: babyId) }
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("mutationId", &mutationId, "device", &device, "babyId", &babyId)
            try field("httpStatus", &httpStatus, .httpStatus)
            try field("reason", &reason, "parked", &isParked, "blockedBy", &blockedBy)
            try field("notBefore", &notBefore, .any)
            try field("detail", &detail, "rules", &rules)
        }

        func sentence(_ wording: Wording) -> String {
            let cause =
                switch reason {
                case .transient: httpStatus == nil ? "no answer" : "may be sent again"
                case .refresh: "the token has to be refreshed"
                case .auth: "sign-in needed"
                case .permanent: "rejected for good"
                case .blocked: "an earlier write about the entry is parked"
                case .unmapped: "the entry has no server id"
                }
            return wording.list(
                after: httpStatus.answer + (isParked ? "write parked" : "write not accepted"),
                cause,
                notBefore.map { "next attempt at \(wording.time($0))" }, wording.quoted(detail))
        }
    }

    /// Records the server's answer to a write of the current run, or the lack of an answer.
    struct RecordAnswer: QueueCommand {
        static let name = "offline-queue.record-answer"
        var device = ""
        var mutationId = ""
        /// Number of the answered attempt, from 1; `nil` means the last attempt.
        var attempt: Int64?
        var httpStatus: Int64?
        var remoteId: String?
        /// True if the server reports that it had accepted the write before.
        var replayed: Bool?
        var retryAfterS: Int64?
        var detail: PersonalText?
        var rules = Rules.standard
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("device", &device, "mutationId", &mutationId)
            try field("attempt", &attempt, .count)
            try field("httpStatus", &httpStatus, .httpStatus)
            try field("remoteId", &remoteId, "replayed", &replayed)
            try field("retryAfterS", &retryAfterS, .spanS)
            try field("detail", &detail, "rules", &rules)
        }

        func entityTags(_ state: State) -> [Tag] { state.entityTags(of: mutationId) }

        func decide(_ state: State, now: Instant) throws(Refusal) -> [Event] {
            guard state.bodyDigests[mutationId] != nil else {
                throw Refusal(
                    "unknownMutation",
                    "the write '\(mutationId)' was never queued on the device '\(device)'")
            }
            guard let mutation = state.mutation(mutationId) else { return [] }
            guard mutation.attemptCount > 0,
                attempt ?? mutation.attemptCount <= mutation.attemptCount
            else {
                throw Refusal(
                    "notSent",
                    "attempt \(attempt ?? 1) of the write '\(mutationId)' cannot be answered, "
                        + "because it was not sent; attempts sent so far: \(mutation.attemptCount)")
            }
            if let httpStatus, (200..<300).contains(httpStatus) {
                return try acknowledging(mutation, in: state)
            }
            // Only the attempt under way can fail: a late answer to an earlier attempt is ignored.
            guard state.inFlightId == mutationId,
                attempt ?? mutation.attemptCount == mutation.attemptCount
            else { return [] }
            return rules == .source
                ? failingBySource(mutation, in: state)
                : failing(mutation, in: state, at: now)
        }

        /// Returns the events for an answer that is no success, under the standard rules.
        private func failing(_ mutation: Mutation, in state: State, at now: Instant) -> [Event] {
            switch Rejection(of: httpStatus) {
            case .refresh where mutation.refreshedAttempt < mutation.attemptCount:
                return [rejecting(mutation, .refresh)]
            case .auth:
                return [rejecting(mutation, .auth), state.finishing(.auth, device, rules)]
            case .permanent, .blocked, .unmapped:
                return state.parking(
                    mutation, .permanent, httpStatus: httpStatus, device, detail: detail)
            case .transient, .refresh:
                return state.postponing(
                    mutation, httpStatus: httpStatus, device, retryAfterS: retryAfterS,
                    detail: detail, at: now)
            }
        }

        /// Returns the events for an error under `rules: source`: the run ends, and the write
        /// stays in the queue.
        private func failingBySource(_ mutation: Mutation, in state: State) -> [Event] {
            let reason = Rejection(of: httpStatus)
            return [
                rejecting(mutation, reason == .refresh ? .auth : reason),
                state.finishing(.error, device, rules),
            ]
        }

        /// Returns the event that rejects the write for a reason; the write stays in the queue.
        private func rejecting(_ mutation: Mutation, _ reason: Rejection) -> Event {
            .step(
                .rejected(
                    MutationRejected(
                        mutationId: mutationId, device: device, babyId: mutation.babyId,
                        httpStatus: httpStatus, reason: reason, detail: detail, rules: rules)))
        }

        /// Returns the events for an accepted write; throws if the id of a created entry is
        /// missing. The server's id of a created entry replaces the device's id in the same commit,
        /// so that every later write about the entry finds the id.
        private func acknowledging(
            _ mutation: Mutation, in state: State
        ) throws(Refusal) -> [Event] {
            let isMade = mutation.kind.makesEntry
            guard !isMade || remoteId?.isEmpty == false else {
                throw Refusal(
                    "remoteIdMissing",
                    "the answer to the write '\(mutationId)' needs 'remoteId', the server's id of "
                        + "the created entry")
            }
            let localId = isMade ? mutation.entryId : nil
            let babyId =
                rules == .source ? state.onboarding.babyId ?? mutation.babyId : mutation.babyId
            let taken = MutationAcknowledged(
                mutationId: mutationId, device: device, httpStatus: httpStatus, localId: localId,
                remoteId: isMade ? remoteId : nil, replayed: replayed ?? false, babyId: babyId,
                rules: rules)
            var events: [Event] = [.step(.acknowledged(taken))]
            guard rules == .standard else { return events }
            if let localId, let remoteId, localId != remoteId, state.serverEntryId(localId) == nil {
                events.append(
                    .idReplaced(
                        Household.IdReplaced(
                            kind: .careEntry, localId: localId, remoteId: remoteId)))
            }
            // A late answer may accept a parked write, which then no longer blocks other writes.
            return events
                + state.released(about: mutation.entryId, without: [mutationId]).map {
                    .step(.retried(MutationRetried(mutationId: $0.mutationId, device: device)))
                }
        }
    }
}

extension OfflineQueue.Rejection {
    /// Classifies an answer that is no success.
    ///
    /// - Parameter httpStatus: the status of the answer; `nil`, 0 and -1 mean that no answer came.
    init(of httpStatus: Int64?) {
        switch httpStatus ?? 0 {
        case ...0, 408, 425, 429, 500..<600: self = .transient
        case 419: self = .refresh
        case 401, 418: self = .auth
        default: self = .permanent
        }
    }
}

extension OfflineQueue.State {
    /// Number of transient failures after which a write is parked.
    private static let mostFailures: Int64 = 8

    /// Maximum seconds before a retry, unless the server asks for a wait.
    private static let longestWaitS: Int64 = 300

    /// Returns the events that postpone a write and end the run. The eighth failure parks the write
    /// instead.
    func postponing(
        _ mutation: OfflineQueue.Mutation, httpStatus: Int64?, _ device: String,
        retryAfterS: Int64? = nil, detail: PersonalText? = nil, at now: Instant
    ) -> [OfflineQueue.Event] {
        guard mutation.failureCount + 1 < Self.mostFailures else {
            return parking(mutation, .transient, httpStatus: httpStatus, device, detail: detail)
        }
        let waitS =
            retryAfterS
            ?? min(Int64(1) << mutation.failureCount.clamped(to: 0...20), Self.longestWaitS)
        let rejected = OfflineQueue.MutationRejected(
            mutationId: mutation.mutationId, device: device, babyId: mutation.babyId,
            httpStatus: httpStatus, reason: .transient,
            notBefore: now.advanced(bySeconds: waitS), detail: detail)
        return [.step(.rejected(rejected)), finishing(.network, device, .standard)]
    }

    /// Returns the events that park a write and all later pending writes about its entry.
    func parking(
        _ mutation: OfflineQueue.Mutation, _ reason: OfflineQueue.Rejection, httpStatus: Int64?,
        _ device: String, detail: PersonalText? = nil
    ) -> [OfflineQueue.Event] {
        let rejected = OfflineQueue.MutationRejected(
            mutationId: mutation.mutationId, device: device, babyId: mutation.babyId,
            httpStatus: httpStatus, reason: reason, isParked: true, detail: detail)
        let later = pending.filter {
            $0.number > mutation.number && isSameEntry($0.entryId, mutation.entryId)
        }
        return [.step(.rejected(rejected))] + later.map { parking($0, behind: mutation, device) }
    }
}
