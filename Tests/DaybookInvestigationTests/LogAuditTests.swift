import Daybook
import DaybookInvestigation
import DaybookLog
import TestSupport
import Testing

/// Audits that threads take in turn, over more events than are read at once.
@Suite struct LogAuditTests {
    /// Finds each event whose number is a multiple, and the order in which it has read the events.
    private struct Multiples: Audit {
        let divisor: Int64
        /// The number at which the audit fails; `nil` for none.
        var failing: Int64?
        private let reader = KindReader<Numbered>()
        private var findings: [Finding] = []
        private var last = Position.origin
        private var isInOrder = true

        enum Numbered: EventSet {
            case noted(Note)
            static let kinds = [StoredKind(noted)]
        }

        init(_ divisor: Int64, failing: Int64? = nil) {
            self.divisor = divisor
            self.failing = failing
        }

        mutating func check(_ event: RecordedEvent) throws(FoldError) {
            isInOrder = isInOrder && event.position > last
            last = event.position
            guard case .noted(let note) = try reader.read(event) else { return }
            if note.number == failing { throw .unknownKind(event.position, event.kind) }
            guard note.number % divisor == 0 else { return }
            findings.append(
                Finding(
                    rule: "M\(divisor)", position: Int64(event.position.rawValue),
                    entity: "note:\(note.number)", expected: "", found: ""))
        }

        mutating func finish() -> AuditResult {
            AuditResult(findings: findings, notes: ["\(divisor): \(isInOrder), \(last)"])
        }
    }

    private enum Audited: Area {
        static let name = "test"
        static let events = [EventDescription(Note.self)]
        static let commands: [CommandDescription] = []
        static let projections: [ProjectionDescription] = []
        static let audits = [
            description(1_000), description(700), description(1_500, rules: 3),
        ]

        static func description(_ divisor: Int64, rules: Int = 1) -> AuditDescription {
            let rules = (0..<rules).map { AuditRule($0 == 0 ? "M\(divisor)" : "N\($0)", "A rule") }
            return AuditDescription("multiples of \(divisor)", rules) { _ in Multiples(divisor) }
        }
    }

    private enum Failing: Area {
        static let name = "test"
        static let events = [EventDescription(Note.self)]
        static let commands: [CommandDescription] = []
        static let projections: [ProjectionDescription] = []
        static let audits = [
            description(1, failing: 9_500), description(2, failing: 9_200),
            description(3, failing: 9_300),
        ]

        static func description(_ divisor: Int64, failing: Int64) -> AuditDescription {
            AuditDescription("a\(divisor)", [AuditRule("M\(divisor)", "A rule")]) { _ in
                Multiples(10_000, failing: failing)
            }
        }
    }

    private func log(_ folder: TemporaryFolder) throws -> EventLog {
        let log = try EventLog(path: folder.path("log"), access: .create)
        for thousand in 0..<10 as Range<Int64> {
            let notes = (1...1_000).map { number in
                NewEvent(
                    Note(thousand * 1_000 + number), occurredAt: Instant(microseconds: number))
            }
            _ = try log.append(AppendRequest(notes))
        }
        return log
    }

    private static let context = AuditContext(digest: { _ in 0 })

    @Test("Every audit reads all events in order, and findings come in the order of the rules")
    func results() throws {
        let folder = try TemporaryFolder()
        let reading = try ProjectionReading(try log(folder), try Catalogue([Audited.self]))
        let audit = try LogAudit(Self.context, in: reading)
        #expect(audit.eventCount == 10_000)
        let expected = [1_000, 1_500, 700].flatMap { (divisor: Int64) in
            stride(from: divisor, through: 10_000, by: Int(divisor)).map { "M\(divisor) \($0)" }
        }
        #expect(audit.result.findings.map { "\($0.rule) \($0.position)" } == expected)
        #expect(
            audit.result.notes == ["1000: true, 10000", "1500: true, 10000", "700: true, 10000"])
    }

    @Test("The first event that an audit cannot read ends the audits, whichever audit it is")
    func failure() throws {
        let folder = try TemporaryFolder()
        let reading = try ProjectionReading(try log(folder), try Catalogue([Failing.self]))
        #expect(throws: LogError.fold(.unknownKind(Position(9_200), Note.kind))) {
            try LogAudit(Self.context, in: reading)
        }
    }
}
