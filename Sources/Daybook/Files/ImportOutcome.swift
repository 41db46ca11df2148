/// The result of an import.
public enum ImportResult: Hashable, Sendable {
    /// The import came to its end.
    case done(ImportOutcome)
    /// Nothing of the file was imported, for a reason given as a sentence.
    case refused(String)
}

/// The rows of an imported file, counted.
public struct ImportOutcome: Hashable, Sendable {
    /// The entity that the whole file became; `nil` for a file of many.
    public var entity: Tag?
    /// The entities that the parts of a file became, where it was taken apart.
    public var parts: [Tag] = []
    /// A row of the file, in messages: `row`, `point`.
    public var unit: String
    /// Number of rows in the file.
    public var rows: Int
    /// Number of rows that were recorded.
    public var accepted = 0
    /// Rows that completed or corrected what earlier files have left.
    public var changed = 0
    /// Rows that were known already.
    public var duplicates = 0
    /// The rows that were known already; a file of one entity names none.
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

    /// A row by its numbers, both from 1: among the rows, and among the lines of the file.
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

    /// Notes that a row was known already.
    public mutating func know(row: Int, line: Int) {
        duplicates += 1
        known.append(Row(row: row, line: line))
    }

    /// A row that was left out.
    public struct Rejected: Hashable, Sendable {
        /// Row number, from 1, the header not counted.
        public var row: Int
        /// Line number in the file, from 1.
        public var line: Int
        /// A stable word: `unreadableTime`.
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
        /// A stable word: `otherOuting`; `nil` for a remark that has none.
        public var code: String?
        /// The note, for people.
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
    /// `4 rows: 3 accepted, 0 changed, 1 known already, 0 rejected`.
    ///
    /// A file that is one entity changes nothing: it is new or it is known.
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

    /// The remarks, the rows known already beside new ones, and the rejected rows, as lines of
    /// messages about a file.
    ///
    /// Rows with the same message share a line, with their number and which they are.
    public func messages(about file: String) -> [String] {
        let remarks = (notes ?? []).map { ($0.line, $0.row, $0.message) }
        let known = duplicates < rows ? known.map { ($0.line, $0.row, "known already") } : []
        return messages(remarks, file) + messages(known, file)
            + messages(rejected.map { ($0.line, $0.row, $0.message) }, file)
    }

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
    /// Numbers for people, `2, 4 to 7 and 9`; at most twenty of them are named.
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
