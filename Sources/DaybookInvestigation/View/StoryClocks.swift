package import Daybook
import DaybookInput
import DaybookLog

/// The clocks of the zones in which a page shows times. A page brings the offsets that its reports
/// were made with, since the browser may have another release of the tz database.
struct StoryClocks {
    /// Name of the zone in which times are shown at first; `nil` to show each in its event's own.
    private(set) var zone: String?
    /// The clocks as objects, those of the entities' own zones first.
    private(set) var column = StoryColumn()

    /// Largest number of entities whose zones are looked up, and of zones.
    private static let (entityLimit, zoneLimit) = (50, 100)

    init(
        _ selection: StorySelection, _ events: StoryEvents, _ source: ZoneSource?,
        in reading: ProjectionReading
    ) throws {
        let source = source ?? .fixedOffsets
        let own = try EntityZone(reading, source).ownZones(
            of: selection.tags, limit: Self.entityLimit)
        let devices = events.zonesByUse.prefix(Self.zoneLimit).compactMap { try? source.zone($0) }
        zone = own.count == 1 ? own.first?.name : devices.first?.name
        var names: Set<String> = []
        for zone in own + devices where names.insert(zone.name).inserted {
            column.append { zone.writeClock(to: &$0) }
        }
    }
}

extension Zone {
    /// The seconds since 1970 from 1900 to 2100, between which a page shows all changes of offsets.
    private static let shownSeconds: ClosedRange<Int64> = -2_208_988_800...4_102_444_800

    /// Writes the name, the offsets in seconds, and the seconds since 1970 from which each but the
    /// first applies, as differences.
    package func writeClock(to writer: inout JSONWriter) {
        let offsets = offsets(in: Self.shownSeconds)
        let starts = offsets.map(\.start)
        writer.member("zone", name)
        writer.member("offsetS", offsets.map(\.offsetS))
        writer.member("from", zip(starts.dropFirst(), [0] + starts.dropFirst()).map { $0.0 - $0.1 })
    }
}
