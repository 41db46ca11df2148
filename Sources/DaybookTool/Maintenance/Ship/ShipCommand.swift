import ArgumentParser
import Daybook
import DaybookLog

/// The command `ship`, which writes new commits as segments for replicas.
struct ShipCommand: ToolCommand {
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
        help: .text("Folder of the segments; created if missing.", "folder"),
        completion: .directory)
    var folder: String

    @Option(
        help: .text(
            "File for the keys of texts, names and places, outside the folder. Copies of it undo "
                + "erasures.", "file"), completion: .file())
    var texts: String?

    @OptionGroup(title: "Log") var log: LogOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let log = try log.open(.read)
        let shipment = try mappingLogErrors { () throws(LogError) in
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

    static var examples: [String] { ["ship segments", "ship segments --texts app.keys"] }

    static var answers: [any Answer.Type] { [ShipAnswer.self] }
}

struct ShipAnswer: Answer {
    static let name = "ship"
    static let summary = "The new segments."

    var folder = ""
    var eventCount: Int64 = 0
    var segmentCount: Int64 = 0
    var byteCount: Int64 = 0
    /// Number of earlier texts that were written again after an erasure.
    var rewrittenTextCount: Int64 = 0
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
            rewrittenTextCount: Int64(shipment.rewrittenTextCount), head: HeadPart(shipment.head))
    }
}
