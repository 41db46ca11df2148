public import CivilTime
public import Domain
public import EventSourcing

/// Files of care entries as other apps write them, read row by row.
///
/// Nothing is decided here: a row becomes the entries that it is about, with its times resolved in
/// the zone and its amounts in one unit, or the reason why it cannot.
///
/// Source: the apps' own exports; Baby Buddy's import formats.
public enum CareFile {
    /// One data row.
    public struct Row: Sendable {
        /// Row number, counted from 1 after the header.
        public var row: Int
        /// Line number in the file, counted from 1.
        public var line: Int
        public var result: Result<Content, Reason>
    }

    public struct Content: Hashable, Sendable {
        /// Cells exactly as in the file.
        public var cells: [String]
        /// Activity, start, caregiver and contents, which identify the same row in a later file.
        public var identity: [String] = []
        /// The id the file gives the baby.
        public var sourceBabyId: String?
        public var caregiver: String?
        public var created: Instant?
        public var entryId: String?
        public var source: BabyCare.Source?
        public var entries: [BabyCare.ImportedEntry] = []

        init(cells: [String]) {
            self.cells = cells
        }
    }

    /// Why a row gives no entry.
    public struct Reason: Error, Hashable, Sendable, CustomStringConvertible {
        /// A stable word: `unreadableTime`.
        public var code: String
        /// The column.
        public var field: String
        public var message: String

        public init(_ code: String, _ field: String, _ message: String) {
            self.code = code
            self.field = field
            self.message = message
        }

        public var description: String { field.isEmpty ? message : "\(field): \(message)" }
    }

    /// - Parameters:
    ///   - zone: what local times are read in.
    ///   - amountUnit: of Baby Buddy's amounts, which have none.
    /// - Throws: where the file as a whole is not of the format.
    public static func read(
        _ bytes: [UInt8], as format: BabyCare.FileFormat, zone: Zone,
        amountUnit: BabyCare.AmountUnit = .ml, rules: InputRules
    ) throws(InputError) -> [Row] {
        let records = try CSVParser.parse(bytes)
        guard let header = records.first else {
            throw InputError("the file is empty; expected a header", line: 1)
        }
        let columns = try CSVColumns(header)
        let reader: any CareRowReader =
            switch format {
            case .babyConnect: BabyConnectRows()
            case .huckleberry: HuckleberryRows(columns)
            case .babyBuddy: try BabyBuddyRows(columns, amountUnit)
            case .babyAI: BabyAIRows()
            }
        try columns.require(reader.columns, format.name)
        return records.dropFirst().enumerated().map { index, record in
            Row(
                row: index + 1, line: record.line,
                result: content(of: record, columns, zone, rules, reader))
        }
    }

    private static func content(
        of record: CSVParser.Record, _ columns: CSVColumns, _ zone: Zone, _ rules: InputRules,
        _ reader: any CareRowReader
    ) -> Result<Content, Reason> {
        do throws(Reason) {
            guard record.fields.count == columns.names.count else {
                throw Reason(
                    "wrongCellCount", "",
                    "has \(record.fields.count) cells; the header has \(columns.names.count)")
            }
            var content = Content(cells: record.fields)
            let cells = CareCells(
                columns: columns, values: record.fields.map { normalised($0, rules) }, zone: zone,
                rules: rules)
            try reader.read(cells, into: &content)
            for entry in content.entries { try check(entry, reader.end) }
            return .success(content)
        } catch {
            return .failure(error)
        }
    }

    /// Texts are stored in one normal form; what is plain ASCII is in it.
    private static func normalised(_ text: String, _ rules: InputRules) -> String {
        text.utf8.allSatisfy { $0 < 0x80 } ? text : rules.normalise(text)
    }

    private static func check(
        _ entry: BabyCare.ImportedEntry, _ field: String
    ) throws(Reason) {
        guard let ended = entry.ended else { return }
        guard ended >= entry.started else {
            throw Reason("endBeforeStart", field, "is before the start")
        }
        guard ended.microseconds(since: entry.started) <= 28 * Instant.dayUs else {
            throw Reason("tooLong", field, "is more than 28 days after the start")
        }
    }
}

/// Reads the rows of one format.
protocol CareRowReader {
    /// Names of the required columns.
    var columns: [String] { get }
    /// The column that a row is rejected for where its times do not fit each other.
    var end: String { get }
    func read(_ cells: CareCells, into content: inout CareFile.Content) throws(CareFile.Reason)
}
