import Daybook
import DaybookScenarios
import Testing

/// Events that no log can hold are refused in a scenario, as they are in a log.
@Suite("Scenarios hold events to what a log can store") struct StorableScenarioTests {
    private static let ids = ["", "a\\tb", String(repeating: "x", count: 251)]

    private static func failure(_ yaml: String) -> InputError? {
        do {
            _ = try lampResults(yaml)
            return nil
        } catch let error as InputError {
            return error
        } catch {
            return nil
        }
    }

    @Test("A fact whose id makes no tag is named by its step", arguments: ids, ["given", "when"])
    func facts(_ id: String, _ section: String) throws {
        let fact = "[{event: lamp.switched.v1, data: {lamp: \"\(id)\", on: true, at: 0}}]"
        let other = section == "given" ? "when: []\n" : ""
        let error = try #require(
            Self.failure(
                "clock: 2026-07-01T09:00:00Z\n\(section): \(fact)\n\(other)"
                    + "then: [{count: {lamp.switched.v1: 1}}]\n"))
        #expect(error.field == "\(section)[0].data")
        #expect(error.message.contains("is not a tag"), "\(error)")
    }

    @Test("A command whose id makes no tag is refused by name", arguments: ids)
    func commands(_ id: String) throws {
        let results = try lampResults(
            """
            clock: 2026-07-01T09:00:00Z
            when:
              - {name: switch, command: lamp.switch, with: {lamp: "\(id)", on: true}}
              - {command: lamp.switch, with: {lamp: a, on: true}}
            then:
              - refused: {step: switch, code: invalidTag}
              - count: {lamp.switched.v1: 1}
            """)
        let failed = results.filter { !$0.passed }
        #expect(failed.isEmpty, "\(ScenarioReport.text(failed))")
    }

    @Test("An actor longer than a log takes is named by its step")
    func metadata() throws {
        let actor = String(repeating: "a", count: 65_536)
        let error = try #require(
            Self.failure(
                """
                clock: 2026-07-01T09:00:00Z
                when:
                  - {actor: \(actor), command: lamp.switch, with: {lamp: a, on: true}}
                then: [{count: {lamp.switched.v1: 1}}]
                """))
        #expect(error.field == "when[0]")
    }
}
