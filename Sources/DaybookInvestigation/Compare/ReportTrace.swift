public import Daybook
import DaybookScenarios

/// The answers of a report over some periods, as JSON lines.
///
/// The first line says what it is a trace of. Each further one is a period with its answer, or with
/// the reason why there is none.
public enum ReportTrace {
    /// The subject of a trace.
    public struct Header: Record {
        /// The version of this form.
        public var daybookReports: Int64 = 1
        public var report = ""
        public var rules = RuleSet.standard
        /// SHA-256 over the log's first commit, which identifies the log; empty for none.
        public var log = ""
        public var through: Int64 = 0
        /// The arguments of the report, but for a range of periods.
        public var with: [String: String] = [:]

        public static var blank: Self { Self() }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("daybookReports", &daybookReports)
            try field("report", &report)
            try field("rules", &rules)
            try field("log", &log)
            try field("through", &through)
            try field("with", &with)
        }
    }

    /// One period and what the report says of it.
    public struct Entry: Hashable, Sendable {
        /// `2020-03-08`; empty for a report without periods.
        public var period: String
        /// JSON by path; for a report that has no answer the reason, under `error`.
        public var leaves: [FlatFields.Leaf]

        public init(period: String, leaves: [FlatFields.Leaf]) {
            self.period = period
            self.leaves = leaves
        }

        public init(_ answer: ReportAnswer) {
            period = answer.period
            switch answer.result {
            case .success(let content): leaves = content.leaves
            case .failure(let error):
                leaves = [FlatFields.Leaf(path: "error", value: JSONWriter.text("\(error)"))]
            }
        }
    }

    /// The line of an answer.
    public static func line(_ answer: ReportAnswer) -> String {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("period", answer.period)
            switch answer.result {
            case .success(let content):
                writer.name("answer")
                writer.raw(content.json)
            case .failure(let error): writer.member("error", "\(error)")
            }
        }
        return writer.text
    }

    public static func header(_ line: [UInt8]) throws(InputError) -> Header {
        let header: Header = try TreeReader.read(
            from: try JSONParser.parse(line, line: 1), rules: .standard.ofHistory)
        guard header.daybookReports == 1 else {
            throw InputError(
                "expected a trace of reports of form 1, found \(header.daybookReports)", line: 1,
                field: "daybookReports")
        }
        return header
    }

    public static func entry(_ line: [UInt8], line number: Int) throws(InputError) -> Entry {
        let tree = try JSONParser.parse(line, line: number)
        guard case .text(let period)? = tree["period"]?.content else {
            throw InputError("expected period and answer, or period and error", line: number)
        }
        if case .text(let error)? = tree["error"]?.content {
            return Entry(
                period: period,
                leaves: [FlatFields.Leaf(path: "error", value: JSONWriter.text(error))])
        }
        guard let answer = tree["answer"], case .map = answer.content else {
            throw InputError("expected period and answer, or period and error", line: number)
        }
        return Entry(period: period, leaves: answer.leaves)
    }
}
