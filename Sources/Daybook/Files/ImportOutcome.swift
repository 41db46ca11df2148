/// The result of an import.
public enum ImportResult: Hashable, Sendable {
    /// The file was imported, although some of its rows may have been rejected.
    case done(ImportOutcome)
    /// The whole file was refused, for a reason given as a sentence.
    case refused(String)
}

/// The counts of an import, with its remarks and rejected rows.
public struct ImportOutcome: Hashable, Sendable {
    /// The tag of the entity that the file was recorded as; `nil` if it is not exactly one entity.
    public var entity: Tag?
    /// The tags of the entities into which the file was split; empty if it was not split.
    public var parts: [Tag] = []
    /// The word for a row of the file in messages: `row` or `point`.
    public var unit: String
    /// Number of rows in the file.
    public var rows: Int
    /// Number of rows that were recorded.
    public var accepted = 0
    /// Number of rows that completed or corrected an entity from an earlier import.
    public var changed = 0
    /// Number of rows that added nothing, because the log contained their facts already.
    public var duplicates = 0
    /// The rows that added nothing; empty if the file was recorded as one entity.
    public var known: [Row] = []
    /// The rows that were not recorded, each with the reason.
    public var rejected: [Row] = []
    /// Remarks on rows that were accepted; `nil` if the format never makes remarks.
    public var notes: [Row]?

    public init(rows: Int, unit: String = "row", entity: Tag? = nil, notes: [Row]? = nil) {
        self.rows = rows
        self.unit = unit
        self.entity = entity
        self.notes = notes
    }

    /// Adds a row whose facts the log contained already to `known` and to the count of duplicates.
    public mutating func addKnown(row: Int, line: Int) {
        duplicates += 1
        known.append(Row(row: row, line: line, message: "known already"))
    }

    /// A row of the file, with a remark or the reason why it was not recorded.
    public struct Row: Hashable, Sendable {
        /// Number of the row, counted from 1 without the header.
        public var row: Int
        /// Number of the row's line in the file, counted from 1.
        public var line: Int
        /// The remark or reason as a stable word for programs, such as `unreadableTime`; `nil` if
        /// it has none.
        public var code: String?
        /// The remark or reason as a text for people.
        public var message: String

        public init(row: Int, line: Int, code: String? = nil, message: String) {
            self.row = row
            self.line = line
            self.code = code
            self.message = message
        }
    }

    /// The counts for people: `4 rows: 3 accepted, 0 changed, 1 known already, 0 rejected`.
    ///
    /// If a file is one entity, or was split by entity, the text begins with the noun and the ids.
    /// It then omits the count of changed rows, because such a file changes no earlier entity.
    public var summary: String {
        let counts =
            ["\(accepted) accepted"]
            + (entity == nil && parts.isEmpty ? ["\(changed) changed"] : [])
            + ["\(duplicates) known already", "\(rejected.count) rejected"]
        let subject: String
        if let first = parts.first {
            let ids = parts.map { String($0.id) }.joined(separator: ", ")
            subject = "\(parts.count.counted(String(first.noun))) (\(ids)): "
        } else {
            subject = entity.map { "\($0.noun) \($0.id): " } ?? ""
        }
        return "\(subject)\(rows.counted(unit)): \(counts.joined(separator: ", "))"
    }

    /// Returns lines for people about remarks, rows that the log knew already, and rejected rows.
    ///
    /// Each line begins with the name of the file. Rows with the same message share a line, which
    /// gives their count and row numbers. If the log knew every row already, the known rows are not
    /// listed.
    public func messages(about file: String) -> [String] {
        let known = duplicates < rows ? known : []
        return messages(notes ?? [], file) + messages(known, file) + messages(rejected, file)
    }

    /// Returns a line for each different message among the remarks, in the order of first use.
    private func messages(_ remarks: [Row], _ file: String) -> [String] {
        var rows: [String: [(line: Int, row: Int)]] = [:]
        var order: [String] = []
        for remark in remarks {
            if rows[remark.message] == nil { order.append(remark.message) }
            rows[remark.message, default: []].append((remark.line, remark.row))
        }
        return order.map { message in
            let found = rows[message] ?? []
            let line = found.first?.line ?? 0
            guard found.count > 1 else {
                return "\(file):\(line): \(unit) \(found.first?.row ?? 0): \(message)"
            }
            return "\(file):\(line): \(found.count.counted(unit)): \(message): "
                + "\(unit)s \(found.map(\.row).asRanges)"
        }
    }
}

extension [Int] {
    /// The numbers as text: `2, 4 to 7 and 9`; after 20 ranges, an ellipsis.
    package var asRanges: String {
        var ranges: [ClosedRange<Int>] = []
        for number in sorted() {
            if let last = ranges.last, number <= last.upperBound + 1 {
                ranges[ranges.count - 1] = last.lowerBound...Swift.max(last.upperBound, number)
            } else {
                ranges.append(number...number)
            }
        }
        var texts = ranges.prefix(20).flatMap { range in
            range.count > 2 ? ["\(range.lowerBound) to \(range.upperBound)"] : range.map { "\($0)" }
        }
        if ranges.count > 20 { texts.append("…") }
        guard let last = texts.popLast() else { return "" }
        return texts.isEmpty ? last : texts.joined(separator: ", ") + " and " + last
    }
}
