import Daybook

/// The time zones of a file's local times: its own, and those that rows name for themselves.
struct RowZones {
    /// Zone of the rows that name none.
    let file: Zone
    /// Source of the zones that rows name; `nil` if no row may name one.
    private let source: ZoneSource?
    /// Column with the name of a row's zone; `nil` if the file has none.
    private let column: String?

    init(_ columns: CSVColumns, _ file: Zone, _ source: ZoneSource?) {
        self.file = file
        self.source = source
        column = ["Time Zone", "Timezone", "time_zone"].first { columns[$0] != nil }
    }

    /// Returns the zone of a row's local times: the one that the row names, else the file's.
    ///
    /// - Throws: the reason for the row's rejection if the zone is unknown.
    func zone(of cells: CareCells) throws(CareFile.Reason) -> Zone {
        guard let column else { return file }
        let name = cells[column]
        guard !name.isEmpty, name != file.name else { return file }
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
