import Daybook
import DaybookLog

struct StatAnswer: Answer {
    static let name = "stat"
    static let summary = "The log in numbers."

    /// Random id of the log, as 32 hexadecimal digits.
    var id = ""
    var eventCount: Int64 = 0
    var commitCount: Int64 = 0
    var head = HeadPart()
    var signedHead: String?
    /// Time of the newest commit; `nil` for an empty log.
    var recordedAt: Instant?
    var fileBytes: Int64 = 0
    var freeBytes: Int64 = 0
    /// Size of the memory map in bytes: the size that the file may reach before the map must grow.
    var mapBytes: Int64 = 0
    var formatVersion: Int64 = 0
    /// Last position that the indexes include.
    var indexedThrough = Position.origin
    /// Number of different tags in the log.
    var tagCount: Int64 = 0
    var keyCount: Int64 = 0
    /// Number of people in the log who are not erased.
    var personCount: Int64 = 0
    /// Number of personal texts, including erased ones.
    var personalTextCount: Int64 = 0
    var snapshotCount: Int64 = 0
    /// Position of the newest event of each event kind, by the name of the kind.
    var lastPositions: [String: Position] = [:]
    /// Reader of the oldest state; `nil`, and left out, if nobody reads an earlier state.
    var oldestReader: OldestReader?

    /// A process that reads an earlier state of the log, for which free pages are kept.
    struct OldestReader: AnswerPart {
        /// Id of the process, in its own namespace.
        var process: Int64 = 0
        /// Name of its command; `nil` if the system does not know the process.
        var command: String?
        /// Number of commits to the file since the state that it reads.
        var commitsBehind: Int64 = 0
        /// Number of bytes in free pages that are kept for it.
        var keptBytes: Int64 = 0

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
