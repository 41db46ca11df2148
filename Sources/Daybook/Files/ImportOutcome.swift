/// The result of an import.
public enum ImportResult: Hashable, Sendable {
    /// The file was imported, perhaps with rejected rows.
    case done(ImportOutcome)
    /// The whole file was refused; the text is the reason, as a sentence.
    case refused(String)
}

/// The counts of an import, with its remarks and rejected rows.
public struct ImportOutcome: Hashable, Sendable {
    /// The entity that the whole file was recorded as; `nil` for a file of many entities.
    public var entity: Tag?
    /// The entities that the parts of a split file were recorded as; empty if it was not split.
    public var parts: [Tag] = []
    /// The word for a row in messages: `row`, `point`.
    public var unit: String
    /// Number of rows in the file.
    public var rows: Int
    /// Number of rows that were recorded.
    public var accepted = 0
    /// Number of rows that completed or corrected an entity of an earlier import.
    public var changed = 0
    /// Number of rows that had been imported before.
    public var duplicates = 0
    /// The rows that had been imported before; empty for a file that is one entity.
    public var known: [Row] = []
    /// Rows that were not recorded, with the reason.
    public var rejected: [Rejected] = []
    /// Remarks on rows that were accepted; `nil` for a format without such remarks.
    public var notes: [Note]?

    public init(rows: Int, unit: String = "row", entity: Tag? = nil, notes: [Note]? = nil) {
        self.rows = rows
        self.unit = unit
        self.entity = entity
        self.notes = notes
    }

    /// The place of a row in the file.
    public struct Row: Hashable, Sendable {
        /// Number of the row, from 1.
        public var row: Int
        /// Number of its line in the file, from 1.
        public var line: Int

        public init(row: Int, line: Int) {
            self.row = row
            self.line = line
        }
    }

    /// Counts and lists a row that had been imported before.
    public mutating func addKnown(row: Int, line: Int) {
        duplicates += 1
        known.append(Row(row: row, line: line))
    }

    /// A row that was not recorded.
    public struct Rejected: Hashable, Sendable {
        /// Row number, from 1, the header not counted.
        public var row: Int
        /// Line number in the file, from 1.
        public var line: Int
        /// A stable word for programs: `unreadableTime`.
        public var code: String
        /// The reason, for people.
        public var message: String

        public init(row: Int, line: Int, code: String, message: String) {
            self.row = row
            self.line = line
            self.code = code
            self.message = message
        }
    }

    /// A remark on a row.
    public struct Note: Hashable, Sendable {
        /// Number of the row, from 1.
        public var row: Int
        /// Number of its line in the file, from 1.
        public var line: Int
        /// A stable word for programs, such as `otherOuting`; `nil` for a remark without a code.
        public var code: String?
        /// The remark, for people.
        public var message: String

        public init(row: Int, line: Int, code: String? = nil, message: String) {
            self.row = row
            self.line = line
            self.code = code
            self.message = message
        }
    }
}

extension ImportOutcome {
    /// The counts, for people: `4 rows: 3 accepted, 0 changed, 1 known already, 0 rejected`.
    ///
    /// For a file that is one entity, or was split into entities, the entities come first, and
    /// `changed` is left out because such a file is only new or known.
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

    /// Returns a line for each remark, known row and rejected row, beginning with the file's name.
    ///
    /// Rows with the same message share a line, which gives their count and row numbers. If every
    /// row was known already, the known rows are not listed.
    public func messages(about file: String) -> [String] {
        let remarks = (notes ?? []).map { ($0.line, $0.row, $0.message) }
        let known = duplicates < rows ? known.map { ($0.line, $0.row, "known already") } : []
        return messages(remarks, file) + messages(known, file)
            + messages(rejected.map { ($0.line, $0.row, $0.message) }, file)
    }

    /// Returns the lines for remarks of one sort, with equal messages joined.
    private func messages(
        _ remarks: [(line: Int, row: Int, message: String)], _ file: String
    ) -> [String] {
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
    /// The numbers as text for people: `2, 4 to 7 and 9`.
    ///
    /// Of more than 20 ranges, the first 20 and an ellipsis are shown.
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
            range.count > 2
                ? ["\(range.lowerBound) to \(range.upperBound)"] : range.map { "\($0)" }
        }
        if ranges.count > 20 { texts.append("…") }
        guard let last = texts.popLast() else { return "" }
        return texts.isEmpty ? last : texts.joined(separator: ", ") + " and " + last
    }
}
