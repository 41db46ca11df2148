import Daybook
import DaybookLog

/// Answer of `verify`: the contents of the log in numbers, and its faults.
struct VerifyAnswer: Answer {
    static let name = "verify"
    static let summary = "The log's integrity."

    /// True if the log is sound and contains every expected head.
    var isOK = false
    /// Number of events in the log.
    var eventCount: Int64 = 0
    /// Number of commits in the log.
    var commitCount: Int64 = 0
    /// Head of the log: its last position and chain value.
    var head = HeadPart()
    /// Number of personal texts that were erased.
    var erasedTextCount: Int64 = 0
    /// Number of personal texts lost to damage before the log was salvaged.
    var lostTextCount: Int64 = 0
    /// Number of personal texts that a replica without keys cannot read.
    var textNotHereCount: Int64 = 0
    /// Number of people whose names and texts were lost to damage before the log was salvaged.
    var lostPersonCount: Int64 = 0
    /// Number of snapshots that match a fold from the beginning.
    var snapshotCount: Int64 = 0
    /// Number of unused snapshots, which other versions of a fold made.
    var staleSnapshotCount: Int64 = 0
    /// Numbers of events whose kind the program does not know, by the name of the event kind.
    var unknownKindCounts: [String: Int64] = [:]
    /// Expected heads; `nil`, and left out, if no head is expected.
    var heads: [ExpectedHead]?
    /// Faults of the log, and expected heads that it lacks.
    var findings: [Verification.Finding] = []

    /// A head that the log must contain.
    struct ExpectedHead: Record {
        /// Place where the head was given: `--since`, or a file and line number.
        var source = ""
        /// The head as text: `POSITION:CHAIN`.
        var headAtPosition = ""
        /// Time at which the head was signed; `nil` for an unsigned head.
        var signedAt: Instant?
        /// True if the log contains the head, and the head's signature, if any, is valid.
        var isConfirmed = false

        static var blank: Self { Self() }

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("from", &source, "headAtPosition", &headAtPosition)
            try field("signedAt", &signedAt, "held", &isConfirmed)
        }
    }

    static var blank: Self { Self() }

    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("ok", &isOK, "events", &eventCount, "commits", &commitCount)
        try head.fields(&field)
        try field("erasedTexts", &erasedTextCount, "lostTexts", &lostTextCount)
        try field("textsNotHere", &textNotHereCount)
        try field("lostPeople", &lostPersonCount, "snapshots", &snapshotCount)
        try field("staleSnapshots", &staleSnapshotCount, "unknownKinds", &unknownKindCounts)
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
            isOK: result.isSound && departures.isEmpty, eventCount: Int64(result.events),
            commitCount: Int64(result.commits), head: HeadPart(result.chainHead),
            erasedTextCount: Int64(result.erasedTexts), lostTextCount: Int64(result.lostTexts),
            textNotHereCount: Int64(result.textsNotHere),
            lostPersonCount: Int64(result.lostPeople), snapshotCount: Int64(result.snapshots),
            staleSnapshotCount: Int64(result.staleSnapshots),
            findings: result.findings + departures)
        for (kind, count) in result.unknownKinds { unknownKindCounts[kind.name] = Int64(count) }
        guard !heads.isEmpty else { return }
        self.heads = heads.map { expected, finding in
            ExpectedHead(
                source: expected.source, headAtPosition: "\(expected.head)",
                signedAt: expected.signed?.signedAt, isConfirmed: finding == nil)
        }
    }
}

/// Answer of `verify --determinism`, one for each condition.
struct DeterminismAnswer: Answer {
    static let name = "verify.determinism"
    static let summary = "Comparison of the states under another condition, with --determinism."

    /// Name of the condition, such as another hash seed.
    var condition = ""
    /// True if all states are the same byte for byte.
    var isSame = false
    /// Number of pairs of a projection and a rule set whose states were compared.
    var comparisonCount: Int64 = 0

    static var blank: Self { Self() }

    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("under", &condition, "same", &isSame, "projections", &comparisonCount)
    }
}

/// Answer of `stat`: size and contents of the log.
struct StatAnswer: Answer {
    static let name = "stat"
    static let summary = "The log in numbers."

    /// Random id of the log, as 32 hexadecimal digits.
    var id = ""
    /// Number of events in the log.
    var eventCount: Int64 = 0
    /// Number of commits in the log.
    var commitCount: Int64 = 0
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
    var tagCount: Int64 = 0
    /// Number of idempotency keys in the log.
    var keyCount: Int64 = 0
    /// Number of people in the log who are not erased.
    var personCount: Int64 = 0
    /// Number of personal texts, including erased ones.
    var personalTextCount: Int64 = 0
    /// Number of stored snapshots.
    var snapshotCount: Int64 = 0
    /// Position of the newest event of each event kind, by the name of the kind.
    var lastPositions: [String: Position] = [:]
    /// Reader of the oldest state; `nil`, and left out, if nobody reads an earlier state.
    var oldestReader: OldestReader?

    static var blank: Self { Self() }

    /// A process that reads an earlier state of the log, for which free pages are kept.
    struct OldestReader: Record {
        /// Id of the process, in its own namespace.
        var process: Int64 = 0
        /// Name of its command; `nil` if the system does not know the process.
        var command: String?
        /// Number of commits to the file since the state that it reads.
        var commitsBehind: Int64 = 0
        /// Number of bytes in free pages that are kept for it.
        var keptBytes: Int64 = 0

        static var blank: Self { Self() }

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("process", &process, "command", &command)
            try field("commitsBehind", &commitsBehind, "keptBytes", &keptBytes)
        }
    }

    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("id", &id, "events", &eventCount, "commits", &commitCount)
        try head.fields(&field)
        try field.optionalField("signedHead", &signedHead)
        try field("recordedAt", &recordedAt, "fileBytes", &fileBytes, "freeBytes", &freeBytes)
        try field("mapBytes", &mapBytes, "formatVersion", &formatVersion)
        try field("indexedThrough", &indexedThrough, "tags", &tagCount, "keys", &keyCount)
        try field("people", &personCount, "personalTexts", &personalTextCount)
        try field("snapshots", &snapshotCount, "kinds", &lastPositions)
        try field.optionalField("oldestReader", &oldestReader)
    }
}

extension StatAnswer {
    init(_ status: LogStatus, _ signed: SignedHead?) {
        self.init(
            id: status.id, eventCount: Int64(status.events), commitCount: Int64(status.commits),
            head: HeadPart(status.chainHead), signedHead: signed.map { "\($0)" },
            recordedAt: status.recordedAt, fileBytes: Int64(status.fileBytes),
            freeBytes: Int64(status.freeBytes), mapBytes: Int64(status.mapBytes),
            formatVersion: Int64(status.formatVersion), indexedThrough: status.indexedThrough,
            tagCount: Int64(status.tags), keyCount: Int64(status.keys),
            personCount: Int64(status.people),
            personalTextCount: Int64(status.personalTexts), snapshotCount: Int64(status.snapshots),
            oldestReader: status.oldestReader.map { reader in
                OldestReader(
                    process: Int64(reader.processID), command: reader.commandName,
                    commitsBehind: Int64(clamping: reader.commitsBehind),
                    keptBytes: Int64(reader.keptBytes))
            })
        for row in status.kinds { lastPositions[row.kind.name] = row.last }
    }
}
