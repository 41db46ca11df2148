import Daybook
import DaybookInput
import DaybookLog
import DaybookScenarios
import Foundation
import TestSupport
import Testing

@testable import DaybookModel

/// The events of every variant of every scenario, in real logs.
@Suite("Scenarios in a log") struct StoredScenarioTests {
    private static let folder = Checkout.root.appending(path: "Scenarios")

    private static let areas: [String] = {
        let paths = FileManager.default.enumerator(atPath: folder.path)
        let files = (paths?.compactMap { $0 as? String } ?? []).filter { $0.hasSuffix(".yaml") }
        return Set(files.compactMap { $0.split(separator: "/").first.map(String.init) }).sorted()
    }()

    private static func results(
        _ area: String, _ catalogue: Catalogue
    ) throws -> [(file: String, results: [ScenarioResult])] {
        let runner = ScenarioRunner(catalogue: catalogue, zones: try ZoneFiles.source())
        let folder = folder.appending(path: area)
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        return try names.filter { $0.hasSuffix(".yaml") }.sorted().map { name in
            let path = folder.appending(path: name)
            let file = try ScenarioFile.parse(
                String(contentsOf: path, encoding: .utf8), path: path.path, catalogue: catalogue
            ) { (recorded) throws(InputError) in
                do {
                    return try String(
                        contentsOf: path.deletingLastPathComponent().appending(path: recorded),
                        encoding: .utf8)
                } catch {
                    throw InputError("\(error)", file: recorded)
                }
            }
            return (name, try runner.run(file))
        }
    }

    @Test("A log takes every event of every scenario, and verifies", arguments: areas)
    func stored(_ area: String) throws {
        let catalogue = try Catalogue(Catalog.areas)
        let scratch = try ScratchLog()
        let log = try EventLog(path: scratch.path, access: .create, catalogue: catalogue)
        var expected: [(kind: EventKind, tags: [Daybook.Tag])] = []
        for (file, results) in try Self.results(area, catalogue) {
            for result in results {
                let events = try result.events.map { event in
                    let recorded = event.recorded
                    let kind = try #require(catalogue.events[recorded.kind])
                    var new = try kind.read(
                        try JSONParser.parse(event.payloadJSON.utf8), "data",
                        InputRules.standard.ofHistory)
                    new.occurredAt = recorded.envelope.occurredAt
                    new.offsetS = recorded.envelope.offsetS
                    new.zone = recorded.zone
                    return new
                }
                guard !events.isEmpty else { continue }
                #expect(throws: Never.self, "\(area)/\(file): \(result.scenario.title)") {
                    try log.append(AppendRequest(events))
                }
                expected += result.events.map { ($0.recorded.kind, $0.recorded.tags) }
            }
        }
        #expect(expected.count > 10)
        var stored: [(kind: EventKind, tags: [Daybook.Tag])] = []
        try log.reader(.all).forEach { event in
            stored.append((event.kind, event.tags))
            return true
        }
        #expect(stored.map(\.kind) == expected.map(\.kind))
        #expect(stored.map(\.tags) == expected.map(\.tags))
        let result = try log.verify()
        #expect(result.findings.isEmpty && result.events == UInt64(expected.count))
    }
}
