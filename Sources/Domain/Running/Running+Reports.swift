import CivilTime
import EventSourcing

extension Running {
    /// Fields that tell only what a report was made from, and by which rules.
    static let basisFields: Set<String> = ["position", "knownUs", "rules"]
}

extension ReportContext {
    /// A zone, and the release of the tz database that describes it.
    func zone(_ name: String) throws(ReportError) -> (zone: Zone, tzdata: String) {
        guard let zones else { throw .unanswerable("no tz database is at hand") }
        do throws(UnknownZone) {
            return (try zones.zone(name), zones.version)
        } catch {
            throw .zone(error)
        }
    }
}
