import Daybook
import DaybookLog

struct VerifyAnswer: Answer {
    static let name = "verify"
    static let summary = "The log's integrity."

    /// True if the log is sound and contains every expected head.
    var isOK = false
    var eventCount: Int64 = 0
    var commitCount: Int64 = 0
    var head = HeadPart()
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
    var heads: [ExpectedHead]?
    /// Faults of the log, and expected heads that it lacks.
    var findings: [Verification.Finding] = []

    /// A head that the log must contain.
    struct ExpectedHead: AnswerPart {
        /// Place where the head was given: `--since`, or a file and line number.
        var source = ""
        var headAtPosition = ""
        /// Time at which the head was signed; `nil` for an unsigned head.
        var signedAt: Instant?
        /// True if the log contains the head, and the head's signature, if any, is valid.
        var isConfirmed = false

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("from", &source, "headAtPosition", &headAtPosition)
            try field("signedAt", &signedAt, "held", &isConfirmed)
        }
    }

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
    /// Creates the answer; an expected head has a finding if the log lacks it.
    init(_ result: Verification, _ heads: [(DaybookTool.ExpectedHead, Verification.Finding?)]) {
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

struct DeterminismAnswer: Answer {
    static let name = "verify.determinism"
    static let summary = "Comparison of the states under another condition, with --determinism."

    var condition = ""
    var isSame = false
    /// Number of pairs of a projection and a rule set whose states were compared.
    var comparisonCount: Int64 = 0

    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("under", &condition, "same", &isSame, "projections", &comparisonCount)
    }
}
