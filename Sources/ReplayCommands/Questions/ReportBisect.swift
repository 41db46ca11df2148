import ArgumentParser
import CivilTime
import EventSourcing
import EventStorage
import Playback

/// Finds the first event after which an expression holds for a report.
///
/// The report is made again from all events up to each position that is asked.
struct ReportBisect {
    let reading: ProjectionReading
    let report: ReportDescription
    let arguments: Tree
    let expression: Expression
    let rules: RuleSet
    let zones: ZoneSource

    /// The event found, and what it changed in the report.
    struct Answer {
        var event: RecordedEvent
        var changes: [FieldChange]
        var probes: Int
    }

    /// Beyond this many events a walk would take longer than anybody waits.
    private static let walkedEvents = 20_000

    /// - Parameter texts: `baby=b`, as the command line has them.
    static func arguments(_ texts: [String]) throws -> Tree {
        let members = try texts.map { text in
            guard let equals = text.firstIndex(of: "="), equals > text.startIndex else {
                throw ValidationError("--with: expected NAME=VALUE like baby=b, found '\(text)'.")
            }
            return Tree.Member(
                key: String(text[..<equals]),
                value: String(text[text.index(after: equals)...]).asTree)
        }
        return Tree(.map(members), line: 1)
    }

    func find(monotone: Bool) throws -> Answer? {
        let events = try reading.entities.events(matching: .all)
        // A wrong argument is one whatever happened; nothing known yet is no answer.
        if case .failure(.input(let error)) = result(events[...]) {
            throw ValidationError("--with: \(error).")
        }
        var probes = 0
        func holds(after count: Int) -> Bool {
            probes += 1
            return expression.holds(for: leaves(events[..<count]))
        }
        var found: Int?
        if monotone {
            found = Bisection.halve(through: Position(UInt64(events.count))) {
                holds(after: Int($0.rawValue))
            }.map { Int($0.rawValue) }
        } else {
            guard events.count <= Self.walkedEvents else {
                throw Failure(
                    .usage,
                    "the report would be made again after each of \(events.count) events; "
                        + "--monotone halves them")
            }
            found = events.indices.lazy.map { $0 + 1 }.first { holds(after: $0) }
        }
        guard let found else { return nil }
        return Answer(
            event: events[found - 1],
            changes: FieldChange.between(leaves(events[..<(found - 1)]), leaves(events[..<found]))
                // That it was made later says nothing of what changed.
                .filter { !["position", "knownAtUs", "knownUs"].contains($0.path) },
            probes: probes)
    }

    private func leaves(_ events: ArraySlice<RecordedEvent>) -> [FlatFields.Leaf] {
        guard case .success(let json) = result(events) else { return [] }
        do throws(InputError) {
            return try JSONParser.parse(json.utf8).leaves
        } catch {
            return []
        }
    }

    private func result(_ events: ArraySlice<RecordedEvent>) -> Result<String, ReportError> {
        let context = ReportContext(
            rules: rules, zones: zones, position: events.last?.position ?? .origin,
            knownAt: events.last?.envelope.recordedAt ?? Instant(microseconds: 0))
        do throws(ReportError) {
            return .success(
                try report.answer(arguments, "", .standard, Array(events), context))
        } catch {
            return .failure(error)
        }
    }
}
