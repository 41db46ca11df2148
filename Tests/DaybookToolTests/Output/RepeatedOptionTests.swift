import TestSupport
import Testing

/// Options that are given more than once.
@Suite struct RepeatedOptionTests {
    @Test(
        "An option with one value that is given twice is refused by name",
        arguments: [
            (["import", "--format", "gpx", "--format", "nara", "--user", "u", "x"], "--format"),
            (["import", "--format", "nara", "--baby", "a", "--baby=b", "x"], "--baby"),
            (
                ["report", "daily", "--baby=a", "--rules", "source", "--rules", "standard"],
                "--rules"
            ),
            (["report", "daily", "--baby", "a", "--date=2020-01-01", "--baby", "b"], "--baby"),
            (["state", "entry", "--at", "1", "--at", "2"], "--at"),
            (["log", "--from", "2020-01-01", "--from", "2020-01-02"], "--from"),
            (["verify", "--log", "a", "--log", "b"], "--log"),
            (
                [
                    "launch-decision", "--config", "a", "--app-version", "1", "--app-version", "2",
                    "--now", "today",
                ], "--app-version"
            ), (["ranking", "--week", "2026-W08", "--week", "2026-W09"], "--week"),
        ])
    func refused(_ arguments: [String], _ option: String) throws {
        let answer = try ReplayProcess.run(arguments)
        #expect(answer.code == 2, "\(answer)")
        #expect(
            answer.err.contains("\(option) takes one value but is given twice"), "\(answer.err)")
    }

    @Test("Options that add up, flags and values that look like options are not refused")
    func added() throws {
        let log = try ScratchLog()
        #expect(try log.replay("append", input: "").code == 0)
        let kinds = try log.replay(
            "log", "--kind", "baby-care.entry-recorded", "--kind", "running.run-started", "--json",
            "--json")
        #expect(kinds.code == 0, "\(kinds.err)")
        let version = try ReplayProcess.run(["import", "--help", "--help"])
        #expect(version.code == 0, "\(version.err)")
        let file = try ReplayProcess.run(["verify", "--", "--log", "--log"])
        #expect(!file.err.contains("is given twice"))
    }
}
