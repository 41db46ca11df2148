import Daybook
import TestSupport
import Testing

@testable import DaybookModel

@Suite struct AuditOverlapTests {
    private struct Stretch {
        var id: String
        var start: Int64
        var end: Int64?
        var kind: BabyCare.Kind
        var isCancelled: Bool
        var position: Int64
    }

    @Test("The sweep finds what comparing all with all finds", arguments: 0..<60)
    func agreesWithTheNaiveWay(_ round: UInt64) throws {
        let seed = 20_260_105 + round
        var generator = SeededGenerator(seed: seed)
        var facts: [BabyCare.Event] = []
        var stretches: [Stretch] = []
        for index in 0..<Int.random(in: 2...40, using: &generator) {
            let start = Int64.random(in: 0...120, using: &generator)
            let length = Int64.random(in: 0...12, using: &generator)
            let kind = Bool.random(using: &generator) ? BabyCare.Kind.sleep : .breastfeed
            // Amounts tell apart what would be an exact duplicate.
            facts.append(
                Fact.recorded(
                    "e\(index)", start, length == 0 ? nil : start + length, kind: kind,
                    ul: Int64(index)))
            stretches.append(
                Stretch(
                    id: "e\(index)", start: start, end: length == 0 ? nil : start + length,
                    kind: kind, isCancelled: false, position: Int64(facts.count)))
            if Int.random(in: 0..<6, using: &generator) == 0 {
                facts.append(Fact.cancelled("e\(index)"))
                stretches[index].isCancelled = true
            }
        }
        let findings = try AuditHistory(facts).audit().findings
        let found = findings.filter { $0.rule == "B7" }
        #expect(found.count == findings.count, "seed \(seed)")
        expect(found, Self.naive(stretches), seed)
    }

    /// Every pair, by the one that starts later, or has the greater id where both start at once.
    private static func naive(_ stretches: [Stretch]) -> [String: [Stretch]] {
        var earlier: [String: [Stretch]] = [:]
        for later in stretches where !later.isCancelled {
            for other in stretches where !other.isCancelled && other.kind == later.kind {
                guard (other.start, other.id) < (later.start, later.id),
                    let end = later.end, let otherEnd = other.end,
                    min(end, otherEnd) > max(later.start, other.start)
                else { continue }
                earlier[later.id, default: []].append(other)
            }
        }
        return earlier
    }

    private func expect(_ found: [Finding], _ naive: [String: [Stretch]], _ seed: UInt64) {
        #expect(
            found.map(\.entity).sorted() == naive.keys.map { "entry:\($0)" }.sorted(),
            "seed \(seed)")
        for finding in found {
            let others = naive[String(finding.entity.dropFirst(6))] ?? []
            #expect(
                others.contains { finding.expected.contains("when \($0.id) (position ") },
                "seed \(seed): \(finding)")
        }
    }
}
