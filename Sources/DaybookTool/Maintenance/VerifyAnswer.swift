import Daybook
import DaybookLog

/// Answer of `verify`.
struct VerifyAnswer: Answer {
    static let name = "verify"
    static let summary = "The log's integrity."

    /// True if the log is sound and contains every expected head.
    var ok = false
    /// Number of events in the log.
    var events: Int64 = 0
    /// Number of commits in the log.
    var commits: Int64 = 0
    /// Head of the log: its last position and chain value.
    var head = HeadPart()
    /// Number of personal texts that were erased.
    var erasedTexts: Int64 = 0
    /// Number of personal texts lost to damage before the log was salvaged.
    var lostTexts: Int64 = 0
    /// Number of people lost to damage before the log was salvaged.
    var lostPeople: Int64 = 0
    /// Number of snapshots that match a fold from the beginning.
    var snapshots: Int64 = 0
    /// Number of unused snapshots, which other versions of a fold made.
    var staleSnapshots: Int64 = 0
    /// Numbers of events whose kind the program does not know, by the name of the event kind.
    var unknownKinds: [String: Int64] = [:]
    /// Expected heads; `nil`, and left out, if no head is expected.
    var heads: [ExpectedHead]?
    /// Faults of the log, and expected heads that it lacks.
    var findings: [Verification.Finding] = []

    /// A head that the log must contain.
    struct ExpectedHead: Record {
        /// Place where the head was given: `--since`, or a file and line number.
        var from = ""
        /// The head as text: `POSITION:CHAIN`.
        var headAtPosition = ""
        /// Time at which the head was signed; `nil` for an unsigned head.
        var signedAt: Instant?
        /// True if the log contains the head, and the head's signature, if any, is valid.
        var held = false

        static var blank: Self { Self() }

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("from", &from, "headAtPosition", &headAtPosition)
            try field("signedAt", &signedAt, "held", &held)
        }
    }

    static var blank: Self { Self() }

    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("ok", &ok, "events", &events, "commits", &commits)
        try head.fields(&field)
        try field("erasedTexts", &erasedTexts, "lostTexts", &lostTexts)
        try field("lostPeople", &lostPeople, "snapshots", &snapshots)
        try field("staleSnapshots", &staleSnapshots, "unknownKinds", &unknownKinds)
        try field.optionalField("heads", &heads)
        try field("findings", &findings)
    }
}

extension VerifyAnswer {
    /// Creates the answer of a verification.
    ///
    /// - Parameter heads: expected heads, each with a finding if the log lacks the head, else
    ///   `nil`.
    init(
        _ result: Verification, _ heads: [(DaybookTool.ExpectedHead, Verification.Finding?)]
    ) {
        let departures = heads.compactMap(\.1)
        self.init(
            ok: result.isSound && departures.isEmpty, events: Int64(result.events),
            commits: Int64(result.commits), head: HeadPart(result.chainHead),
            erasedTexts: Int64(result.erasedTexts), lostTexts: Int64(result.lostTexts),
            lostPeople: Int64(result.lostPeople), snapshots: Int64(result.snapshots),
            staleSnapshots: Int64(result.staleSnapshots),
            findings: result.findings + departures)
        for (kind, count) in result.unknownKinds { unknownKinds[kind.name] = Int64(count) }
        guard !heads.isEmpty else { return }
        self.heads = heads.map { expected, finding in
            ExpectedHead(
                from: expected.source, headAtPosition: "\(expected.head)",
                signedAt: expected.signed?.signedAt, held: finding == nil)
        }
    }
}

/// Answer of `verify --determinism`, one for each condition.
struct DeterminismAnswer: Answer {
    static let name = "verify.determinism"
    static let summary = "Comparison of the states under another condition, with --determinism."

    /// Name of the condition, such as another hash seed.
    var under = ""
    /// True if all states are the same byte for byte.
    var same = false
    /// Number of pairs of a projection and a rule set whose states were compared.
    var projections: Int64 = 0

    static var blank: Self { Self() }

    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("under", &under, "same", &same, "projections", &projections)
    }
}

/// Answer of `stat`: size and contents of the log.
struct StatAnswer: Answer {
    static let name = "stat"
    static let summary = "The log in numbers."

    /// Random id of the log, as 32 hexadecimal digits.
    var id = ""
    /// Number of events in the log.
    var events: Int64 = 0
    /// Number of commits in the log.
    var commits: Int64 = 0
    /// Head of the log: its last position and chain value.
    var head = HeadPart()
    /// Signed head; `nil`, and left out, without a key to sign with.
    var signedHead: String?
    /// Time of the newest commit; `nil` for an empty log.
    var recordedAt: Instant?
    /// Size of the log file in bytes.
    var fileBytes: Int64 = 0
    /// Free space within the log file, in bytes.
    var freeBytes: Int64 = 0
    /// Size of the memory map in bytes: the size that the file may reach before the map must grow.
    var mapBytes: Int64 = 0
    /// Version of the log's file format.
    var formatVersion: Int64 = 0
    /// Last position that the indexes include.
    var indexedThrough = Position.origin
    /// Number of different tags in the log.
    var tags: Int64 = 0
    /// Number of idempotency keys in the log.
    var keys: Int64 = 0
    /// Number of people in the log who are not erased.
    var people: Int64 = 0
    /// Number of personal texts, including erased ones.
    var personalTexts: Int64 = 0
    /// Number of stored snapshots.
    var snapshots: Int64 = 0
    /// Position of the newest event of each event kind, by the name of the kind.
    var kinds: [String: Position] = [:]

    static var blank: Self { Self() }

    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("id", &id, "events", &events, "commits", &commits)
        try head.fields(&field)
        try field.optionalField("signedHead", &signedHead)
        try field("recordedAt", &recordedAt, "fileBytes", &fileBytes, "freeBytes", &freeBytes)
        try field("mapBytes", &mapBytes, "formatVersion", &formatVersion)
        try field("indexedThrough", &indexedThrough, "tags", &tags, "keys", &keys)
        try field("people", &people, "personalTexts", &personalTexts)
        try field("snapshots", &snapshots, "kinds", &kinds)
    }
}

extension StatAnswer {
    init(_ status: LogStatus, _ signed: SignedHead?) {
        self.init(
            id: status.id, events: Int64(status.events), commits: Int64(status.commits),
            head: HeadPart(status.chainHead), signedHead: signed.map { "\($0)" },
            recordedAt: status.recordedAt, fileBytes: Int64(status.fileBytes),
            freeBytes: Int64(status.freeBytes), mapBytes: Int64(status.mapBytes),
            formatVersion: Int64(status.formatVersion), indexedThrough: status.indexedThrough,
            tags: Int64(status.tags), keys: Int64(status.keys), people: Int64(status.people),
            personalTexts: Int64(status.personalTexts), snapshots: Int64(status.snapshots))
        for row in status.kinds { kinds[row.kind.name] = row.last }
    }
}
