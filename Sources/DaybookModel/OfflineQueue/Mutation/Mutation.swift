import Daybook

extension OfflineQueue {
    /// The kinds of writes that can be queued: `event_create_closed`, `event_start` and so on in
    /// the original app (S4).
    enum MutationKind: UInt8, StoredEnum {
        /// Creates an entry that has already ended.
        case createClosed
        /// Creates an entry that is in progress.
        case start
        /// Ends an entry.
        case complete
        /// Changes an entry.
        case update
        case cancel
        /// A kind that this version does not know; queued only under `rules: source`.
        case other

        /// True if the write creates its entry; all other writes about the entry depend on it.
        var makesEntry: Bool { self == .createClosed || self == .start }

        /// Parses the app's name for a kind of write, such as `event_create_closed` or
        /// `createClosed`.
        init(writtenAs text: String) {
            switch text.trimmed.lowercased().filter(\.isLetter) {
            case "eventcreateclosed", "createclosed": self = .createClosed
            case "eventstart", "start": self = .start
            case "eventcomplete", "complete": self = .complete
            case "eventupdate", "update": self = .update
            case "eventcancel", "cancel": self = .cancel
            default: self = .other
            }
        }
    }

    /// The status of a write, from queueing to its end.
    enum MutationStatus: UInt8, StoredEnum {
        /// Waits to be sent.
        case pending
        /// Sent, and the answer is awaited.
        case sent
        /// Rejected for good, or blocked by a rejected write about the same entry; a person must
        /// decide.
        case parked
        /// Accepted by the server.
        case acknowledged
        /// Given up by a person, never sent again.
        case dropped
        /// Never sent, because its entry was created and cancelled before any write was sent.
        case compacted
    }

    /// A write of the app in the queue.
    struct Mutation: PlainRecord {
        var mutationId = ""
        var number: Int64 = 0
        var kind = MutationKind.createClosed
        var entryId = ""
        var babyId = ""
        /// User who owns the write; `nil` until a user is signed in.
        var userId: String?
        var status = MutationStatus.pending
        /// Time at which the write was queued.
        var queued = Instant.epoch
        var dependsOn: String?
        /// True once an attempt was sent, including an attempt before queueing.
        var wasSent = false
        /// Number of attempts to send the write from the queue.
        var attemptCount: Int64 = 0
        /// Number of transient failures since the write was queued or last retried.
        var failureCount: Int64 = 0
        var notBefore: Instant?
        /// True while the write waits for its user to sign in.
        var awaitsSignIn = false
        /// True while the write waits for a token refresh.
        var awaitsRefresh = false
        /// Number of the last attempt that was repeated after a token refresh.
        var refreshedAttempt: Int64 = 0
        /// Status of the last answer; `nil` if no answer came.
        var httpStatus: Int64?
        /// Reason why the write was last rejected; `nil` if it was never rejected, or finally
        /// accepted.
        var rejection: Rejection?
        /// Id of the parked write about the same entry that blocks this write; `nil` for none.
        var blockedBy: String?
        /// Time of the first rejection; `nil` once the server has accepted the write.
        var failingSince: Instant?
        var remoteId: String?
        /// Hash of the body of the request, as given by the app.
        var payloadDigest = Digest.blank
        /// Token family and generation of the access token in the last attempt, such as `f1-g3`.
        var token = ""
        static var elementKey: String? { "mutationId" }
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field.unlessBlank("mutationId", &mutationId)
            try field("number", &number)
            try field("kind", &kind, isSet: queued != .epoch)
            try field.unlessBlank("entryId", &entryId)
            try field.unlessBlank("babyId", &babyId)
            try field("userId", &userId)
            // The event that queues the write leaves the status of a blank state.
            try field("status", &status, isSet: queued != .epoch)
            try field.unlessBlank("queued", &queued)
            try field("dependsOn", &dependsOn)
            try field("wasSent", &wasSent, "attempts", &attemptCount, "failures", &failureCount)
            try field("notBefore", &notBefore, "awaitsSignIn", &awaitsSignIn)
            try field("awaitsRefresh", &awaitsRefresh, "refreshedAttempt", &refreshedAttempt)
            try field("httpStatus", &httpStatus, "rejection", &rejection, "blockedBy", &blockedBy)
            try field("failingSince", &failingSince, "remoteId", &remoteId)
            try field.unlessBlank("payloadDigest", &payloadDigest)
            try field.internalField("token", &token)
        }
    }

    /// The projection of one write, from the events that are about this write.
    enum MutationHistory: Projection {
        enum Event: EventSet {
            case queued(MutationQueued), dispatched(MutationDispatched)
            case acknowledged(MutationAcknowledged), rejected(MutationRejected)
            case retried(MutationRetried), dropped(MutationDropped), compacted(MutationsCompacted)

            static let kinds = [
                StoredKind(queued), StoredKind(dispatched), StoredKind(acknowledged),
                StoredKind(rejected), StoredKind(retried), StoredKind(dropped),
                StoredKind(compacted),
            ]
        }

        static let lifecycle = Lifecycle<MutationStatus>(
            "mutation", field: "status",
            [
                .begins(MutationQueued.self, .pending),
                .step(MutationDispatched.self, from: .pending, .sent, to: .sent),
                .step(MutationAcknowledged.self, from: .pending, .sent, .parked, to: .acknowledged),
                .step(MutationRejected.self, from: .pending, .sent, to: .pending, .parked),
                .step(MutationRetried.self, from: .parked, to: .pending),
                .step(MutationDropped.self, from: .parked, to: .dropped),
                .step(MutationsCompacted.self, from: .pending, to: .compacted),
            ])

        static func evolve(_ state: inout Mutation, with event: Event, _ envelope: Envelope) {
            switch event {
            case .queued(let queued): state.apply(queued, at: envelope.occurredAt)
            case .dispatched(let dispatched): state.apply(dispatched)
            case .acknowledged(let answer): state.apply(answer)
            case .rejected(let answer): state.apply(answer, at: envelope.occurredAt)
            case .retried: state.retry()
            case .dropped: state.status = .dropped
            case .compacted: state.status = .compacted
            }
        }
    }
}

extension OfflineQueue.Mutation {
    mutating func apply(_ queued: OfflineQueue.MutationQueued, at time: Instant) {
        // A second event of the same id changes nothing; the audit reports it.
        guard mutationId.isEmpty else { return }
        mutationId = queued.mutationId
        number = queued.number
        kind = queued.kind
        entryId = queued.entryId
        babyId = queued.babyId
        userId = queued.userId
        self.queued = time
        dependsOn = queued.dependsOn
        wasSent = queued.wasSent
        payloadDigest = queued.payloadDigest
    }

    mutating func apply(_ dispatched: OfflineQueue.MutationDispatched) {
        status = .sent
        wasSent = true
        attemptCount = dispatched.attempt
        userId = dispatched.userId ?? userId
        if awaitsRefresh { refreshedAttempt = dispatched.attempt }
        (awaitsSignIn, awaitsRefresh) = (false, false)
        notBefore = nil
        token = dispatched.token
    }

    mutating func apply(_ answer: OfflineQueue.MutationAcknowledged) {
        status = .acknowledged
        httpStatus = answer.httpStatus
        remoteId = answer.remoteId
        rejection = nil
        blockedBy = nil
        notBefore = nil
        failingSince = nil
        (awaitsSignIn, awaitsRefresh) = (false, false)
    }

    mutating func apply(_ answer: OfflineQueue.MutationRejected, at time: Instant) {
        status = answer.isParked ? .parked : .pending
        httpStatus = answer.httpStatus
        rejection = answer.reason
        blockedBy = answer.blockedBy
        notBefore = answer.notBefore
        awaitsSignIn = answer.reason == .auth && !answer.isParked
        awaitsRefresh = answer.reason == .refresh
        if answer.reason == .transient { failureCount += 1 }
        failingSince = failingSince ?? time
    }

    /// Makes a parked write pending again, and resets its count of failures.
    mutating func retry() {
        status = .pending
        failureCount = 0
        notBefore = nil
        blockedBy = nil
        awaitsRefresh = false
    }
}
