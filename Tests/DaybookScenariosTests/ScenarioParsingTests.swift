import Daybook
import DaybookScenarios
import TestSupport
import Testing

/// Mistakes in scenario files, and what is said of them. Line 1 is the title.
@Suite struct ScenarioParsingTests {
    static let then = "\nthen:\n  - events: []"

    @Test(
        "A mistake in a scenario file is refused with line and field",
        arguments: [
            ("rulez: standard" + then, 2, "rulez", "the key 'rulez' is unknown"),
            ("rules: strict" + then, 2, "rules", "expected the rule set standard or source"),
            ("rules: [standard, standard]" + then, 2, "rules[1]", "once"),
            ("clock: yesterday" + then, 2, "clock", "found the text \"yesterday\""),
            ("when: press" + then, 2, "when", "expected a list"),
            ("when:\n  - do: lamp.pull" + then, 3, "when[0].do", "lamp.press"),
            ("when:\n  - command: lamp.break" + then, 3, "when[0].command", "lamp.switch"),
            ("when:\n  - event: lamp.broken.v1" + then, 3, "when[0].event", "lamp.switched.v1"),
            ("when:\n  - wait: 5" + then, 3, "when[0].wait", "500ms"),
            ("when:\n  - wait: 5 s" + then, 3, "when[0].wait", "500ms"),
            ("when:\n  - do: lamp.press\n    wait: 5s" + then, 3, "when[0]", "do and wait"),
            ("when:\n  - do: lamp.press\n    data: {}" + then, 4, "when[0].data", "'with'"),
            ("when:\n  - name: idle" + then, 3, "when[0]", "found none"),
            ("when:\n  - restart: false" + then, 3, "when[0].restart", "expected true"),
            ("when:\n  - do: lamp.press\n    repeat: 0" + then, 4, "when[0].repeat", "from 1"),
            ("given:\n  - file: gone.jsonl" + then, 3, "given[0].file", "gone.jsonl"),
            ("network: {switch: {}}" + then, 2, "network.switch", "expected a list"),
            (
                "network:\n  switch:\n    - delayMs: 5" + then, 4, "network.switch[0].answer",
                "found neither"
            ),
            (
                "network:\n  switch:\n    - {lost: true, answer: {}}" + then, 4,
                "network.switch[0].answer", "lost"
            ),
            (
                "network:\n  switch:\n    - {answer: {}, delay: 5}" + then, 4,
                "network.switch[0].delay", "the key 'delay' is unknown"
            ),
            ("table: []" + then, 2, "table", "rows"),
            ("table:\n  - i: 5" + then, 3, "table[0].i", "is a built-in placeholder"),
            (
                "table:\n  - x: 5\nwhen:\n  - do: lamp.press\n    with: {lamp: \"${y}\"}" + then, 6,
                "when[0].with.lamp", "'${y}' has no value"
            ),
            ("source: x", 1, "then", "without checks"),
            ("holds: late" + then, 2, "holds", "expected a list"),
            ("holds: [REQ-1, two words]" + then, 2, "holds[1]", "expected a word"),
            ("then: []", 2, "then", "without checks"),
            ("then:\n  - {}", 3, "then[0]", "found none"),
            ("then:\n  - events: [lamp.off]", 3, "then[0].events[0]", "lamp.switched.v1"),
            (
                "then:\n  - events:\n      - {event: lamp.switched.v1, with: {}}", 4,
                "then[0].events[0].with", "the key 'with' is unknown"
            ),
            (
                "then:\n  - count: {lamp.switched.v1: many}", 3, "then[0].count.lamp.switched.v1",
                "number of events"
            ),
            ("then:\n  - count: {lamp.off.v1: 1}", 3, "then[0].count.lamp.off.v1", "no kind"),
            (
                "then:\n  - refused: {step: 1, code: already}", 3, "then[0].refused.step",
                "from 1 to 0"
            ),
            ("then:\n  - state: {of: dark, key: a, is: {}}", 3, "then[0].state.of", "light"),
            ("then:\n  - state: {of: light, key: a}", 3, "then[0].state.is", "missing"),
            (
                "then:\n  - state: {of: light, key: a, is: {off: true}}", 3, "then[0].state.is.off",
                "switches"
            ),
            (
                "then:\n  - state: {of: light, key: a, at: -1, is: {}}", 3, "then[0].state.at",
                "position"
            ),
        ])
    func malformed(yaml: String, line: Int, field: String, message: String) throws {
        let error = try #require(throws: InputError.self) { try lampFile(yaml) }
        expect(error.file, equals: "lamps.yaml")
        expect(error.line, equals: line, "\(error)")
        expect(error.field, equals: field, "\(error)")
        #expect(error.message.contains(message), "\(error)")
    }

    @Test(
        "A mistake in a step is found when it is carried out, with line and field",
        arguments: [
            (
                "when:\n  - do: lamp.press\n    with: {lamp: a, brightness: 5}" + then, 4,
                "when[0].with.brightness"
            ),
            (
                "when:\n  - command: lamp.switch\n    with: {lamp: a, on: no}" + then, 4,
                "when[0].with.on"
            ),
            (
                "when:\n  - event: lamp.switched.v1\n    data: {lamp: a}" + then, 4,
                "when[0].data.on"
            ),
            (
                "when:\n  - do: lamp.press\n    with: {lamp: \"${who}\"}" + then, 4,
                "when[0].with.lamp"
            ),
            (
                "clock: 2026-07-01T09:00:00Z\nwhen:\n  - wait: 5s\n  - at: +1s\n    restart: true"
                    + then,
                5, "when[1].at"
            ),
            (
                "network:\n  switch:\n    - answer: {again: false, later: 1}\nwhen:\n  - do: lamp.press\n"
                    + "    with: {lamp: a}" + then, 4, "network.switch: later"
            ),
        ])
    func malformedSteps(yaml: String, line: Int, field: String) throws {
        let error = try #require(throws: InputError.self) { try lampResults(yaml) }
        expect(error.file, equals: "lamps.yaml")
        expect(error.line, equals: line, "\(error)")
        expect(error.field, equals: field, "\(error)")
    }

    @Test("A recorded file is named with its own line in errors")
    func recordedFileNamesItsOwnLine() throws {
        let lines = "{\"event\": \"lamp.switched.v1\", \"data\": {}}\n\n{\"event\": 5, \"x\": 1}"
        let error = try #require(throws: InputError.self) {
            try lampFile("given:\n  - file: log.jsonl" + Self.then, files: ["log.jsonl": lines])
        }
        expect(error.file, equals: "log.jsonl")
        expect(error.line, equals: 3)
    }

    /// Whatever is done to a file, it is read or refused.
    @Test("Damaged scenario files are read or refused")
    func damagedFilesAreRefused() throws {
        let text =
            Array(
                "rules: standard\nnetwork: &n {switch: [{answer: {again: no}, times: 2}]}\n"
                    .utf8) + Array("when:\n  - do: lamp.press\n    with: {lamp: \"l${i}\"}\n".utf8)
            + Array("then:\n  - count: {lamp.switched: 0}\n".utf8)
        let bytes = Array("\n\t :-[]{}*&!|>'\"#%@`?,a0\u{0}\u{FEFF}é$".utf8)
        var generator = SplitMix(state: 7)
        for _ in 0..<1_000 {
            var damaged = text
            for _ in 0...Int.random(in: 0..<4, using: &generator) {
                let index = Int.random(in: 0..<damaged.count, using: &generator)
                damaged[index] = bytes[Int.random(in: 0..<bytes.count, using: &generator)]
            }
            do {
                _ = try lampResults(String(decoding: damaged, as: UTF8.self))
            } catch is InputError {
                continue
            }
        }
    }
}

/// A generator that does the same damage every time.
private struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= UInt64.mixingStep
        return state.mixed
    }
}
