import Daybook
import DaybookScenarios
import Foundation
import TestSupport
import Testing

/// `Scenarios/schema.json` and the parser know the same keys.
@Suite struct SchemaTests {
    static let folder = ScenarioFolderTests.folder

    @Test(
        "The schema knows the keys of each object", arguments: ScenarioFormat.objects.keys.sorted())
    func knowsTheKeys(of object: String) throws {
        let text = try String(
            contentsOf: Self.folder.appending(path: "schema.json"), encoding: .utf8)
        let definition = try #require(try JSONParser.parse(text.utf8)["$defs"]?[object])
        #expect(definition["additionalProperties"]?.content == .boolean(false))
        guard case .map(let properties) = try #require(definition["properties"]).content else {
            Issue.record("no properties of \(object)")
            return
        }
        #expect(properties.map(\.key).sorted() == ScenarioFormat.objects[object]?.sorted())
    }

    /// Needs Python with PyYAML and jsonschema; passes without saying anything where it is not.
    @Test("Every scenario file is valid under the schema")
    func everyFileIsValid() throws {
        let answer = try Program.run([
            "python3", Self.folder.appending(path: "validate.py").path(),
        ])
        // 127: there is no Python at all.
        #expect([0, 77, 127].contains(answer.code), "\(answer.out)\(answer.err)")
    }
}
