package import Daybook
package import DaybookLog

/// A log as OpenTelemetry traces: OTLP in JSON, with an `ExportTraceServiceRequest` on each line.
///
/// Each entity with a life cycle is a trace. Its root span lasts from the entity's first event to its
/// last; a child span is a state of the life cycle, with the events in that state as span events. The
/// span of a state that a caused commit began has a link to the entity of the causing event. Times
/// are those of the devices' clocks. Ids are digests under the log's secret, so equal logs give equal
/// ids, and nobody can find an entity's id by trying.
package struct OTLPExport {
    private let reading: ProjectionReading
    private let values: ShownValues
    private let lifecycles: [LifecycleWalk]
    /// Name of the service in the spans' resource.
    private let service: String

    /// Number of spans on a line.
    fileprivate static let spanCount = 256

    package init(
        _ reading: ProjectionReading, _ values: ShownValues, _ projections: [ProjectionDescription],
        service: String
    ) throws(LogError) {
        self.reading = reading
        self.values = values
        self.service = service
        lifecycles = try reading.lifecycles(projections, keepsEvents: true)
    }

    package func write(stage: (String) -> Void, to output: ([UInt8]) throws -> Void) throws {
        stage("causes")
        let (causes, links) = try causes()
        for lifecycle in lifecycles {
            stage(lifecycle.projection.name)
            try write(lifecycle, causes, links, to: output)
        }
    }

    /// The root span of an entity, to which a link leads.
    private struct Target {
        var projection: String
        var key: String
    }

    /// Returns the causation of the events, and the entity of each causing event. If an event is
    /// about several entities, it is the first in the order of the projections.
    private func causes() throws -> (EventCauses, [UInt64: Target]) {
        let causes = try EventCauses(reading)
        let causing = Set(causes.causes.values)
        var targets: [UInt64: Target] = [:]
        guard !causing.isEmpty else { return (causes, targets) }
        for lifecycle in lifecycles {
            let walk = lifecycle.walk
            try reading.entities.forEachRecorded(along: walk) { (event, keys) throws(LogError) in
                let position = event.position.rawValue
                if causing.contains(position), targets[position] == nil, let key = keys.first {
                    targets[position] = Target(projection: walk.projection.name, key: key)
                }
                return true
            }
        }
        return (causes, targets)
    }

    private func write(
        _ lifecycle: LifecycleWalk, _ causes: EventCauses, _ targets: [UInt64: Target],
        to output: ([UInt8]) throws -> Void
    ) throws {
        let projection = lifecycle.projection.name
        let spans = SpanWriter(service: service, projection: projection)
        try lifecycle.forEach(
            began: { _ in }, event: { _, _ in },
            phase: { phase in
                var links: [SpanWriter.Link] = []
                if let cause = causes.causes[phase.position], let target = targets[cause] {
                    links.append(
                        SpanWriter.Link(
                            traceID: traceID(target.projection, target.key),
                            spanID: rootID(target.projection, target.key), position: cause))
                }
                spans.add(
                    phase, key: values.id(phase.key), trace: traceID(projection, phase.key),
                    span: id("span", projection, phase.key, "\(phase.position)", byteCount: 8),
                    parent: rootID(projection, phase.key), links)
            },
            ended: { entity in
                spans.add(
                    entity, key: values.id(entity.key), trace: traceID(projection, entity.key),
                    span: rootID(projection, entity.key))
            },
            flush: {
                let lines = spans.takeLines()
                if !lines.isEmpty { try output(lines) }
            })
        let rest = spans.takeLines(isLast: true)
        if !rest.isEmpty { try output(rest) }
    }

    /// Returns the id of an entity's trace, 16 bytes in hexadecimal.
    private func traceID(_ projection: String, _ key: String) -> String {
        id("trace", projection, key, byteCount: 16)
    }

    /// Returns the id of the root span of an entity's trace, 8 bytes in hexadecimal.
    private func rootID(_ projection: String, _ key: String) -> String {
        id("root", projection, key, byteCount: 8)
    }

    /// Returns a digest of some texts under the log's secret, in hexadecimal.
    private func id(_ parts: String..., byteCount: Int) -> String {
        let text = parts.map { "\($0.utf8.count):\($0)" }.joined()
        return Hexadecimal.text(
            Array(reading.log.keyedDigest("otlp", of: Array(text.utf8)).prefix(byteCount)))
    }
}

/// A writer of spans, some of which share a line.
private final class SpanWriter {
    /// A link from a span to the span of the cause.
    struct Link {
        var traceID: String
        var spanID: String
        var position: UInt64
    }

    private let service: String
    private let projection: String
    /// Writes the spans of the current line; values of the log are shown before they are passed.
    private var writer = JSONWriter()
    private var count = 0
    private var lines: [UInt8] = []

    init(service: String, projection: String) {
        self.service = service
        self.projection = projection
    }

    /// Returns the complete lines since the last call; with `isLast`, also a shorter last line.
    func takeLines(isLast: Bool = false) -> [UInt8] {
        if isLast, count > 0 { endLine() }
        defer { lines = [] }
        return lines
    }

    /// Adds the span of a phase of a life cycle; the newest phase ends with its last event. Until
    /// the end of the log, a launch of a second would be a span of months.
    func add(
        _ phase: LifecyclePhase, key: String, trace: String, span: String, parent: String,
        _ links: [Link]
    ) {
        let endUs = phase.endUs ?? phase.events.map(\.timeUs).max() ?? phase.startUs
        addSpan("\(projection) \(phase.state)", trace, span, parent, phase.startUs, endUs) {
            writer in
            writer.array("attributes") { writer in
                Self.attribute("daybook.projection", projection, &writer)
                Self.attribute("daybook.key", key, &writer)
                Self.attribute("daybook.state", phase.state, &writer)
                Self.attribute("daybook.position", phase.position, &writer)
                Self.attribute("daybook.cause", phase.cause.name, &writer)
                Self.attribute("daybook.newest", phase.endUs == nil, type: "boolValue", &writer)
            }
            writer.array("events") { writer in
                for event in phase.events {
                    writer.object { writer in
                        writer.member("timeUnixNano", Self.nanoseconds(event.timeUs))
                        writer.member("name", event.kind.name)
                        writer.array("attributes") {
                            Self.attribute("daybook.position", event.position, &$0)
                        }
                    }
                }
            }
            guard !links.isEmpty else { return }
            writer.array("links") { writer in
                for link in links {
                    writer.object { writer in
                        writer.member("traceId", link.traceID)
                        writer.member("spanId", link.spanID)
                        writer.array("attributes") {
                            Self.attribute("daybook.position", link.position, &$0)
                        }
                    }
                }
            }
        }
    }

    func add(_ entity: WalkedEntity, key: String, trace: String, span: String) {
        addSpan("\(projection) \(key)", trace, span, nil, entity.startUs, entity.endUs) { writer in
            writer.array("attributes") { writer in
                Self.attribute("daybook.projection", projection, &writer)
                Self.attribute("daybook.key", key, &writer)
                Self.attribute("daybook.position", entity.position, &writer)
            }
        }
    }

    /// Adds a span, of which `rest` writes the attributes, events and links.
    private func addSpan(
        _ name: String, _ trace: String, _ span: String, _ parent: String?, _ startUs: Int64,
        _ endUs: Int64, _ rest: (inout JSONWriter) -> Void
    ) {
        writer.object { writer in
            writer.member("traceId", trace)
            writer.member("spanId", span)
            if let parent { writer.member("parentSpanId", parent) }
            writer.member("name", name)
            // SPAN_KIND_INTERNAL
            writer.member("kind", Int64(1))
            writer.member("startTimeUnixNano", Self.nanoseconds(startUs))
            writer.member("endTimeUnixNano", Self.nanoseconds(max(startUs, endUs)))
            rest(&writer)
            writer.object("status") { _ in }
        }
        count += 1
        if count == OTLPExport.spanCount { endLine() }
    }

    private func endLine() {
        var line = JSONWriter()
        line.object { line in
            line.array("resourceSpans") { line in
                line.object { line in
                    line.object("resource") { line in
                        line.array("attributes") { Self.attribute("service.name", service, &$0) }
                    }
                    line.array("scopeSpans") { line in
                        line.object { line in
                            line.object("scope") { $0.member("name", projection) }
                            line.array("spans") { $0.raw(writer.text) }
                        }
                    }
                }
            }
        }
        line.endLine()
        lines += line.bytes
        writer.clear()
        count = 0
    }

    /// Writes an attribute; `type` is the name of the value's type in OTLP.
    private static func attribute<Value: FieldValue>(
        _ key: String, _ value: Value, type: String = "stringValue", _ writer: inout JSONWriter
    ) {
        writer.object { writer in
            writer.member("key", key)
            writer.object("value") { $0.member(type, value) }
        }
    }

    /// Writes an attribute with a position as value; OTLP writes integers as texts.
    private static func attribute(_ key: String, _ position: UInt64, _ writer: inout JSONWriter) {
        attribute(key, "\(position)", type: "intValue", &writer)
    }

    /// Returns a time as nanoseconds since 1970 in decimal; 0 for an earlier time, and the largest
    /// number for a time after July 2554.
    private static func nanoseconds(_ microseconds: Int64) -> String {
        guard microseconds > 0 else { return "0" }
        let (nanoseconds, overflows) = UInt64(microseconds).multipliedReportingOverflow(by: 1_000)
        return "\(overflows ? .max : nanoseconds)"
    }
}
