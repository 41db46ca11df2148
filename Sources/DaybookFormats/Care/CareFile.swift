public import Daybook
public import DaybookModel

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
        /// Something to be told of a row that can be read.
        public var remark: String?
    }

    /// Settings that a file does not tell itself.
    public struct Settings: Hashable, Sendable {
        /// The unit of amounts without one.
        public var amountUnit = BabyCare.AmountUnit.ml
        public var dateOrder: DateOrder?
        /// The name of the file, which tells what some apps leave out of it; empty if unknown.
        public var fileName = ""

        public init() {}
    }

    /// The order of the numbers in a date like 4/3/26.
    public enum DateOrder: String, Hashable, Sendable, CaseIterable {
        case monthFirst = "mdy"
        case dayFirst = "dmy"
    }

    /// The rows of a file.
    public struct Reading: Sendable {
        public var rows: [Row]
        /// Everything that gives the rows their meaning beside their cells: zone, unit, date order.
        public var context: String
    }

    public struct Content: Hashable, Sendable {
        /// The cells that make it another row than others: all as in the file, or those with a
        /// content by their columns, in a format whose columns come and go.
        public var cells: [String]
        /// Activity, start, caregiver and contents, which identify the same row in a later file.
        public var identity: [String] = []
        /// The id the file gives the baby.
        public var sourceBabyId: String?
        /// The name that stands for the baby in a file without ids.
        public var childName: String?
        /// The baby's birth date, in a row about the baby itself.
        public var birthDate: String?
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
        var settings = Settings()
        settings.amountUnit = amountUnit
        return try read(bytes, as: format, zone: zone, settings, rules: rules).rows
    }

    /// - Throws: where the file as a whole is not of the format.
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
        try columns.require(reader.columns, format.name)
        let rows = records.dropFirst().enumerated().map { index, record in
            Row(
                row: index + 1, line: record.line,
                result: content(of: record, columns, zone, rules, reader, isEscaped),
                remark: reader.remark(on: record.fields))
        }
        return Reading(rows: rows, context: reader.context(zone, settings))
    }

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
    /// The cells of a record, before their number is compared with the header's.
    func fields(of record: CSVParser.Record, _ columns: CSVColumns) -> [String]
    /// The cells that make a row another one than others.
    func key(_ fields: [String], _ columns: CSVColumns) -> [String]
    func remark(on fields: [String]) -> String?
    /// The meaning of the rows beside their cells.
    func context(_ zone: Zone, _ settings: CareFile.Settings) -> String
}

extension CareRowReader {
    func fields(of record: CSVParser.Record, _ columns: CSVColumns) -> [String] { record.fields }
    func key(_ fields: [String], _ columns: CSVColumns) -> [String] { fields }
    func remark(on fields: [String]) -> String? { nil }
    func context(_ zone: Zone, _ settings: CareFile.Settings) -> String {
        "\(zone.name)\u{0}\(settings.amountUnit.rawValue)"
    }

    /// The cells that have a content, each with its column, for exports whose columns come and go.
    static func named(_ fields: [String], _ columns: CSVColumns) -> [String] {
        zip(columns.names, fields).filter { !$1.isEmpty }.map { "\($0.lowercased())=\($1)" }
            .sorted()
    }
}
