import Foundation
import TestSupport
import Testing

/// Answers that cannot be written, and files that must not be.
@Suite struct OutputTests {
    /// A log with one run, and a baby with many entries.
    private func log() throws -> ScratchLog {
        let log = try ScratchLog()
        let launches = (1...200).map {
            #"{"command": "launch.launch-app", "data": {"launchId": "l\#($0)", "device": "d"#
                + #"\#($0)", "firstLaunch": false, "appVersion": "1.0.0", "platform": "ios"}}"#
        }
        let made = try log.replay("append", input: launches.joined(separator: "\n"))
        expect(made.code, equals: 0, "\(made.err)")
        return log
    }

    /// Runs a line of shell in the folder of a log; `$replay` is the command, `$log` the log.
    private func shell(_ log: ScratchLog, _ line: String) throws -> ReplayProcess.Answer {
        try ReplayProcess.run(
            [
                "-c",
                "cd '\(log.folder.path)'; replay='\(ReplayProcess.binary.path)'; "
                    + "export DAYBOOK_LOG='\(log.path)'; \(line)",
            ],
            program: URL(fileURLWithPath: "/bin/sh"))
    }

    #if os(Linux)
        @Test(
            "An answer that does not fit its disk ends every command with 2",
            arguments: [
                "log", "log --json", "state splash --json", "trace splash", "history splash l1",
                "stat", "stat --json", "verify", "schema", "audit", "transitions splash",
                "transitions splash --format svg", "--help", "--version", "help state",
                "--generate-completion-script bash", "capture splash l1", "order-safety splash",
                "blame splash l1", "what-if splash l1 --skip 1", "ranking --week 2026-W08",
            ])
        func full(_ command: String) throws {
            let log = try log()
            let answer = try shell(log, "\"$replay\" \(command) > /dev/full")
            expect(answer.code, equals: 2, "\(answer)")
            expect(
                answer.err,
                equals: "replay: standard output cannot be written: No space left on device\n"
            )
        }
    #endif

    @Test("An answer that outgrows a limit on files ends with 2 and not by a signal")
    func limited() throws {
        let log = try log()
        let answer = try shell(log, "ulimit -f 4; \"$replay\" log --json > answer")
        expect(answer.code, equals: 2, "\(answer)")
        #expect(answer.err.contains("standard output cannot be written: File too large"))
    }

    @Test("A log that outgrows a limit on files is an error with a code")
    func limitedLog() throws {
        let log = try log()
        let lines = (1...2_000).map {
            #"{"command": "launch.launch-app", "data": {"launchId": "m\#($0)", "device": "d"#
                + #"\#($0)", "firstLaunch": false, "appVersion": "1.0.0", "platform": "ios"}}"#
        }
        _ = try log.file("lines", lines.joined(separator: "\n"))
        let answer = try shell(log, "ulimit -f 300; \"$replay\" append < lines")
        expect(answer.code, equals: 3, "\(answer)")
        #expect(answer.err.hasPrefix("replay: "))
        #expect(try log.replay("verify").out.hasPrefix("sound: 200 events"))
    }

    @Test("A reader that has gone ends a command quietly with 2")
    func gone() throws {
        let log = try log()
        // More than a pipe holds.
        let answer = try shell(
            log, "( \"$replay\" schema --json; echo $? > code ) | head -n 1 > first; cat code")
        expect(answer.out, equals: "2\n")
        #expect(answer.err.isEmpty)
    }

    @Test("A command that follows a log ends when its reader has gone, even without new events")
    func goneFollower() throws {
        let log = try log()
        let answer = try shell(
            log, "( \"$replay\" log --follow; echo $? > code ) | head -n 1 > first; cat code")
        #expect(answer.out == "2\n" && answer.err.isEmpty, "\(answer)")
    }

    @Test("Closed standard streams receive nothing, and no log takes their place")
    func closed() throws {
        let log = try log()
        let before = try Data(contentsOf: URL(fileURLWithPath: log.path))
        let answer = try shell(
            log,
            "\"$replay\" log --json >&-; echo $?; \"$replay\" nothing 2>&-; echo $?; \"$replay\" append <&-; echo $?"
        )
        expect(answer.out, equals: "2\n2\n2\n")
        try expect(Data(contentsOf: URL(fileURLWithPath: log.path)), equals: before)
        try expect(log.replay("verify").code, equals: 0)
    }

    @Test("An append says what is appended where its answer cannot be written")
    func append() throws {
        let log = try log()
        let lines = ["y", "z"].map {
            #"{"command": "launch.launch-app", "data": {"launchId": "\#($0)", "device": "d", "firstLaunch": false, "#
                + #""appVersion": "1.0.0", "platform": "ios"}}"#
        }
        _ = try log.file("lines", lines.joined(separator: "\n"))
        let count = { try log.replay("stat", "--json").objects()[0]["events"] as? Int ?? 0 }
        let before = try count()
        // The second launch ends the first one.
        let each = try shell(log, "\"$replay\" append --each --json < lines >&-")
        expect(each.code, equals: 2)
        #expect(each.err.contains("; standard input was processed up to line 1"))
        try expect(count(), equals: before + 1)
        let all = try shell(log, "\"$replay\" append --json < lines >&-")
        expect(all.code, equals: 2)
        #expect(all.err.contains("; 2 events in 1 commit are appended"), "\(all.err)")
        try expect(count(), equals: before + 3)
    }

    @Test("An export that did not arrive is not noted in the log")
    func record() throws {
        let log = try ScratchLog()
        let made = try log.replay(
            "import", "--format", "babyconnect", "--baby", "mia", "--zone", "Asia/Seoul",
            Self.tour.path)
        expect(made.code, equals: 0)
        let before = try log.replay("stat", "--json").objects()[0]["events"] as? Int
        let export = "\"$replay\" export --format babyai-csv --baby mia --record"
        let answer = try shell(log, "\(export) >&-")
        expect(answer.code, equals: 2)
        #if os(Linux)
            try expect(shell(log, "\(export) > /dev/full").code, equals: 2)
            let issued = "\"$replay\" report daily --baby mia --date 2020-03-08 --issue"
            for form in ["text", "json", "csv", "svg"] {
                try expect(shell(log, "\(issued) --format \(form) > /dev/full").code, equals: 2)
            }
        #endif
        try expect(shell(log, "ulimit -f 1; \(export) --output out.csv").code, equals: 2)
        try expect(log.replay("stat", "--json").objects()[0]["events"] as? Int, equals: before)
        let files = try FileManager.default.contentsOfDirectory(atPath: log.folder.path)
        #expect(!files.contains { $0.hasSuffix(".partial") || $0 == "out.csv" }, "\(files)")
        try expect(shell(log, "\(export) > out.csv").code, equals: 0)
        #expect(try log.replay("stat", "--json").objects()[0]["events"] as? Int != before)
    }

    /// Beside the sources, which the tests are built from.
    private static let tour = Checkout.root.appending(path: "docs/tour-baby.csv")

    @Test("A planted link receives nothing, wherever it lies")
    func links() throws {
        let log = try log()
        let victim = try log.file("victim", "mine")
        let files = FileManager.default
        for name in ["link.yaml", "link.yaml.partial", "target.yaml.partial"] {
            try files.createSymbolicLink(
                atPath: log.folder.path + "/" + name, withDestinationPath: victim)
        }
        let link = try log.replay(
            "capture", "splash", "l1", "--output", log.folder.path + "/link.yaml")
        #expect(link.code == 2 && link.err.contains("is a link, which is not followed"))
        let target = try log.replay(
            "capture", "splash", "l1", "--output", log.folder.path + "/target.yaml")
        expect(target.code, equals: 0, "\(target.err)")
        try expect(String(contentsOfFile: victim, encoding: .utf8), equals: "mine")
        let junit = try ReplayProcess.run([
            "check", log.folder.path + "/target.yaml", "--junit", log.folder.path + "/link.yaml",
        ])
        #expect(junit.code == 2 && junit.err.contains("is a link"), "\(junit.err)")
        try expect(String(contentsOfFile: victim, encoding: .utf8), equals: "mine")
    }

    @Test("A link to a folder is not followed, and a file in a folder is named by it")
    func folders() throws {
        let log = try log()
        let files = FileManager.default
        let (folder, link) = (log.folder.path + "/folder", log.folder.path + "/link")
        try files.createDirectory(atPath: folder, withIntermediateDirectories: false)
        try files.createSymbolicLink(atPath: link, withDestinationPath: folder)
        try expect(log.replay("capture", "splash", "l1", "--output", link).code, equals: 2)
        try expect(files.contentsOfDirectory(atPath: folder), equals: [])
        let made = try log.replay("capture", "splash", "l1", "--output", folder)
        expect(made.err, equals: "replay: written to \(folder)/splash.yaml\n")
        try expect(files.contentsOfDirectory(atPath: folder), equals: ["splash.yaml"])
    }

    @Test("A pipe or a device in the place of the file is refused without waiting for it")
    func pipes() throws {
        let log = try log()
        let pipe = log.folder.path + "/pipe"
        expect(mkfifo(pipe, 0o600), equals: 0)
        for path in [pipe, "/dev/null"] {
            let refused = try log.replay("capture", "splash", "l1", "--output", path)
            #expect(refused.code == 2 && refused.err.contains("regular file"), "\(refused.err)")
        }
    }

    @Test("A file that is replaced keeps its rights, and one that may not be written stays")
    func rights() throws {
        let log = try log()
        let target = try log.file("target.yaml", "old")
        let files = FileManager.default
        try files.setAttributes([.posixPermissions: 0o600], ofItemAtPath: target)
        let capture = ["capture", "splash", "l1", "--output", target, "--force"]
        try expect(ReplayProcess.run(capture + ["--log", log.path]).code, equals: 0)
        #expect(try String(contentsOfFile: target, encoding: .utf8).hasPrefix("scenario:"))
        let rights = try files.attributesOfItem(atPath: target)[.posixPermissions] as? Int
        expect(rights, equals: 0o600)
        try files.setAttributes([.posixPermissions: 0o444], ofItemAtPath: target)
        let refused = try log.replay("capture", "splash", "l1", "--output", target)
        #expect(refused.code == 2 && refused.err.contains("no permission to write the file"))
    }
}
