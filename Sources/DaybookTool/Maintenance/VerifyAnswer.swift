import Daybook
import DaybookLog

struct VerifyAnswer: Answer {
    static let name = "verify"
    static let summary = "The log's integrity."

    var ok = false
    var events: Int64 = 0
    var commits: Int64 = 0
    var head = HeadPart()
    var erasedTexts: Int64 = 0
    var lostTexts: Int64 = 0
    var lostPeople: Int64 = 0
    var snapshots: Int64 = 0
    var staleSnapshots: Int64 = 0
    /// Number of events of each kind that the program does not know.
    var unknownKinds: [String: Int64] = [:]
    /// Expected heads; `nil`, and left out, if no head is expected.
    var heads: [ExpectedHead]?
    var findings: [Verification.Finding] = []

    /// A head that the log must contain.
    struct ExpectedHead: Record {
        var from = ""
        var headAtPosition = ""
        var signedAt: Instant?
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
    /// - Parameter heads: expected heads, each with the finding about it; `nil` if the log has it.
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

struct DeterminismAnswer: Answer {
    static let name = "verify.determinism"
    static let summary = "Comparison of the states under another condition, with --determinism."

    var under = ""
    var same = false
    var projections: Int64 = 0

    static var blank: Self { Self() }

    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("under", &under, "same", &same, "projections", &projections)
    }
}

struct StatAnswer: Answer {
    static let name = "stat"
    static let summary = "The log in numbers."

    var id = ""
    var events: Int64 = 0
    var commits: Int64 = 0
    var head = HeadPart()
    /// Signed head; `nil`, and left out, without a key to sign with.
    var signedHead: String?
    var recordedAt: Instant?
    var fileBytes: Int64 = 0
    var freeBytes: Int64 = 0
    var mapBytes: Int64 = 0
    var formatVersion: Int64 = 0
    var indexedThrough = Position.origin
    var tags: Int64 = 0
    var keys: Int64 = 0
    var people: Int64 = 0
    var personalTexts: Int64 = 0
    var snapshots: Int64 = 0
    /// Newest position of each kind.
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
