package import ArgumentParser
package import Daybook
import DaybookScenarios

/// Options that select the zone in which days are counted, and the source of zones.
package struct ZoneOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "IANA zone, or an offset like +09:00; by default the zone that the log has for the entity.",
            valueName: "zone"))
    package var zone: String?

    @Option(
        help: ArgumentHelp("Folder of the compiled tz database.", valueName: "folder"),
        completion: .directory)
    var tzdata = ZoneOptions.standardFolder

    package init() {}

    /// The machine's usual folder of the tz database.
    package static let standardFolder = ZoneFiles.standardFolder

    /// Returns the source of zones in the folder of `--tzdata`.
    package func source() throws -> ZoneSource { try Self.source(tzdata) }

    /// The machine's tz database; `nil` if the machine has none.
    package static let known: ZoneSource? = {
        do throws(ZoneFilesError) {
            return try ZoneFiles.source()
        } catch {
            return nil
        }
    }()

    package static func source(_ tzdata: String) throws -> ZoneSource {
        do throws(ZoneFilesError) {
            return try ZoneFiles.source(folder: tzdata)
        } catch {
            throw Failure(.usage, error)
        }
    }

    /// Returns the zone of `--zone`, else the zone with the name `known`.
    package func zone(_ source: ZoneSource, else known: String?) throws -> Zone {
        guard let name = zone ?? known else {
            throw Failure(
                .usage, "the log has no zone for the baby; set one with --zone, such as Asia/Seoul")
        }
        return try Self.zone(name, source)
    }

    package static func zone(_ name: String, _ source: ZoneSource) throws -> Zone {
        do throws(UnknownZone) {
            return try source.zone(name)
        } catch {
            throw Failure(.usage, error)
        }
    }
}
