import Daybook
import DaybookLibC
import DaybookLog

/// A log as CloudEvents 1.0: an event in the JSON format on each line.
///
/// The data of an event is its payload as the export shows it. The attribute `daybookrecords` has
/// everything that the log stores about the event, so that an import gives a log with the same
/// head. The lines never show personal texts, names and places; the records have them encrypted.
package struct CloudEventsExport: Sendable {
    private let reading: ProjectionReading
    private let values: ShownValues
    /// Path of the file for the encryption keys and the log's secret; `nil` to write no keys.
    private let keyPath: String?
    private let source: String

    /// Prepares to write the events of a log; the records are left out if ids are replaced.
    ///
    /// - Parameter keyPath: file for the encryption keys and the log's secret; `nil` for none.
    package init(_ reading: ProjectionReading, _ values: ShownValues, keysTo keyPath: String?) {
        self.reading = reading
        self.values = values
        self.keyPath = keyPath
        source = CloudEvent.sourcePrefix + reading.log.id
    }

    package func write(to output: ([UInt8]) throws -> Void) throws {
        guard values.redaction?.replacesIDs != true else {
            return try write(ReadWindow(through: reading.through), nil, to: output)
        }
        try StoredRecords.forEach(of: reading.log, keysTo: keyPath) { records in
            guard !records.ofEvents.isEmpty else { return }
            let last = Position(records.first.rawValue + UInt64(records.ofEvents.count) - 1)
            try write(ReadWindow(from: records.first, through: last), records, to: output)
        }
    }

    /// Writes the lines of the events of a range; several threads render them.
    private func write(
        _ window: ReadWindow, _ records: StoredRecords?, to output: ([UInt8]) throws -> Void
    ) throws {
        var rest = window.divided(by: Self.stride)[...]
        while !rest.isEmpty {
            let next = Array(rest.prefix(min(max(1, Threads.coreCount), 8)))
            rest = rest.dropFirst(next.count)
            let parts = Threads.map(next.count) { index in
                Result { try self.lines(in: next[index], records) }
            }
            for part in parts { try output(try part.get()) }
        }
    }

    /// Number of positions whose events a thread renders at a time.
    private static let stride: UInt64 = 2_048

    /// Returns the lines of the events of a range.
    private func lines(
        in window: ReadWindow, _ records: StoredRecords?
    ) throws(LogError) -> [UInt8] {
        var lines: [UInt8] = []
        // Of one line, because writing a payload copies what was written before.
        var writer = JSONWriter(answer: true, values.redaction)
        try reading.log.reader(.all, window).forEachInFull { (event, commit, _) throws(LogError) in
            writer.beginObject()
            writeAttributes(of: event, commit, to: &writer)
            if let records {
                if event.position.rawValue == 1 {
                    writer.attribute(CloudEvent.headName, records.head.description)
                }
                let index = Int(event.position.rawValue - records.first.rawValue)
                writer.attribute(CloudEvent.recordsName, Base64.text(records.ofEvents[index]))
            }
            if reading.catalogue.events[event.kind] != nil {
                writer.attribute("datacontenttype", "application/json")
                writer.name("data")
                _ = try values.write(event, in: reading.catalogue, to: &writer) { _ in nil }
            }
            writer.endObject()
            writer.endLine()
            lines += writer.bytes
            writer.clear()
            return true
        }
        return lines
    }

    /// Writes the attributes of an event except its records.
    private func writeAttributes(
        of event: RecordedEvent, _ commit: RecordedCommit, to writer: inout JSONWriter
    ) {
        writer.attribute("specversion", CloudEvent.version)
        writer.attribute("id", "\(event.position)")
        writer.attribute("source", source)
        writer.attribute("type", event.kind.name)
        if let tag = event.tags.first { writer.attribute("subject", values.tag(tag)) }
        let envelope = event.envelope
        if let time = JSONWriter.time(envelope.occurredAt.microseconds) {
            writer.attribute("time", time)
        }
        if let time = JSONWriter.time(envelope.recordedAt.microseconds) {
            writer.attribute("recordedtime", time)
        }
        // Of 20 digits, so that the order of texts is the order of numbers.
        let position = "\(event.position)"
        let zeros = String(repeating: "0", count: 20 - position.utf8.count)
        writer.attribute("sequence", zeros + position)
        if !event.zone.isEmpty { writer.attribute("timezone", event.zone) }
        if envelope.offsetS != 0 || !event.zone.isEmpty {
            writer.name("utcoffset")
            writer.raw("\(envelope.offsetS)")
        }
        let metadata = commit.metadata
        if let actor = values.actor(commit) { writer.attribute("actor", actor) }
        if !metadata.device.isEmpty { writer.attribute("device", values.id(metadata.device)) }
        if !metadata.correlation.isEmpty {
            writer.attribute("correlationid", values.id(metadata.correlation))
        }
        if let causation = metadata.causation { writer.attribute("causationid", "\(causation)") }
    }
}

extension JSONWriter {
    /// Writes a member with a text that is shown as it is.
    fileprivate mutating func attribute(_ name: String, _ text: String) {
        self.name(name)
        raw(JSONWriter.text(text))
    }
}
