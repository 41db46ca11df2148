package import ArgumentParser
package import Daybook
import DaybookInput

/// Options that select the time zone of days and clock times, and the tz database.
package struct ZoneOptions: ParsableArguments {
    /// IANA name or offset of the zone; `nil` means the zone that the log has for the entity.
    @Option(
        help: ArgumentHelp(
            "IANA zone of days and times, or an offset like +09:00; by default the zone that the log "
                + "has for the entity, else UTC.",
            valueName: "zone"))
    package var zone: String?

    @Option(
        help: ArgumentHelp("Folder of the compiled tz database.", valueName: "folder"),
        completion: .directory)
    package var tzdata = ZoneOptions.standardFolder

    package init() {}

    /// Path of the folder in which the machine keeps its tz database.
    package static let standardFolder = ZoneFiles.standardFolder

    /// Returns the tz database in the folder of `--tzdata`.
    package func source() throws -> ZoneSource { try Self.source(tzdata) }

    /// The machine's tz database; `nil` if the machine has none.
    package static let machineDatabase: ZoneSource? = {
        do throws(ZoneFilesError) {
            return try ZoneFiles.source()
        } catch {
            return nil
        }
    }()

    /// Returns the tz database in a folder.
    ///
    /// - Throws: `Failure` if the folder has none.
    package static func source(_ tzdata: String) throws -> ZoneSource {
        do throws(ZoneFilesError) {
            return try ZoneFiles.source(folder: tzdata)
        } catch {
            throw Failure(.usage, error)
        }
    }

    /// Returns the tz database in a folder; `nil` if the folder is the machine's and has none.
    static func optionalSource(_ tzdata: String) throws -> ZoneSource? {
        tzdata == standardFolder ? machineDatabase : try source(tzdata)
    }

    /// Returns the zone that `--zone` names, else the zone with the name `known`.
    ///
    /// - Parameter known: name of the zone that the log has for the entity; `nil` if it has none.
    package func zone(_ source: ZoneSource, else known: String?) throws -> Zone {
        guard let name = zone ?? known else {
            throw Failure(
                .usage, "the log has no zone for the baby; set one with --zone, such as Asia/Seoul")
        }
        return try Self.zone(name, source)
    }

    /// Returns the zone with a name.
    ///
    /// - Throws: `Failure` if there is no such zone.
    package static func zone(_ name: String, _ source: ZoneSource) throws -> Zone {
        do throws(UnknownZone) {
            return try source.zone(name)
        } catch {
            throw Failure(.usage, error)
        }
    }
}
