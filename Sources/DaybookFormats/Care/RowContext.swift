import Daybook

/// The columns of a file, and how texts and local times in its rows are read.
///
/// A class, because every row has the same.
final class RowContext: Sendable {
    /// Columns of the file, which give the index of a column by its name.
    let columns: CSVColumns
    /// Rules that bring texts, such as notes, into the form in which they are stored.
    let rules: InputRules
    /// Time zone of the rows that name none.
    let zone: Zone
    /// Source of the zones that rows name; `nil` if no row may name one.
    private let source: ZoneSource?
    private let zoneColumn: String?
    let childColumn: String?

    init(_ columns: CSVColumns, _ zone: Zone, _ source: ZoneSource?, _ rules: InputRules) {
        self.columns = columns
        self.rules = rules
        self.zone = zone
        self.source = source
        zoneColumn = ["Time Zone", "Timezone", "time_zone"].first { columns[$0] != nil }
        childColumn = ["Child", "Child Name", "Baby", "Baby Name"].first { columns[$0] != nil }
    }

    /// Returns the zone of a row's local times: the one that the row names, else the file's; throws
    /// the reason for the row's rejection if the zone is unknown.
    func zone(of cells: CareCells) throws(CareFile.Reason) -> Zone {
        guard let column = zoneColumn else { return zone }
        let name = cells[column]
        guard !name.isEmpty, name != zone.name else { return zone }
        guard let source else {
            throw CareFile.Reason("unknownZone", column, "the time zone '\(name)' is not available")
        }
        do throws(UnknownZone) {
            return try source.zone(name)
        } catch {
            throw CareFile.Reason("unknownZone", column, "\(error)")
        }
    }
}
