import ArgumentParser
import Daybook
import DaybookLog

/// The command `ship`, which writes new commits as segments for replicas.
struct ShipCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ship",
        abstract: "Write new commits as segments, from which 'pull' keeps a replica elsewhere.",
        discussion: """
            The folder gets what it lacks, as files that anything may copy: rsync, an object store, \
            a stick. The segments hold commits, events and people as the log stores them, and \
            personal texts, names and places encrypted, without keys. A shipment that was \
            interrupted is written again by the next command.

            --texts writes the keys to a file outside the folder, which only its owner may read. A \
            replica needs it to show texts, names and places. Whoever keeps an old copy of this \
            file can read what was erased since; an object store with versions keeps copies.
            """)

    @Argument(
        help: ArgumentHelp("Folder of the segments; created if missing.", valueName: "folder"),
        completion: .directory)
    var folder: String

    /// Path of the file for the secret and the encryption keys; `nil` to write none.
    @Option(
        help: ArgumentHelp(
            "File for the keys of texts, names and places, outside the folder. Copies of it undo "
                + "erasures.", valueName: "file"), completion: .file())
    var texts: String?

    @OptionGroup(title: "Log") var log: LogOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let log = try log.open(.read)
        let shipment = try mappingStreamErrors { () throws(StreamError) in
            try ShipmentFolder(log).ship(to: folder, keysTo: texts)
        }
        guard output.json else {
            let events = shipment.eventCount.counted("new event")
            let segments = shipment.segmentCount.counted("segment")
            Output.line("\(folder): \(events) in \(segments), \(shipment.byteCount) bytes")
            if shipment.rewrittenTextCount > 0 {
                let texts = shipment.rewrittenTextCount.counted("earlier text")
                Output.line("\(texts) written again after an erasure")
            }
            return Output.line("head \(shipment.head)")
        }
        Output.answer(ShipAnswer(folder, shipment))
    }
}

extension ShipCommand: ToolCommand {
    static var examples: [String] { ["ship segments", "ship segments --texts app.keys"] }

    static var answers: [any Answer.Type] { [ShipAnswer.self] }
}

/// Answer of `ship`.
struct ShipAnswer: Answer {
    static let name = "ship"
    static let summary = "The new segments."

    /// Path of the folder.
    var folder = ""
    /// Number of new events.
    var eventCount: Int64 = 0
    /// Number of new segments.
    var segmentCount: Int64 = 0
    /// Number of bytes of the new segments.
    var byteCount: Int64 = 0
    /// Number of earlier texts that were written again after an erasure.
    var rewrittenTextCount: Int64 = 0
    /// Head that the segments reach: its position and chain value.
    var head = HeadPart()

    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("folder", &folder, "events", &eventCount, "segments", &segmentCount)
        try field("bytes", &byteCount, "rewrittenTexts", &rewrittenTextCount)
        try head.fields(&field)
    }
}

extension ShipAnswer {
    fileprivate init(_ folder: String, _ shipment: Shipment) {
        self.init(
            folder: folder, eventCount: Int64(clamping: shipment.eventCount),
            segmentCount: Int64(shipment.segmentCount), byteCount: shipment.byteCount,
            rewrittenTextCount: Int64(shipment.rewrittenTextCount),
            head: HeadPart(shipment.head))
    }
}
