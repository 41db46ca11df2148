public import Daybook

/// Events to append as one commit.
public struct AppendRequest: Sendable {
    /// The events, in order.
    public var events: [NewEvent]
    /// The actor, device, correlation and causation of the commit.
    public var metadata: CommitMetadata
    /// The conditions that must all hold; otherwise nothing is appended.
    public var conditions: [AppendCondition]
    /// The idempotency key with the request that it identifies; `nil` if appending the same
    /// request twice is allowed.
    public var idempotency: Idempotency?
    /// True if the events were decided when the idempotency key was not in the log.
    ///
    /// If another commit has used the key before the append, the append throws `.conflict`, so that
    /// the caller decides again and gets the receipt of that commit.
    var expectsNewKey = false
    /// The digest of the idempotency key; `nil` if it was not computed yet.
    var keyDigest: [UInt8]?

    /// An idempotency key with the request that it identifies.
    public typealias Idempotency = CommandKey

    /// Creates a request, by default without conditions and without an idempotency key.
    public init(
        _ events: [NewEvent], metadata: CommitMetadata = CommitMetadata(),
        conditions: [AppendCondition] = [], idempotency: Idempotency? = nil
    ) {
        self.events = events
        self.metadata = metadata
        self.conditions = conditions
        self.idempotency = idempotency
    }
}

/// The positions and time of an appended commit.
public struct Receipt: Hashable, Sendable {
    /// The position of the first event.
    public var first: Position
    /// The position of the last event.
    public var last: Position
    /// The recording time of the commit.
    public var recordedAt: Instant
    /// True if an earlier commit has the same idempotency key and request.
    ///
    /// The receipt is then that of the earlier commit, and nothing was appended now.
    public var isRepeated: Bool
}

/// The error of one of several requests; none of the requests of the same call was appended.
public struct BatchError: Error, Hashable, Sendable {
    /// The index of the failed request in the call, from 0.
    public var index: Int
    /// The reason why the request was not appended.
    public var error: AppendError

    /// Creates the error of the request with an index.
    public init(index: Int, error: AppendError) {
        self.index = index
        self.error = error
    }
}
