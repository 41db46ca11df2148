public import Daybook
public import DaybookModel

/// Reads files of care entries that other apps export, row by row.
///
/// Reading makes no decisions: a row becomes entries with resolved times and amounts in the stored
/// units, or a reason for its rejection.
///
/// Source: the exports of the apps, and Baby Buddy's import formats.
public enum CareFile {
    /// One data row.
    public struct Row: Sendable {
        /// Row number, counted from 1; the header is not counted.
        public var row: Int
        /// Line number in the file, counted from 1.
        public var line: Int
        /// The content of a readable row, or the reason for its rejection.
        public var result: Result<Content, Reason>
        /// Remark about a readable row, such as a guessed date order; `nil` for none.
        public var remark: String?
    }

    /// Settings that a file does not contain.
    public struct Settings: Hashable, Sendable {
        /// Unit of amounts without a unit.
        public var amountUnit = BabyCare.AmountUnit.ml
        /// Order of month and day in dates like 4/3/26; `nil` to infer it from the file.
        public var dateOrder: DateOrder?
        /// Name of the file, which holds information for some formats; empty if unknown.
        public var fileName = ""

        public init() {}
    }

    /// The order of the numbers in a date like 4/3/26.
    public enum DateOrder: String, Hashable, Sendable, CaseIterable {
        /// Month, day, year.
        case monthFirst = "mdy"
        /// Day, month, year.
        case dayFirst = "dmy"
    }

    /// The rows of a file, with the settings that they were read with.
    public struct Reading: Sendable {
        /// One element for each data row, in file order.
        public var rows: [Row]
        /// Settings that determine the meaning of cells, as text: zone, unit, date order.
        public var context: String
    }

    /// The content of one row: its entries, and the cells that identify the row in other files.
    public struct Content: Hashable, Sendable {
        /// Cells that distinguish the row from other rows.
        ///
        /// These are all cells, or, in formats with varying columns, the non-empty cells with
        /// column names.
        public var cells: [String]
        /// Cells that identify a changed row in a later file: activity, start, caregiver and
        /// contents.
        public var identity: [String] = []
        /// Id of the baby in the file; `nil` if the file has no ids.
        public var sourceBabyId: String?
        /// Name that identifies the baby in a file without ids.
        public var childName: String?
        /// Birth date, in a row about the baby itself.
        public var birthDate: String?
        /// Name or user id of the person who recorded the row; `nil` if the row names nobody.
        public var caregiver: String?
        /// Time at which the row was recorded in the app; `nil` if the file does not say.
        public var created: Instant?
        /// Id of the entry in the file; `nil` if the format has no ids.
        public var entryId: String?
        /// How the entry was recorded, as the file says; `nil` if it does not.
        public var source: BabyCare.Source?
        /// Entries of the row; empty for a row about the baby itself.
        public var entries: [BabyCare.ImportedEntry] = []

        /// Creates the content of a row without entries.
        init(cells: [String]) {
            self.cells = cells
        }
    }

    /// The reason why a row is rejected.
    public struct Reason: Error, Hashable, Sendable, CustomStringConvertible {
        /// Stable code of the reason: `unreadableTime`.
        public var code: String
        /// Name of the column; empty if the whole row is wrong.
        public var field: String
        /// Description of the error without the column name.
        public var message: String

        public init(_ code: String, _ field: String, _ message: String) {
            self.code = code
            self.field = field
            self.message = message
        }

        public var description: String { field.isEmpty ? message : "\(field): \(message)" }
    }

    /// Reads the rows of a file.
    ///
    /// - Parameters:
    ///   - zone: the zone of local times.
    ///   - amountUnit: the unit of Baby Buddy's amounts, which have no unit.
    /// - Throws: an error if the file as a whole does not have the format.
    public static func read(
        _ bytes: [UInt8], as format: BabyCare.FileFormat, zone: Zone,
        amountUnit: BabyCare.AmountUnit = .ml, rules: InputRules
    ) throws(InputError) -> [Row] {
        var settings = Settings()
        settings.amountUnit = amountUnit
        return try read(bytes, as: format, zone: zone, settings, rules: rules).rows
    }

    /// Reads the rows of a file with further settings.
    ///
    /// - Throws: an error if the file as a whole does not have the format.
    public static func read(
        _ bytes: [UInt8], as format: BabyCare.FileFormat, zone: Zone, _ settings: Settings,
        rules: InputRules
    ) throws(InputError) -> Reading {
        let (records, isEscaped) = try CareRecords.parse(bytes, as: format)
        guard let header = records.first else {
            throw InputError("the file is empty; expected a header", line: 1)
        }
        let columns = try CSVColumns(header)
        let reader: any CareRowReader =
            switch format {
            case .babyConnect: BabyConnectRows()
            case .huckleberry: HuckleberryRows(columns)
            case .babyBuddy: try BabyBuddyRows(columns, settings.amountUnit)
            case .babyAI: BabyAIRows()
            case .nara: NaraRows(columns)
            case .babyTracker: try BabyTrackerRows(columns, records.dropFirst(), settings)
            }
        try columns.require(reader.requiredColumns, format.name)
        let rows = records.dropFirst().enumerated().map { index, record in
            Row(
                row: index + 1, line: record.line,
                result: content(of: record, columns, zone, rules, reader, isEscaped),
                remark: reader.remark(on: record.fields))
        }
        return Reading(rows: rows, context: reader.context(zone, settings))
    }

    /// Reads one record as its entries, or returns the reason for its rejection.
    private static func content(
        of record: CSVParser.Record, _ columns: CSVColumns, _ zone: Zone, _ rules: InputRules,
        _ reader: any CareRowReader, _ isEscaped: Bool
    ) -> Result<Content, Reason> {
        do throws(Reason) {
            let fields = reader.fields(of: record, columns)
            guard fields.count == columns.names.count else {
                throw Reason(
                    "wrongCellCount", "",
                    "has \(fields.count) cells; the header has \(columns.names.count)")
            }
            var content = Content(cells: reader.key(fields, columns))
            let values = isEscaped ? fields.map(CareRecords.unescaped) : fields
            let cells = CareCells(
                columns: columns, values: values.map { normalised($0, rules) }, zone: zone,
                rules: rules)
            try reader.read(cells, into: &content)
            for entry in content.entries { try check(entry, reader.endColumn) }
            return .success(content)
        } catch {
            return .failure(error)
        }
    }

    /// Returns the text in the normal form for storage; ASCII text is already in it.
    private static func normalised(_ text: String, _ rules: InputRules) -> String {
        text.utf8.allSatisfy { $0 < 0x80 } ? text : rules.normalise(text)
    }

    /// Checks that an entry ends at or after its start and lasts at most 28 days.
    ///
    /// - Parameter field: the column that an error names.
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
    var requiredColumns: [String] { get }
    /// Column that an error names if an entry ends before it starts or is too long.
    var endColumn: String { get }
    /// Parses the cells of a row into its content, or throws the reason for its rejection.
    func read(_ cells: CareCells, into content: inout CareFile.Content) throws(CareFile.Reason)
    /// Returns the cells of a record, before their number is compared with the header.
    func fields(of record: CSVParser.Record, _ columns: CSVColumns) -> [String]
    /// Returns the cells that distinguish a row from other rows of the file.
    func key(_ fields: [String], _ columns: CSVColumns) -> [String]
    /// Returns a remark about a readable row, such as a guessed date order; `nil` for none.
    func remark(on fields: [String]) -> String?
    /// Returns the settings that determine the meaning of the cells, as text.
    func context(_ zone: Zone, _ settings: CareFile.Settings) -> String
}

extension CareRowReader {
    /// Returns the cells as they are in the record.
    func fields(of record: CSVParser.Record, _ columns: CSVColumns) -> [String] { record.fields }
    /// Returns all cells.
    func key(_ fields: [String], _ columns: CSVColumns) -> [String] { fields }
    /// Returns `nil`: by default a row has no remark.
    func remark(on fields: [String]) -> String? { nil }
    /// Returns the zone and the unit of amounts, as text.
    func context(_ zone: Zone, _ settings: CareFile.Settings) -> String {
        "\(zone.name)\u{0}\(settings.amountUnit.rawValue)"
    }

    /// Returns the non-empty cells as sorted `column=value` texts, for varying columns.
    static func namedCells(_ fields: [String], _ columns: CSVColumns) -> [String] {
        zip(columns.names, fields).filter { !$1.isEmpty }.map { "\($0.lowercased())=\($1)" }
            .sorted()
    }
}
