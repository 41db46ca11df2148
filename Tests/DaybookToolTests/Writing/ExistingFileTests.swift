import Foundation
import TestSupport
import Testing

/// Files that commands write, and files that were there before.
@Suite struct ExistingFileTests {
    private func log() throws -> ScratchLog {
        let log = try ScratchLog()
        let profile =
            #"{"command": "household.change-profile", "at": "2026-02-15T00:00:00Z", "data": "#
            + #"{"babyId": "b", "zone": "Asia/Seoul"}}"#
        let line =
            #"{"command": "baby-care.record", "at": "2026-02-20T01:00:00Z", "data": {"#
            + #""entryId": "f1", "babyId": "b", "kind": "formula", "#
            + #""startedUs": "2026-02-20T01:00:00Z", "value": {"ml": 120}}}"#
        try expect(log.replay("append", input: profile + "\n" + line).code, equals: 0)
        return log
    }

    @Test("Every --output that names a file of somebody's is refused, and replaced with --force")
    func output() throws {
        let log = try log()
        let path = log.folder.appendingPathComponent("mine").path
        let calls = [
            ["capture", "entry", "f1"], ["shrink", "entry", "f1", "--until", "revisions > 0"],
            ["export", "--format", "babyai-csv", "--baby", "b"],
        ]
        for call in calls {
            try "mine".write(toFile: path, atomically: true, encoding: .utf8)
            let all = call + ["--output", path, "--log", log.path]
            let refused = try ReplayProcess.run(all)
            expect(refused.code, equals: 2, "\(call)")
            #expect(
                refused.err.contains("exists already; --force replaces it"), "\(refused.err)")
            try expect(String(contentsOfFile: path, encoding: .utf8), equals: "mine")
            try expect(ReplayProcess.run(all + ["--force"]).code, equals: 0)
            #expect(try String(contentsOfFile: path, encoding: .utf8) != "mine")
            let help = try ReplayProcess.run([call[0], "--help"]).out
            #expect(help.contains("Replace an existing file that --output names"), "\(help)")
        }
    }

    /// A run's file is called by its id; a baby's has the second of the export in its name.
    @Test("An export into a folder replaces no earlier one of the same name")
    func folder() throws {
        let log = try ScratchLog()
        let track = try log.file(
            "track.gpx",
            """
            <gpx version="1.1"><trk><trkseg>
            <trkpt lat="37.5665" lon="126.978"><time>2026-02-20T10:00:00Z</time></trkpt>
            <trkpt lat="37.5755" lon="126.978"><time>2026-02-20T10:05:00Z</time></trkpt>
            </trkseg></trk></gpx>
            """)
        let imported = try log.replay("import", "--format", "gpx", "--user", "u", "--json", track)
        let run = try #require(try imported.objects().first?["run"] as? String)
        let folder = log.folder.appendingPathComponent("exports").path
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false)
        let export = ["export", "--format", "gpx", "--run", run, "--output", folder]
        let call = export + ["--log", log.path]
        try expect(ReplayProcess.run(call).code, equals: 0)
        try expect(ReplayProcess.run(call).code, equals: 2)
        try expect(ReplayProcess.run(call + ["--force"]).code, equals: 0)
        try expect(FileManager.default.contentsOfDirectory(atPath: folder), equals: ["\(run).gpx"])
    }

    @Test("A JUnit report replaces an earlier one and an empty file, and nothing else")
    func junit() throws {
        let log = try log()
        let captured = try log.replay("capture", "entry", "f1").out
        let story = try log.file("story.yaml", captured)
        let path = log.folder.appendingPathComponent("report.xml").path
        for before in ["", nil] {
            if let before { try before.write(toFile: path, atomically: true, encoding: .utf8) }
            try expect(ReplayProcess.run(["check", story, "--junit", path]).code, equals: 0)
        }
        let mistaken = try ReplayProcess.run(["check", story, "--junit", story])
        expect(mistaken.code, equals: 2)
        #expect(mistaken.err.contains("exists already and is not an earlier report"))
        try expect(String(contentsOfFile: story, encoding: .utf8), equals: captured)
    }

    @Test("There is no count of scenarios if none could be read")
    func unread() throws {
        let log = try log()
        let wrong = try log.file("wrong.yaml", "scenario: [")
        for path in [wrong, "nowhere.yaml", log.folder.path + "/none"] {
            let answer = try ReplayProcess.run(["check", path])
            expect(answer.code, equals: 2)
            #expect(answer.out.isEmpty && answer.err.contains(path), "\(answer)")
        }
    }
}
