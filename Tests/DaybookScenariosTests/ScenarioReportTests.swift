import Daybook
import DaybookScenarios
import Foundation
import Testing

@Suite struct ScenarioReportTests {
    static let wrong = """
        source: S9 & co
        clock: 2026-07-01T09:00:00Z
        when:
          - command: lamp.switch
            with: {lamp: a, on: true}
        then:
          - events:
              # The first one.
              - event: lamp.switched.v1
                data: {lamp: a, on: false}   # not yet
          - count: {lamp.switched.v1: 3}
          - state:
              of: light
              key: a
              is:
                on: "false"  # as a text
                switches: 1

        """

    @Test("The text report names step, field and events")
    func textTellsStepFieldAndEvents() throws {
        let text = ScenarioReport.text(try lampResults(Self.wrong))
        #expect(
            text == """
                FAILED  lamps.yaml  Lamps
                        source: S9 & co
                  lamps.yaml:11: then[0].events[0] lamp.switched.v1, field 'on'
                    expected  false
                    actual    true
                    events before the failure:
                      1  2026-07-01T09:00:00Z  lamp.switched.v1  \
                {"lamp":"a","on":true,"note":null,"at":"2026-07-01T09:00:00Z"}
                  lamps.yaml:12: then[1].count, field 'lamp.switched.v1'
                    expected  3
                    actual    1
                    the same events before the failure
                  lamps.yaml:17: then[2].state light a, field 'on'
                    expected  "false"
                    actual    true
                    the same events before the failure

                1 scenario, 1 failed

                """)
    }

    @Test("A failure names what its scenario holds")
    func failureNamesWhatItsScenarioHolds() throws {
        let text = ScenarioReport.text(try lampResults("holds: [REQ-1, 4.20]\n" + Self.wrong))
        #expect(text.contains("\n        holds: REQ-1, 4.20\n"))
    }

    @Test("JUnit reports are well-formed")
    func jUnitIsWellFormed() throws {
        let results = try lampResults(Self.wrong)
        let xml = JUnitReport.xml(
            results, errors: [InputError("a < b \"\u{1}\"", file: "x.yaml", line: 3)],
            suite: "replay check")
        #expect(xml.contains("<testsuite name=\"replay check\" "))
        #expect(xml.contains("tests=\"2\" failures=\"1\" errors=\"1\""))
        #expect(xml.contains("x.yaml:3: a &lt; b &quot;\\u{1}&quot;"))
        #expect(xml.contains("<failure message=\"then[1].count lamp.switched.v1: expected 3"))
    }

    @Test("An update rewrites only failed expectations")
    func updateRewritesOnlyWhatFailed() throws {
        let file = try lampFile(Self.wrong)
        let runner = ScenarioRunner(catalogue: try Catalogue([Lamp.self]))
        let update = ScenarioUpdate.update(file, with: try runner.run(file))
        #expect(update.changeCount == 3)
        #expect(update.unresolvedFailures.isEmpty)
        let expected = ("scenario: Lamps\n" + Self.wrong)
            .replacing("on: false}   # not yet", with: "on: true}   # not yet")
            .replacing("v1: 3", with: "v1: 1").replacing("\"false\"  # as", with: "true  # as")
        #expect(update.text == expected)
    }

    @Test("An update rewrites lists of events")
    func updateRewritesEvents() throws {
        let start = """
            when:
              - command: lamp.switch
                with: {lamp: a, on: true}
              - command: lamp.switch
                with: {lamp: b, on: true}
            then:

            """
        let runner = ScenarioRunner(catalogue: try Catalogue([Lamp.self]))
        let lists = [
            (
                "  - events: []\n",
                "  - events:\n      - lamp.switched.v1\n      - lamp.switched.v1\n"
            ),
            (
                "  - events:\n      # one\n      - event: lamp.switched.v1\n        data: {lamp: a}\n"
                    + "  # count\n  - count: {lamp.switched.v1: 2}\n",
                "  - events:\n      - event: lamp.switched.v1\n        data: {lamp: a}\n"
                    + "      - lamp.switched.v1\n  # count\n  - count: {lamp.switched.v1: 2}\n"
            ),
        ]
        for (before, after) in lists {
            let file = try lampFile(start + before)
            let update = ScenarioUpdate.update(file, with: try runner.run(file))
            #expect(update.text == "scenario: Lamps\n" + start + after)
            let again = try ScenarioFile.parse(
                update.text, path: "lamps.yaml", catalogue: try Catalogue([Lamp.self]))
            #expect(try runner.run(again).allSatisfy { $0.passed })
        }
    }

    @Test("An update leaves scenarios with variants unchanged")
    func updateLeavesVariantsAlone() throws {
        let file = try lampFile("rules: [standard, source]\nthen:\n  - count: {lamp.switched: 1}")
        let runner = ScenarioRunner(catalogue: try Catalogue([Lamp.self]))
        let update = ScenarioUpdate.update(file, with: try runner.run(file))
        #expect(update.changeCount == 0)
        #expect(update.unresolvedFailures.count == 2)
    }
}
