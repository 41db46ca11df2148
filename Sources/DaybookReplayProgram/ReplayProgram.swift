import DaybookFormats
package import DaybookLog
import DaybookModel
import DaybookTool

/// The program `replay`: the commands for any domain, and `ranking`, over Daybook's own areas.
package enum ReplayProgram {
    /// Runs the command of the process's arguments, and exits with its exit code.
    ///
    /// - Parameter store: access to logs in databases; `nil` leaves these to `replay-postgres`.
    package static func main(store: StoreDriver? = nil) -> Never {
        ReplayTool.main(
            Catalog.areas, formats: FormatCatalog.formats, name: "replay", store: store,
            further: [RankingCommand.self])
    }
}
