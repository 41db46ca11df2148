import Daybook
import DaybookInvestigation
import DaybookScenarios
import Foundation
import TestSupport
import Testing

@testable import DaybookModel

// Holds: s4-same-sync, s4-eventual-agreement
/// Random queues over random networks: device and server agree in the end, nothing is lost or done
/// twice.
///
/// With `DAYBOOK_SIMULATED_SEEDS=1000000` it runs more than the 2,000 seeds of `tools/check --all`;
/// docs/trust.md has the command and what came of it.
@Suite("Simulated offline queues") struct SimulationTests {
    private static let seeds: UInt64 = {
        let asked = ProcessInfo.processInfo.environment["DAYBOOK_SIMULATED_SEEDS"]
        return asked.flatMap { UInt64($0) } ?? (Cases.areAll ? 2_000 : 300)
    }()

    private static let parts: UInt64 = 16

    /// Every twentieth run reads its decisions' events by their queries, and audits the log.
    private static func fault(
        _ seed: UInt64, _ script: [QueueSimulation.Move], _ fault: QueueSimulation.Fault? = nil
    ) -> String? {
        var simulation = QueueSimulation(fault: fault, readsByQuery: seed % 20 == 0)
        return simulation.run(script)
    }

    @Test("Device and server agree after every run", arguments: 0..<parts)
    func agree(_ part: UInt64) {
        for seed in stride(from: part, to: Self.seeds, by: Int(Self.parts)) {
            let script = QueueSimulation.script(seed)
            guard let sentence = Self.fault(seed, script) else { continue }
            let (_, file) = Self.shrunk(seed, script)
            Issue.record("seed \(seed): \(sentence); shrunk to a scenario:\n\(file)")
            return
        }
    }

    /// The scenario of the shortest script that still fails.
    private static func shrunk(
        _ seed: UInt64, _ script: [QueueSimulation.Move], _ fault: QueueSimulation.Fault? = nil
    ) -> (moves: Int, file: String) {
        let (moves, _) = Shrinking.smallest(script) { self.fault(seed, $0, fault) != nil }
        var simulation = QueueSimulation(fault: fault, readsByQuery: seed % 20 == 0)
        let sentence = simulation.run(moves) ?? "nothing"
        return (moves.count, simulation.scenario(sentence, seed: seed))
    }

    @Test(
        "A planted mistake is found within 200 seeds, and shrunk to a few moves",
        arguments: Cases.sample(QueueSimulation.Fault.allCases))
    func planted(_ fault: QueueSimulation.Fault) throws {
        let found = (0..<200 as Range<UInt64>).first { seed in
            Self.fault(seed, QueueSimulation.script(seed), fault) != nil
        }
        let seed = try #require(found, "no seed finds \(fault)")
        let shrunk = Self.shrunk(seed, QueueSimulation.script(seed), fault)
        #expect((1...10).contains(shrunk.moves), "\(shrunk.file)")
        #expect(shrunk.file.hasPrefix("# Seed \(seed): "))
        let catalogue = try Catalogue(Catalog.areas)
        #expect(throws: Never.self) {
            try ScenarioFile.parse(shrunk.file, path: "shrunk.yaml", catalogue: catalogue)
        }
    }

    @Test("A run is the same from the same seed", arguments: [3, 40, 977] as [UInt64])
    func deterministic(_ seed: UInt64) {
        let logs = (0..<2).map { _ in
            var simulation = QueueSimulation()
            _ = simulation.run(QueueSimulation.script(seed))
            return simulation.log.map(\.event)
        }
        #expect(logs[0] == logs[1])
    }

    @Test("The seeds go through every answer, every stop and every end of a write")
    func coverage() {
        var stops: Set<OfflineQueue.StopReason> = []
        var reasons: Set<OfflineQueue.Rejection> = []
        var kinds: Set<String> = []
        for seed in 0..<200 as Range<UInt64> {
            var simulation = QueueSimulation()
            _ = simulation.run(QueueSimulation.script(seed))
            for (event, _) in simulation.log {
                kinds.insert(type(of: event.payload).kind.name)
                if case .step(.syncFinished(let finished)) = event { stops.insert(finished.stop) }
                if case .step(.rejected(let rejected)) = event { reasons.insert(rejected.reason) }
            }
        }
        #expect(stops == [.empty, .network, .auth, .notLinked, .offlineBaby, .lost])
        #expect(reasons.isSuperset(of: [.transient, .refresh, .auth, .permanent, .blocked]))
        #expect(
            kinds.isSuperset(of: [
                "offline-queue.mutations-compacted.v1", "offline-queue.mutation-dropped.v1",
                "offline-queue.mutation-retried.v1", "household.sync-failed.v1",
                "household.id-replaced.v1", "session.token-refreshed.v1",
                "session.request-retried.v1",
            ]))
    }
}
