public import Daybook
import DaybookLibC
public import DaybookLog

/// A check of a log against the rules of a catalogue's audits.
public struct LogAudit: Sendable {
    /// The findings, in the order of the rules.
    public let result: AuditResult
    public let rules: [AuditRule]
    public let eventCount: Int64

    public init(_ context: AuditContext, in reading: ProjectionReading) throws(LogError) {
        let audits = reading.catalogue.audits.values.sorted { $0.name < $1.name }
        let walk = AuditWalk(audits, context)
        try walk.readAhead(reading)
        eventCount = try walk.readAll(reading)
        rules = audits.flatMap(\.rules)
        result = AuditResult(joining: walk.finish(), inOrderOf: rules)
    }
}
