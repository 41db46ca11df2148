package import Daybook

/// A comparison of two traces of a report, by periods and fields.
public struct ReportComparison: Sendable {
    /// A period whose answers differ.
    public struct Divergence: Sendable {
        /// The period, such as `2020-03-08`; empty for a report without periods.
        public var period: String
        /// The changes from the first trace to the second.
        package var changes: [FieldChange]
        /// The trace that has the period, or `both`.
        public var presence: TraceComparison.Presence
    }

    /// All differences in one field, for all elements of lists and all keys of maps.
    public struct Field: Sendable {
        /// Path without element indices and map keys: `days[].sleepSumS`.
        public var generalPath: String
        package var differences: [(period: String, change: FieldChange)]
    }

    private let expectations: [TraceComparison.Expectation]
    private let report: String
    /// Paths of fields that only describe the basis of an answer, and are not compared.
    private let ignoredPaths: Set<String>
    private let answerFields: [FieldDescription]
    /// Paths of the fields that are maps, without element indices and map keys.
    private let pathsOfMaps: Set<String>
    private let keyedLists: KeyedLists
    /// The periods whose answers differ, in the order of the traces.
    public private(set) var divergences: [Divergence] = []
    /// Periods with expected differences, by the reason that the expectation gives.
    public private(set) var expectedPeriodsByReason: [String: Set<String>] = [:]
    /// The number of periods that at least one trace has.
    public private(set) var periodCount = 0

    /// Creates a comparison.
    ///
    /// - Parameters:
    ///   - expectations: expected differences; `key` is a period, and `kind` the name of the
    ///     report.
    ///   - ignored: fields that only describe the basis of an answer.
    package init(
        expecting expectations: [TraceComparison.Expectation] = [], of report: String,
        ignoring ignored: Set<String> = [], over fields: [FieldDescription] = []
    ) {
        self.expectations = expectations
        self.report = report
        ignoredPaths = ignored
        answerFields = fields
        pathsOfMaps = TraceComparison.mapPaths(fields, "")
        keyedLists = KeyedLists(fields)
    }

    /// Compares the entries of two traces, period by period.
    public mutating func compare(_ first: [ReportTrace.Entry], _ second: [ReportTrace.Entry]) {
        var others = Dictionary(
            second.map { ($0.period, $0) }, uniquingKeysWith: { first, _ in first })
        for entry in first { compare(entry, others.removeValue(forKey: entry.period)) }
        for entry in second where others.removeValue(forKey: entry.period) != nil {
            compare(nil, entry)
        }
    }

    /// Compares the two answers for one period, and stores their differences. The entry of a trace
    /// without the period is `nil`.
    private mutating func compare(_ first: ReportTrace.Entry?, _ second: ReportTrace.Entry?) {
        guard let period = first?.period ?? second?.period else { return }
        periodCount += 1
        var changes: [FieldChange] = []
        for change in self.changes(first?.leaves ?? [], second?.leaves ?? []) {
            if let rule = expectations.first(where: { $0.covers(change, period, report) }) {
                expectedPeriodsByReason[rule.reason, default: []].insert(period)
            } else {
                changes.append(change)
            }
        }
        guard !changes.isEmpty else { return }
        let presence: TraceComparison.Presence =
            second == nil ? .first : first == nil ? .second : .both
        divergences.append(Divergence(period: period, changes: changes, presence: presence))
    }

    /// Returns the differences in a period; `nil` if its two answers do not differ.
    public func divergence(of period: String) -> Divergence? {
        divergences.first { $0.period == period }
    }

    /// Returns the fields in which two answers differ, including expected differences.
    package func changes(_ first: [FlatFields.Leaf], _ second: [FlatFields.Leaf]) -> [FieldChange] {
        let leaves = [first, second].map { $0.filter { !ignoredPaths.contains($0.path) } }
        return FieldChange.between(leaves[0], leaves[1], keyedLists).withoutEmptied.map { change in
            var change = change
            // A trace that was read from a file does not mark which values are points in time.
            change.isMoment = answerFields.hasMoment(at: change.path)
            return change
        }
    }

    /// The differences grouped by field; the field that differs in the most periods comes first.
    ///
    /// Fields whose differences are all between no value and an empty value come last (see
    /// `isMissingVersusEmpty`). A list element that was added or removed counts as one difference.
    public var fields: [Field] {
        var differences: [String: [(period: String, change: FieldChange)]] = [:]
        for divergence in divergences {
            for change in divergence.changes.withWholeElements {
                differences[change.path.generalized(pathsOfMaps), default: []]
                    .append((divergence.period, change))
            }
        }
        return differences.map { Field(generalPath: $0.key, differences: $0.value) }
            .sorted { a, b in
                guard a.isMissingVersusEmpty == b.isMissingVersusEmpty else {
                    return b.isMissingVersusEmpty
                }
                return (b.periodCount, a.generalPath) < (a.periodCount, b.generalPath)
            }
    }
}

extension ReportComparison.Field {
    public var periodCount: Int { Set(differences.map(\.period)).count }

    /// True if, in each difference, one side is missing or null and the other is an empty value (0,
    /// `[]`, `{}` or null).
    public var isMissingVersusEmpty: Bool {
        differences.allSatisfy { $0.change.isMissingVersusEmpty }
    }

    /// The differences of the field; those between no value and an empty value come last.
    package var examples: [(period: String, change: FieldChange)] {
        differences.filter { !$0.change.isMissingVersusEmpty }
            + differences.filter { $0.change.isMissingVersusEmpty }
    }
}

extension FieldChange {
    fileprivate var isMissingVersusEmpty: Bool {
        let sides = Set([before, after].map { $0 ?? "null" })
        return sides.isSubset(of: ["null", "0", "[]", "{}"]) && sides.contains("null")
    }
}
