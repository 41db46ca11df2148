public import Daybook
import DaybookInput

/// The answers of a report for some periods, as JSON lines.
///
/// The first line is the header. Each further line is a period with its answer, or with the error
/// if there is no answer.
public enum ReportTrace {
    /// The first line of a trace, which describes the report and the log.
    public struct Header: Record {
        /// Version of the trace format; the key of this number marks the trace as one of a report.
        public var daybookReports: Int64 = 1
        public var report = ""
        public var rules = RuleSet.standard
        /// SHA-256 of the log's first commit, which identifies the log; empty for an empty log.
        public var logID = ""
        /// Position up to which the log was read.
        public var through: Int64 = 0
        /// Arguments of the report by name, without those that select periods.
        public var with: [String: String] = [:]

        public static var blank: Self { Self() }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("daybookReports", &daybookReports)
            try field("report", &report)
            try field("rules", &rules)
            try field("log", &logID)
            try field("through", &through)
            try field("with", &with)
        }
    }

    /// A period and the report's answer for it.
    public struct Entry: Equatable, Sendable {
        /// The period, such as `2020-03-08`; empty for a report without periods.
        public var period: String
        /// Paths and values of the answer; without an answer, the error at the path `error`.
        package var leaves: [FlatFields.Leaf]

        package init(period: String, leaves: [FlatFields.Leaf]) {
            self.period = period
            self.leaves = leaves
        }

        package init(_ answer: ReportAnswer) {
            period = answer.period
            switch answer.result {
            case .success(let content): leaves = content.leaves
            case .failure(let error):
                leaves = [FlatFields.Leaf(path: "error", value: JSONWriter.text("\(error)"))]
            }
        }
    }

    /// Returns the line of an answer: a JSON object without a line feed.
    package static func line(_ answer: ReportAnswer) -> String {
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

    /// Parses the first line of a trace; throws `InputError` unless it is a header of this version.
    public static func header(_ line: [UInt8]) throws(InputError) -> Header {
        let header: Header = try TreeReader.read(
            from: try JSONParser.parse(line, line: 1), rules: .standard.ofHistory)
        guard header.daybookReports == 1 else {
            throw InputError(
                "the trace has the format \(header.daybookReports); this program reads only "
                    + "format 1", line: 1, field: "daybookReports")
        }
        return header
    }

    /// Parses the line of a period; errors name its `number`.
    public static func entry(_ line: [UInt8], line number: Int) throws(InputError) -> Entry {
        let tree = try JSONParser.parse(line, line: number)
        guard case .text(let period)? = tree["period"]?.content else {
            throw InputError(
                "the line needs the members 'period' and 'answer', or 'period' and 'error'",
                line: number)
        }
        if case .text(let error)? = tree["error"]?.content {
            return Entry(
                period: period,
                leaves: [FlatFields.Leaf(path: "error", value: JSONWriter.text(error))])
        }
        guard let answer = tree["answer"], case .map = answer.content else {
            throw InputError(
                "the line needs the members 'period' and 'answer', or 'period' and 'error'",
                line: number)
        }
        return Entry(period: period, leaves: answer.leaves)
    }
}
