package import Daybook
package import DaybookLog

/// A log as a trace in the JSON format of Perfetto and of Chrome's tracing.
///
/// Each projection with a life cycle is a process, and each of its entities a thread with the states
/// of the life cycle as slices and the entity's events as instants. A further process has a thread
/// for each area, with a slice of 1 µs for each event, because arrows can only join slices: an arrow
/// leads from the event that caused a commit to the events of the commit. Times are those of the
/// devices' clocks.
package struct PerfettoExport {
    private let reading: ProjectionReading
    private let values: ShownValues
    private let lifecycles: [LifecycleWalk]

    /// Number of the process with a thread for each area.
    private static let eventsProcess: Int64 = 1
    /// Number of the first thread, greater than that of any process.
    private static let firstThread: Int64 = 1_000

    package init(
        _ reading: ProjectionReading, _ values: ShownValues, _ projections: [ProjectionDescription]
    ) throws(LogError) {
        self.reading = reading
        self.values = values
        lifecycles = try reading.lifecycles(projections, keepsEvents: false)
    }

    package func write(stage: (String) -> Void, to output: ([UInt8]) throws -> Void) throws {
        var writer = TraceWriter()
        try output(Array("{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n".utf8))
        stage("events")
        let (latestUs, areaCount) = try writeEvents(&writer, to: output)
        var thread = Self.firstThread + areaCount
        for (index, lifecycle) in lifecycles.enumerated() {
            stage(lifecycle.projection.name)
            let process = Self.eventsProcess + 1 + Int64(index)
            writer.metadata("process_name", process, nil, lifecycle.projection.name)
            writer.metadata("process_sort_index", process, nil, process)
            thread += try write(lifecycle, process, thread, until: latestUs, &writer, to: output)
        }
        // The last element has no comma after it, and every trace has this one.
        writer.metadata("process_name", Self.eventsProcess, nil, "events")
        try output(writer.takeLines(isLast: true) + Array("]}\n".utf8))
    }

    /// Writes the slices of all events, and the arrows between them; returns the latest time of an
    /// event, in microseconds since 1970, and the number of areas.
    private func writeEvents(
        _ writer: inout TraceWriter, to output: ([UInt8]) throws -> Void
    ) throws -> (latestUs: Int64, areaCount: Int64) {
        // An end of an arrow belongs to the last slice before it: the first read finds the effects.
        let causes = try EventCauses(reading)
        let effects = Dictionary(grouping: causes.causes.keys.sorted()) { causes.causes[$0] ?? 0 }
        var beginnings: Set<UInt64> = []
        var threads: [String: Int64] = [:]
        var payload = JSONWriter(answer: true, values.redaction)
        for window in reading.eventWindows {
            try reading.log.reader(.all, window).forEachInFull {
                (event, commit, personalText) throws(LogError) in
                guard reading.includes(event) else { return true }
                let area = String(event.kind.area)
                let thread = threads[area] ?? Self.firstThread + Int64(threads.count)
                if threads.updateValue(thread, forKey: area) == nil {
                    writer.metadata("thread_name", Self.eventsProcess, thread, area)
                }
                payload.clear()
                let isKnown = try values.write(
                    event, in: reading.catalogue, to: &payload, personalText)
                let timeUs = max(0, event.envelope.occurredAt.microseconds)
                let position = event.position.rawValue
                writer.event(
                    event, commit, timeUs, Self.eventsProcess, thread, values,
                    isKnown ? payload.text : nil)
                if let cause = causes.causes[position], beginnings.contains(cause) {
                    writer.flow(position, "f", Self.eventsProcess, thread, timeUs)
                }
                for effect in effects[position] ?? [] {
                    beginnings.insert(position)
                    writer.flow(effect, "s", Self.eventsProcess, thread, timeUs)
                }
                return true
            }
            try output(writer.takeLines())
        }
        return (causes.latestUs, Int64(threads.count))
    }

    /// Writes the threads of one state machine's entities, and returns their number.
    private func write(
        _ lifecycle: LifecycleWalk, _ process: Int64, _ firstThread: Int64, until latestUs: Int64,
        _ writer: inout TraceWriter, to output: ([UInt8]) throws -> Void
    ) throws -> Int64 {
        var count: Int64 = 0
        // Each closure changes the writer, so they share a box.
        let box = WriterBox(writer)
        try lifecycle.forEach(
            began: { entity in
                count += 1
                box.writer.metadata(
                    "thread_name", process, firstThread + Int64(entity.number),
                    values.id(entity.key))
            },
            event: { event, entity in
                box.writer.instant(event, process, firstThread + Int64(entity.number))
            },
            phase: { phase in
                box.writer.slice(
                    phase, lifecycle.projection.name, process, firstThread + Int64(phase.entity),
                    until: latestUs)
            },
            ended: { _ in },
            flush: { try output(box.writer.takeLines()) })
        writer = box.writer
        return count
    }
}

/// A writer that several closures share.
private final class WriterBox {
    var writer: TraceWriter

    init(_ writer: TraceWriter) { self.writer = writer }
}

/// A writer of trace events, each on a line.
private struct TraceWriter {
    /// Writes the lines; values of the log are shown before they are passed to it.
    private var writer = JSONWriter()

    /// Returns the lines since the last call, with commas between; `isLast` omits the last one.
    mutating func takeLines(isLast: Bool = false) -> [UInt8] {
        var lines: [UInt8] = []
        lines.reserveCapacity(writer.bytes.count + writer.bytes.count / 64)
        for byte in writer.bytes {
            if byte == UInt8(ascii: "\n") { lines.append(UInt8(ascii: ",")) }
            lines.append(byte)
        }
        if isLast, lines.count >= 2 { lines.remove(at: lines.count - 2) }
        writer.clear()
        return lines
    }

    /// Writes the name or the order of a process or, if given, of a thread.
    mutating func metadata(
        _ name: String, _ process: Int64, _ thread: Int64?, _ value: some FieldValue
    ) {
        line(name, "M", process, thread ?? 0, nil) { writer in
            writer.object("args") {
                $0.member(name.hasSuffix("index") ? "sort_index" : "name", value)
            }
        }
    }

    /// Writes an event as a slice of 1 µs with its commit and payload, `nil` for an unknown kind.
    mutating func event(
        _ event: RecordedEvent, _ commit: RecordedCommit, _ timeUs: Int64, _ process: Int64,
        _ thread: Int64, _ values: ShownValues, _ payload: String?
    ) {
        line(String(event.kind.stem), "X", process, thread, timeUs) { writer in
            writer.member("dur", Int64(1))
            writer.member("cat", "event")
            writer.name("args")
            writer.beginObject()
            writer.member("position", Int64(clamping: event.position.rawValue))
            writer.member("kind", event.kind.name)
            writer.member("occurredAt", Timestamp.text(event.envelope.occurredAt))
            writer.member("recordedAt", Timestamp.text(event.envelope.recordedAt))
            writer.member("tags", event.tags.map(values.tag))
            if let actor = values.actor(commit) { writer.member("actor", actor) }
            let metadata = commit.metadata
            for (name, id) in [("device", metadata.device), ("correlation", metadata.correlation)]
            where !id.isEmpty { writer.member(name, values.id(id)) }
            if let payload {
                writer.name("payload")
                writer.raw(payload)
            }
            writer.endObject()
        }
    }

    /// Writes one end of an arrow, `s` at the cause or `f` at the effect, for the slices there.
    mutating func flow(
        _ id: UInt64, _ phase: String, _ process: Int64, _ thread: Int64, _ timeUs: Int64
    ) {
        line("caused", phase, process, thread, timeUs) { writer in
            writer.member("cat", "causation")
            writer.member("id", Int64(clamping: id))
            if phase == "f" { writer.member("bp", "e") }
        }
    }

    /// Writes an event of an entity as an instant.
    mutating func instant(_ event: EntityEvent, _ process: Int64, _ thread: Int64) {
        line(String(event.kind.stem), "i", process, thread, max(0, event.timeUs)) { writer in
            writer.member("s", "t")
            writer.member("cat", "event")
            writer.object("args") { $0.member("position", Int64(clamping: event.position)) }
        }
    }

    /// Writes a phase of a life cycle as a slice; that of a newest phase ends at `latestUs`.
    mutating func slice(
        _ phase: LifecyclePhase, _ projection: String, _ process: Int64, _ thread: Int64,
        until latestUs: Int64
    ) {
        let startUs = max(0, phase.startUs)
        line(phase.state, "X", process, thread, startUs) { writer in
            writer.member("dur", max(0, (phase.endUs ?? latestUs).saturatingDifference(startUs)))
            writer.member("cat", projection)
            writer.object("args") { writer in
                writer.member("fromPosition", Int64(clamping: phase.position))
                writer.member("cause", phase.cause.name)
                writer.member("isNewest", phase.endUs == nil)
            }
        }
    }

    /// Writes an element on a line, with its time in microseconds since 1970; `nil` for metadata.
    private mutating func line(
        _ name: String, _ phase: String, _ process: Int64, _ thread: Int64, _ timeUs: Int64?,
        _ rest: (inout JSONWriter) -> Void
    ) {
        writer.object { writer in
            writer.member("name", name)
            writer.member("ph", phase)
            writer.member("pid", process)
            writer.member("tid", thread)
            if let timeUs { writer.member("ts", timeUs) }
            rest(&writer)
        }
        writer.endLine()
    }
}
