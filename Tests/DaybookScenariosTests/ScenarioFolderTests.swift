import Daybook
import DaybookInput
import DaybookScenarios
import Foundation
import TestSupport
import Testing

@testable import DaybookModel

// Holds: s4-qa-scenarios
/// Every file in `Scenarios/` holds.
@Suite struct ScenarioFolderTests {
    static let folder = Checkout.root.appending(path: "Scenarios")

    static let files: [String] = {
        let paths = FileManager.default.enumerator(atPath: folder.path())
        return (paths?.compactMap { $0 as? String } ?? []).filter { $0.hasSuffix(".yaml") }.sorted()
    }()

    @Test("Every scenario of the folder passes", arguments: files)
    func holds(path: String) throws {
        let catalogue = try Catalogue(Catalog.areas)
        let text = try String(contentsOf: Self.folder.appending(path: path), encoding: .utf8)
        let folder = Self.folder.appending(path: path).deletingLastPathComponent()
        let file = try ScenarioFile.parse(text, path: path, catalogue: catalogue) {
            (name) throws(InputError) in
            do {
                return try String(contentsOf: folder.appending(path: name), encoding: .utf8)
            } catch {
                throw InputError("'\(name)' cannot be read: \(error.localizedDescription)")
            }
        }
        let results = try ScenarioRunner(
            catalogue: catalogue, zones: try ZoneFiles.source()
        ).run(file)
        let failed = results.filter { !$0.passed }
        let report = failed.isEmpty ? "" : ScenarioReport.text(failed)
        #expect(report == "")
    }

    @Test("Every area has scenarios")
    func everyAreaHasScenarios() throws {
        let folders = Set(Self.files.map { $0.prefix { $0 != "/" } })
        for area in Catalog.areas where !area.flows.isEmpty {
            #expect(folders.contains(area.name[...]), "no scenario in \(area.name)")
        }
    }
}
