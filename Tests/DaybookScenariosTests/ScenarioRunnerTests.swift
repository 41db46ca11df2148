import Daybook
import DaybookScenarios
import TestSupport
import Testing

@Suite struct ScenarioRunnerTests {
    static let slow = """
        clock: 2026-07-01T09:00:00Z
        network:
          switch:
            - delayMs: 200
              answer: {again: false}

        """

    /// Runs scenarios that must hold, and gives their results.
    @discardableResult
    private func hold(_ yaml: String) throws -> [ScenarioResult] {
        let results = try lampResults(yaml)
        let failed = results.filter { !$0.passed }
        let report = failed.isEmpty ? "" : ScenarioReport.text(failed)
        expect(report, equals: "")
        return results
    }

    @Test("Scripted answers arrive after their delay")
    func answersComeByTheirDelay() throws {
        let results = try hold(
            Self.slow + """
                when:
                  - do: lamp.press
                    with: {lamp: a}
                then:
                  - events:
                      - event: lamp.switched.v1
                        data: {lamp: a, on: true, at: 2026-07-01T09:00:00.200Z}
                  - state: {of: light, key: a, at: +199ms, is: {on: false, switches: 0}}
                  - state: {of: light, key: a, at: +200ms, is: {on: true}}
                  - state: {of: light, key: a, at: 0, is: {on: false}}
                  - state: {of: light, key: a, at: 1, is: {on: true}}
                """)
        expect(results.first?.events.map(\.recorded.position), equals: [Position(1)])
    }

    @Test("A moment that is expected as a time is found as one")
    func momentsAreShownAsTimes() throws {
        let failures = try lampResults(
            """
            clock: 2026-07-01T09:00:00Z
            when:
              - {command: lamp.switch, with: {lamp: a, on: true}}
            then:
              - state: {of: light, key: a, is: {last: 2026-07-01T09:00:01Z, switches: 1}}
              - state: {of: light, key: a, is: {switches: 2026-07-01T09:00:01Z}}
            """
        ).flatMap(\.failures)
        expect(failures.map(\.field), equals: ["last", "switches"])
        expect(failures.map(\.expected).first, equals: "\"2026-07-01T09:00:01Z\"")
        expect(failures.map(\.actual), equals: ["\"2026-07-01T09:00:00Z\"", "1"])
    }

    @Test("Repeated steps happen at once and are numbered")
    func repetitionsAreAtOnceAndNumbered() throws {
        try hold(
            Self.slow + """
                when:
                  - do: lamp.press
                    repeat: 100
                    with: {lamp: "l${i}"}
                then:
                  - count: {lamp.switched: 100}
                  - state: {of: light, key: l100, is: {last: 2026-07-01T09:00:00.200Z}}
                """)
    }

    @Test("A restart discards answers under way")
    func restartForgetsAnswersUnderWay() throws {
        try hold(
            Self.slow + """
                when:
                  - do: lamp.press
                    with: {lamp: a}
                  - wait: 100ms
                  - restart: true
                then:
                  - events: []
                """)
    }

    @Test("Scripted answers are tried in order")
    func scriptedAnswersAreTriedInOrder() throws {
        try hold(
            """
            network:
              switch:
                - {id: b, lost: true}
                - {times: 2, delayMs: 10, answer: {again: true}}
                - {answer: {again: false}}
            clock: 2026-07-01T09:00:00Z
            when:
              - parallel:
                  - do: lamp.press
                    with: {lamp: a}
                  - do: lamp.press
                    with: {lamp: b}
            then:
              - events:
                  - event: lamp.switched.v1
                    data: {lamp: a, at: 2026-07-01T09:00:00.020Z}
            """)
    }

    @Test("Refusals must be expected")
    func refusalsMustBeExpected() throws {
        let steps = """
            when:
              - command: lamp.switch
                with: {lamp: a, on: true}
              - name: again
                command: lamp.switch
                with: {lamp: a, on: true}

            """
        try hold(steps + "then:\n  - refused: {step: again, code: already}")
        try hold(steps + "then:\n  - refused: {step: 2, code: already}")
        let failures = try lampResults(steps + "then:\n  - count: {lamp.switched.v1: 1}")
            .flatMap(\.failures)
        expect(failures.map(\.place), equals: ["when[1] (again)"])
        expect(failures.first?.actual, equals: "refused: already: it is so already")
        let missing = try lampResults(steps + "then:\n  - refused: {step: 1, code: already}")
            .flatMap(\.failures)
        #expect(missing.map(\.actual).contains("not refused"))
    }

    @Test("Events of given steps are not counted in checks")
    func givenEventsAreNotThoseOfWhen() throws {
        let file = try lampFile(
            """
            clock: 2026-07-01T09:00:00Z
            given:
              - event: lamp.switched.v1
                at: 2026-06-01T09:00:00+09:00
                data: {lamp: a, on: true, at: 0, note: 안녕}
              - file: log.jsonl
            when:
              # Late: it is recorded now, of yesterday.
              - event: lamp.switched.v1
                at: 2026-06-30T09:00:00Z
                data: {lamp: a, on: true, at: 0}
            then:
              - events: [lamp.switched]
              - state: {of: light, key: a, at: 2026-06-30T23:00:00Z, is: {on: false, switches: 2}}
              - state: {of: light, key: a, is: {on: true, last: 2026-06-30T09:00:00Z}}
            """,
            files: [
                "log.jsonl":
                    """
                {"command": "lamp.switch", "at": "2026-06-02T09:00:00Z", "data": {"lamp": "a", "on": false}}
                """
            ])
        let runner = ScenarioRunner(catalogue: try Catalogue([Lamp.self]))
        let result = try #require(try runner.run(file).first)
        let report = result.passed ? "" : ScenarioReport.text([result])
        expect(report, equals: "")
        expect(result.givenHead, equals: Position(2))
        expect(result.events.first?.payloadJSON.contains("안녕"), equals: true)
        expect(result.events.first?.recorded.envelope.offsetS, equals: 32_400)
    }

    @Test("Rows of a table run one by one under each rule set")
    func rowsRunOneByOneUnderEachRuleSet() throws {
        let results = try hold(
            """
            rules: [standard, source]
            table:
              - {lamp: a, on: true, count: 1}
              - {case: stays off, lamp: 1.10, on: no, count: 0}
            when:
              - event: lamp.switched.v1
                data: {lamp: "${lamp}", on: true, at: 0}
            then:
              - count: {lamp.switched.v1: 1}
              - state: {of: light, key: "${lamp}", is: {switches: 1}}
            """)
        expect(
            results.map(\.scenario.variant),
            equals: [
                "lamp a, on true, count 1, standard", "lamp a, on true, count 1, source",
                "stays off, standard", "stays off, source",
            ])
    }

    @Test("An endless flow is stopped")
    func endlessFlowIsStopped() throws {
        let failures = try lampResults(
            """
            network: {switch: [{answer: {again: true}}]}
            when:
              - do: lamp.press
                with: {lamp: a}
            then:
              - events: []
            """, stepLimit: 50
        ).flatMap(\.failures)
        expect(failures.first?.expected, equals: "flows finish within 50 steps")
    }

    @Test("An effect without a scripted answer fails the scenario")
    func unscriptedEffectFails() throws {
        let failures = try lampResults(
            """
            when:
              - do: lamp.press
                with: {lamp: a}
            then:
              - events: []
            """
        ).flatMap(\.failures)
        expect(failures.first?.expected, equals: "a scripted answer in 'network.switch'")
        expect(failures.first?.actual, equals: "no answer for id 'a', detail 'on'")
    }

    @Test("A flow's own answers are used where a scenario scripts none")
    func flowsBringTheirNetwork() throws {
        let press = """
            when:
              - do: lamp.press
                with: {lamp: hall}

            """
        try hold(
            "clock: 2026-07-01T09:00:00Z\n" + press + """
                then:
                  - state: {of: light, key: hall, is: {last: 2026-07-01T09:00:00.100Z}}
                """)
        try hold(
            Self.slow + press + """
                then:
                  - state: {of: light, key: hall, is: {last: 2026-07-01T09:00:00.200Z}}
                """)
    }
}
