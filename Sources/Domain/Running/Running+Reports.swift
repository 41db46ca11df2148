import CivilTime
import EventSourcing

extension Projection {
    /// The state after some events.
    static func state(after events: [RecordedEvent]) throws(ReportError) -> State {
        var state = State.blank
        let reader = KindReader<Event>()
        do throws(FoldError) {
            for event in events {
                guard let known = try reader.read(event) else { continue }
                evolve(&state, with: known, event.envelope)
            }
        } catch {
            throw .fold(error)
        }
        return state
    }
}

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
