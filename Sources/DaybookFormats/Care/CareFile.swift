import Daybook
import DaybookLibC
import DaybookModel

/// Reads files of care entries that other apps export, row by row.
///
/// Reading does not use the log: a row becomes entries with points in time and amounts in the
/// stored units, or a reason for its rejection.
///
/// Source: the exports of the apps, and Baby Buddy's import formats.
enum CareFile {
    /// One row of the file after its header, read or rejected.
    struct Row: Sendable {
        /// Row number, counted from 1; the header is not counted.
        var row: Int
        /// Line number in the file, counted from 1.
        var line: Int
        var result: Result<Content, Reason>
        /// Remark for the user about the row, such as a guessed date order; `nil` for none.
        var remark: String?
        /// The child that the row is about; `nil` if the row names none.
        var child: Child?
    }

    /// Settings for reading a file, which the file itself does not contain.
    struct Settings: Equatable, Sendable {
        /// Unit of the amounts in Baby Buddy's files, which have no unit.
        var amountUnit = BabyCare.AmountUnit.ml
        /// Order of month and day in dates like 4/3/26; `nil` to infer the order from the file.
        var dateOrder: DateOrder?
        /// Name of the file; empty if unknown. In Baby Tracker's format it distinguishes bottles of
        /// formula from those of breast milk.
        var fileName = ""
    }

    /// The order of the numbers in a date like 4/3/26.
    enum DateOrder: String, Equatable, Sendable, CaseIterable {
        /// Month, day, year.
        case monthFirst = "mdy"
        /// Day, month, year.
        case dayFirst = "dmy"
    }

    /// The rows of a file, with the settings that they were read with.
    struct Reading: Sendable {
        /// One element for each data row, in file order.
        var rows: [Row]
        /// Settings that change the meaning of cells, as one text: zone, unit, date order.
        var settingsText: String
        /// The only child of the rows; `nil` if none of them names a child.
        var child: Child?
    }

    /// The content of one row: its entries, and the cells that identify the row in later files.
    struct Content: Equatable, Sendable {
        /// Texts that tell the row from others: they are equal only for equal rows. These are all
        /// cells or, in formats with varying columns, the non-empty cells with their column names.
        var cells: [String]
        /// Cells that stay equal if a later file has a changed version of the row.
        var identifyingCells: [String] = []
        /// Id of the baby in the app, as the file has it; `nil` if the file has no ids of babies.
        var sourceBabyId: String?
        /// Birth date as `YYYY-MM-DD`; `nil` except in a row about the baby itself.
        var birthDate: String?
        /// Name or user id of the person who recorded the row; `nil` if the row names nobody.
        var caregiver: String?
        /// Time at which the row was recorded in the app; `nil` if the file does not say.
        var created: Instant?
        /// Id of the entry in the file; `nil` if the format has no ids of entries.
        var entryId: String?
        /// Way in which the entry was recorded, such as by voice; `nil` if the file does not say.
        var source: BabyCare.Source?
        /// Care entries of the row; empty for a row about the baby itself.
        var entries: [BabyCare.ImportedEntry] = []

        /// Creates the content of a row without entries.
        init(cells: [String]) { self.cells = cells }
    }

    /// The reason why a row is rejected.
    struct Reason: Error, Equatable, Sendable, CustomStringConvertible {
        /// Code of the reason for programs, such as `unreadableTime`.
        var code: String
        /// Name of the column with the error; `wholeRow` if no single column has it.
        var field: String
        /// Description of the error without the column name.
        var message: String

        /// Value of `field` for an error about the row as a whole.
        static let wholeRow = ""

        init(_ code: String, _ field: String, _ message: String) {
            self.code = code
            self.field = field
            self.message = message
        }

        var description: String { field.isEmpty ? message : "\(field): \(message)" }
    }

    /// Reads the rows of a file.
    ///
    /// - Parameters:
    ///   - bytes: the whole content of the file.
    ///   - zone: the zone of local times.
    ///   - amountUnit: the unit of Baby Buddy's amounts, which have no unit.
    ///   - zones: the zones that a row can name as its own; `nil` if no row may name one.
    /// - Throws: an error if the file is not a CSV file with the header of the format.
    static func read(
        _ bytes: [UInt8], as format: BabyCare.FileFormat, zone: Zone,
        amountUnit: BabyCare.AmountUnit = .ml, zones: ZoneSource? = nil, rules: InputRules
    ) throws(InputError) -> [Row] {
        var settings = Settings()
        settings.amountUnit = amountUnit
        return try read(bytes, as: format, zone: zone, settings, zones: zones, rules: rules).rows
    }

    /// Reads the rows of a file, given all settings that the file does not contain; throws an error
    /// if the file is not a CSV file with the header of the format.
    static func read(
        _ bytes: [UInt8], as format: BabyCare.FileFormat, zone: Zone, _ settings: Settings,
        zones: ZoneSource? = nil, rules: InputRules
    ) throws(InputError) -> Reading {
        let (records, isEscaped) = try CareRecords.parse(bytes, as: format)
        guard let header = records.first else {
            throw InputError("expected a header line, found an empty file", line: 1)
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
        let rows = Threads.joined(records.count - 1) { stretch in
            let context = RowContext(columns, zone, zones, rules)
            return stretch.map { row($0 + 1, records[$0 + 1], context, reader, isEscaped) }
        }
        return Reading(rows: rows, settingsText: reader.settingsText(zone, settings))
    }

    /// Reads a record of the file as the row with a number.
    private static func row(
        _ number: Int, _ record: CSVParser.Record, _ context: RowContext,
        _ reader: any CareRowReader, _ isEscaped: Bool
    ) -> Row {
        let remark = reader.remark(on: record.fields)
        switch cells(of: record, context, reader, isEscaped) {
        case .failure(let reason):
            return Row(row: number, line: record.line, result: .failure(reason), remark: remark)
        case .success(let cells):
            let child = reader.child(cells)
            return Row(
                row: number, line: record.line, result: content(of: cells, child, reader),
                remark: remark, child: child)
        }
    }

    /// Returns the cells of one record of the file, or the reason for its rejection.
    ///
    /// - Parameter isEscaped: true if backslashes in the fields are escapes.
    private static func cells(
        of record: CSVParser.Record, _ context: RowContext, _ reader: any CareRowReader,
        _ isEscaped: Bool
    ) -> Result<CareCells, Reason> {
        let fields = reader.fields(of: record, context.columns)
        guard fields.count == context.columns.names.count else {
            return .failure(
                Reason(
                    "wrongCellCount", Reason.wholeRow,
                    "the row has \(fields.count.counted("cell")), but the header has "
                        + "\(context.columns.names.count)"))
        }
        let values = isEscaped ? fields.map(CareRecords.unescaped) : fields
        return .success(
            CareCells(
                fields: fields, values: values.map { normalised($0, context.rules) },
                context: context))
    }

    /// Returns the content of a row, or the reason for its rejection.
    private static func content(
        of cells: CareCells, _ child: Child?, _ reader: any CareRowReader
    ) -> Result<Content, Reason> {
        do throws(Reason) {
            var content = Content(cells: reader.distinguishingCells(cells.fields, cells.columns))
            content.sourceBabyId = child?.id
            try reader.read(cells, into: &content)
            for index in content.entries.indices {
                try completeSleep(&content.entries[index], reader.lengthColumn)
                try checkTimes(
                    content.entries[index].started, content.entries[index].ended, reader.endColumn)
            }
            return .success(content)
        } catch {
            return .failure(error)
        }
    }

    /// Sets the end of a sleep without one to its start and its length; opens it without a length.
    ///
    /// An entry whose state the file tells is left unchanged.
    ///
    /// - Parameter field: the column of the length, which an error names.
    private static func completeSleep(
        _ entry: inout BabyCare.ImportedEntry, _ field: String
    ) throws(Reason) {
        guard entry.kind == .sleep, entry.ended == nil, entry.state == nil else { return }
        guard let lengthS = entry.declaredDurationS ?? entry.value.durationS else {
            entry.state = .open
            return
        }
        guard (0...28 * 86_400).contains(lengthS) else {
            throw Reason(
                "tooLong", field, "expected a sleep of at most 28 days, found \(lengthS) seconds")
        }
        entry.ended = entry.started.advanced(byMicroseconds: lengthS * 1_000_000)
    }

    /// Returns the text in the form in which it is stored; ASCII text already has this form.
    private static func normalised(_ text: String, _ rules: InputRules) -> String {
        text.utf8.allSatisfy { $0 < 0x80 } ? text : rules.normalise(text)
    }

    /// Checks that an entry ends at or after its start and lasts at most 28 days.
    private static func checkTimes(
        _ started: Instant, _ ended: Instant?, _ field: String
    ) throws(Reason) {
        guard let ended else { return }
        guard ended >= started else {
            // Without the times, so that rows with the same fault are listed together.
            throw Reason("endBeforeStart", field, "the entry ends before its start")
        }
        guard ended.microseconds(since: started) <= 28 * Instant.dayUs else {
            throw Reason("tooLong", field, "the entry ends more than 28 days after its start")
        }
    }
}

/// A reader for the rows of one app's format; `CareFile` calls it for each row of a file.
protocol CareRowReader: Sendable {
    /// Names of the columns without which the file is refused.
    var requiredColumns: [String] { get }
    /// Column that an error names if an entry ends before it starts or is too long.
    var endColumn: String { get }
    /// Column that an error names if a sleep without an end is too long.
    var lengthColumn: String { get }
    /// Returns the child that a row is about; `nil` if the row names none.
    func child(_ cells: CareCells) -> CareFile.Child?
    /// Parses the cells of a row and sets its content, or throws the reason for its rejection.
    func read(_ cells: CareCells, into content: inout CareFile.Content) throws(CareFile.Reason)
    /// Returns the cells of a record; the record is rejected unless each column has one cell.
    func fields(of record: CSVParser.Record, _ columns: CSVColumns) -> [String]
    /// Returns the texts for `CareFile.Content.cells`, which are equal only for equal rows.
    func distinguishingCells(_ fields: [String], _ columns: CSVColumns) -> [String]
    /// Returns a remark for the user about a row, such as a guessed date order; `nil` for none.
    func remark(on fields: [String]) -> String?
    /// Returns the settings that change the meaning of the cells, as one text.
    func settingsText(_ zone: Zone, _ settings: CareFile.Settings) -> String
}

extension CareRowReader {
    typealias Reason = CareFile.Reason
    typealias Entry = BabyCare.ImportedEntry

    /// The column `Duration`, by default.
    var lengthColumn: String { "Duration" }
    /// Returns the child with the name in a column such as `Child` or `Baby`, by default.
    func child(_ cells: CareCells) -> CareFile.Child? {
        cells.context.childColumn.flatMap { CareFile.Child(name: cells[$0]) }
    }
    /// Returns the cells unchanged, by default.
    func fields(of record: CSVParser.Record, _ columns: CSVColumns) -> [String] { record.fields }
    /// Returns all cells, by default.
    func distinguishingCells(_ fields: [String], _ columns: CSVColumns) -> [String] { fields }
    /// Returns `nil`, because by default a row has no remark.
    func remark(on fields: [String]) -> String? { nil }
    /// Returns the time zone and the unit of amounts as one text, by default.
    func settingsText(_ zone: Zone, _ settings: CareFile.Settings) -> String {
        "\(zone.name)\u{0}\(settings.amountUnit.rawValue)"
    }

    /// Returns the non-empty cells as sorted texts `column=value`. Equal rows have equal texts even
    /// if the files have different columns.
    static func namedCells(_ fields: [String], _ columns: CSVColumns) -> [String] {
        zip(columns.names, fields).filter { !$1.isEmpty }.map { "\($0.lowercased())=\($1)" }
            .sorted()
    }
}
