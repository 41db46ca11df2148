import Foundation
import TestSupport
import Testing

/// `state --where`, and a side of `compare` that the environment names.
@Suite struct StateWhereTests {
    private func log() throws -> ScratchLog {
        let log = try ScratchLog()
        let runs = (0..<6).map { number in
            #"{"event": "running.run-completed.v1", "at": "2026-02-2\#(number)T00:00:00Z", "data": {"runId": "r\#(number)", "userId": "u\#(number % 2)", "startedUs": "2026-02-20T00:00:00Z", "endedUs": "2026-02-20T00:00:00Z", "wallMs": 1, "activeMs": 1, "distanceMm": \#(number + 1)000000, "kcal": 60}}"#
        }
        #expect(try log.replay("append", input: runs.joined(separator: "\n") + "\n").code == 0)
        return log
    }

    @Test(
        "Entities are chosen by what their states say at the moment",
        arguments: [
            ("totalDistanceMm > 9000000", [], ["u1"]),
            ("totalDistanceMm > 8000000 && totalRuns == 3", [], ["u0", "u1"]),
            ("runner.totalRuns >= 2", ["--at", "3"], ["u0"]),
            ("totalRuns == 2", ["--valid-at", "2026-02-23"], ["u0", "u1"]),
            ("totalRuns == 3", ["--limit", "1"], ["u0"]),
            ("totalRuns == 3", ["-n", "0"], []),
        ] as [(String, [String], [String])])
    func chooses(_ expression: String, _ more: [String], _ keys: [String]) throws {
        let log = try log()
        let answer = try ReplayProcess.run(
            ["state", "runner", "--where", expression, "--json", "--log", log.path] + more)
        #expect(answer.code == 0, "\(answer.err)")
        #expect(try answer.objects().map { $0["key"] as? String } == keys, "\(answer.out)")
    }

    @Test(
        "A condition that no entity fulfils, or that is wrong, says so",
        arguments: [
            (["runner", "--where", "totalRuns > 9"], 1, "none of 2 entities satisfies"),
            (["runner", "--where", "totalRun > 9"], 2, "column 1: runner has no field 'totalRun'"),
            (["runner", "--where", "totalRun > 9"], 2, "did you mean 'totalRuns'?"),
            (["runner", "--where", "totalRuns >"], 2, "--where 'totalRuns >': column"),
            (["runner", "u0", "--where", "totalRuns > 1"], 2, "combined with a key"),
            (["runner", "u0", "--limit", "1"], 2, "combined with a key"),
            (["runner", "--limit=-1"], 2, "--limit: expected a number of at least 0"),
        ] as [([String], Int32, String)])
    func refuses(_ arguments: [String], _ code: Int32, _ message: String) throws {
        let log = try log()
        let answer = try ReplayProcess.run(["state", "--log", log.path] + arguments)
        #expect(answer.code == code)
        #expect(answer.err.contains(message), "\(answer.err)")
        #expect(answer.out.isEmpty)
    }

    @Test("A log that the environment or --log names is a side of a comparison")
    func comparesNamedLog() throws {
        let log = try log()
        let rules = ["--projection", "run", "--other-rules", "source"]
        let itself = try ReplayProcess.run(["compare", log.path] + rules)
        #expect(itself.code < 2 && itself.out.hasPrefix("compare run"), "\(itself.err)")
        let trace = try log.file("runner.trace", try log.replay("trace", "runner").out)
        for (arguments, environment) in [
            (["compare"], ["DAYBOOK_LOG": log.path]), (["compare", "--log", log.path], [:]),
        ] {
            let named = try ReplayProcess.run(arguments + rules, environment: environment)
            #expect(named.out == itself.out && named.code == itself.code, "\(named.err)")
            let side = try ReplayProcess.run(
                arguments + [trace, "--projection", "runner"], environment: environment)
            #expect(side.code == 0, "\(side.err)")
            let heading = "compare runner: \(trace), standard rules, with \(log.path)"
            #expect(side.out.hasPrefix(heading), "\(side.out)")
        }
        let twice = try ReplayProcess.run(["compare", trace, trace, "--log", log.path])
        #expect(twice.code == 2 && twice.err.contains("omit --log"), "\(twice.err)")
        let none = try ReplayProcess.run(
            ["compare"] + rules, environment: ["DAYBOOK_LOG": ""])
        #expect(none.code == 2 && none.err.contains("DAYBOOK_LOG"), "\(none.err)")
    }
}
