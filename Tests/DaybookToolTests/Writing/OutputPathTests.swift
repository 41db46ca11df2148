import Foundation
import TestSupport
import Testing

/// The options and arguments of all commands that name a file to write, beside the files of logs.
@Suite struct OutputPathTests {
    /// A call that writes a file: `@` is its path, `#` another one.
    struct Call: CustomTestStringConvertible {
        /// The command and its option or argument, as the schema of the commands names it.
        var name: String
        var words: String
        /// True if the path is that of a folder.
        var isFolder = false

        init(_ name: String, _ words: String, isFolder: Bool = false) {
            (self.name, self.words, self.isFolder) = (name, words, isFolder)
        }

        var testDescription: String { words }
    }

    static let calls = [
        Call("backup file", "backup @"),
        Call("capture --output", "capture entry f1 --output @ --force"),
        Call("check --junit", "check story.yaml --junit @"),
        Call("export --output", "export --format babyai-csv --baby b --output @ --force"),
        Call("export --output", "export --format sql --output @ --force"),
        Call("export --output", "export --format perfetto --output @ --force"),
        Call("export --output", "export --format otlp --output @ --force"),
        Call("export --output", "export --format cloudevents --output @ --force"),
        Call("export keys", "export --format cloudevents --output # --force --texts @"),
        Call("salvage --output", "salvage log.daybook --output @"),
        Call("ship folder", "ship @", isFolder: true),
        Call("ship --texts", "ship # --texts @"),
        Call("shrink --output", "shrink entry f1 --until revisions>0 --output @ --force"),
        Call("view --output", "view --output @ --force"),
        Call("view --output", "view entry f1 --texts --json --output @ --force"),
    ]

    /// Options and arguments with a path that is only read, or that is the log's own.
    static let readPaths: Set<String> = [
        "audit --old-tzdata", "check path", "check-proof --public-key", "check-proof file",
        "compare --expect",
        "compare first", "compare second", "import --texts", "import file",
        "launch-decision --app-defaults", "launch-decision --config", "launch-decision --keys",
        "log --query", "prove --sign",
        "pull --texts", "pull source", "push log", "restore --heads", "restore --signed-by",
        "restore file", "routes path", "salvage file", "shrink --against", "shrink --refused",
        "shrink --scenario", "stat --sign", "verify --copy-of", "verify --heads",
        "verify --signed-by", "view --insert", "what-if --again", "what-if --insert",
        // The tests of PostgreSQL write these.
        "database --to",
    ]

    /// A log with each kind of file that belongs to one, in a folder of their own.
    private final class Files {
        let log: ScratchLog
        /// Paths of files of logs, each relative to the folder or not.
        var own: [String] = []

        init() throws {
            log = try ScratchLog()
            let head = try append(to: "log.daybook", "--head-file", "head")
            expect(head.code, equals: 0, "\(head)")
            try expect(append(to: "other.daybook").code, equals: 0)
            try expect(run("ship", "shipped", "--texts", "keys").code, equals: 0)
            let story = try run("capture", "entry", "f1").out
            _ = try log.file("story.yaml", story)
            let manager = FileManager.default
            let (folder, path) = (
                log.folder.path, { (name: String) in "\(self.log.folder.path)/\(name)" }
            )
            try manager.linkItem(atPath: path("other.daybook"), toPath: path("hard-link"))
            try manager.createSymbolicLink(
                atPath: path("link"), withDestinationPath: "log.daybook")
            try manager.createSymbolicLink(atPath: path("again"), withDestinationPath: folder)
            try manager.copyItem(atPath: path("log.daybook"), toPath: path("quiet"))
            let segment = try #require(
                try manager.contentsOfDirectory(atPath: path("shipped")).first {
                    $0.hasSuffix(".segment")
                        || (manager.contents(atPath: path("shipped/\($0)")) ?? Data())
                            .starts(with: Data("daybook-segment".utf8))
                })
            own = [
                "log.daybook", "./log.daybook", path("log.daybook"), "again/log.daybook",
                "hard-link", "link", "log.daybook-lock", "again/log.daybook-lock", "head",
                "again/head", "keys", "shipped/\(segment)", "log.daybook.replay-partial",
                "again/log.daybook.replay-partial", "log.daybook.replay-partial-lock",
                "other.daybook", "other.daybook-lock", "other.daybook.replay-partial", "quiet",
                "quiet-lock", "again/cache/daybook/new.log",
            ]
            try manager.createDirectory(
                atPath: path("cache/daybook"), withIntermediateDirectories: true)
        }

        /// Appends the record of a bottle to a log.
        func append(to name: String, _ more: String...) throws -> ReplayProcess.Answer {
            let line =
                #"{"command": "household.change-profile", "at": "2026-02-15T00:00:00Z", "zone": "#
                + #""UTC", "data": {"babyId": "b", "zone": "UTC"}}"# + "\n"
                + #"{"command": "baby-care.record", "at": "2026-02-20T01:00:00Z", "zone": "UTC", "#
                + #""data": {"entryId": "f1", "babyId": "b", "kind": "formula", "#
                + #""startedUs": "2026-02-20T01:00:00Z", "value": {"ml": 120}}}"#
            return try ReplayProcess.run(
                ["append", "--log", "\(log.folder.path)/\(name)"] + more, input: line,
                in: log.folder)
        }

        /// Runs a command in the folder, about the log.
        func run(_ words: [String], log name: String = "log.daybook") throws
            -> ReplayProcess.Answer
        {
            try ReplayProcess.run(
                words,
                environment: [
                    "DAYBOOK_LOG": name, "XDG_CACHE_HOME": log.folder.path + "/cache",
                ], in: log.folder)
        }

        func run(_ words: String...) throws -> ReplayProcess.Answer { try run(words) }

        /// The content of each file of a log; the lock files change whenever a log is read.
        var contents: [String: Data?] {
            var contents: [String: Data?] = [:]
            for name in own {
                let path = name.hasPrefix("/") ? name : "\(log.folder.path)/\(name)"
                let data = FileManager.default.contents(atPath: path)
                contents[name] = name.hasSuffix("-lock") ? data.map { Data($0.prefix(8)) } : data
            }
            return contents
        }
    }

    @Test("No output replaces a file of a log, however its path is spelled", arguments: calls)
    func refused(_ call: Call) throws {
        let files = try Files()
        let before = files.contents
        for path in files.own {
            // A replaced file of keys is what the option is for.
            if path == "keys", call.name == "ship --texts" || call.name == "export keys" {
                continue
            }
            if call.isFolder, FileManager.default.fileExists(atPath: path) { continue }
            let words = call.words.split(separator: " ").map { word in
                word == "@" ? path : word == "#" ? "second" : String(word)
            }
            let answer = try files.run(words)
            expect(answer.code, equals: 2, "\(words): \(answer)")
            #expect(
                ["not overwritten", "never overwritten", "already exists", "a folder", "is a link"]
                    .contains(where: answer.err.contains), "\(words): \(answer.err)")
            expect(files.contents, equals: before, "\(words)")
        }
        let words = call.words.split(separator: " ").map { word in
            word == "@" ? "first" : word == "#" ? "second" : String(word)
        }
        let answer = try files.run(words)
        expect(answer.code, equals: 0, "\(words): \(answer)")
        #expect(FileManager.default.fileExists(atPath: files.log.folder.path + "/first"))
        // A backup leaves a note in the log while it is written.
        let others = files.contents.filter { !$0.key.hasSuffix("log.daybook") && $0.key != "link" }
        expect(others, equals: before.filter { others.keys.contains($0.key) })
    }

    /// The name of an argument is that of its value.
    @Test("Each path that a command takes is known here as one that is written, or only read")
    func allPaths() throws {
        let text = try ReplayProcess.run(["--experimental-dump-help"]).out
        let help = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        let command = try #require(help?["command"] as? [String: Any])
        var found: Set<String> = []
        for sub in command["subcommands"] as? [[String: Any]] ?? [] {
            let name = try #require(sub["commandName"] as? String)
            for argument in sub["arguments"] as? [[String: Any]] ?? [] {
                let completion = argument["completionKind"] as? [String: Any] ?? [:]
                let value = argument["valueName"] as? String ?? ""
                let isPath =
                    completion["file"] != nil || completion["directory"] != nil
                    || completion["custom"] == nil
                        && ["path", "file", "folder", "key"].contains(value)
                let names = argument["names"] as? [[String: Any]] ?? []
                let option = names.compactMap { $0["name"] as? String }.first
                // Options of all commands: the log itself, its keys, and a folder that is read.
                let common = ["log", "head-file", "key-file", "tzdata"]
                guard isPath, !common.contains(option ?? "") else { continue }
                found.insert("\(name) \(option.map { "--\($0)" } ?? value)")
            }
        }
        let written = Set(Self.calls.map(\.name))
        expect(found.subtracting(Self.readPaths), equals: written)
        #expect(Self.readPaths.subtracting(found).isEmpty)
    }

    @Test("A log, a head file or an answer is not begun in the place of another file of a log")
    func begun() throws {
        let files = try Files()
        let before = files.contents
        for name in ["quiet-lock", "log.daybook.replay-partial"] {
            let answer = try files.append(to: name)
            #expect(answer.code == 2 && answer.err.contains("choose another"), "\(answer)")
            let restored = try files.run(["restore", "quiet", "--log", name])
            #expect(restored.code == 2 && restored.err.contains("not overwritten"), "\(restored)")
        }
        for head in ["new", "new-lock", "new.replay-partial", "quiet-lock", "log.daybook"] {
            let answer = try files.append(to: "new", "--head-file", head)
            #expect(answer.code == 2 && answer.err.contains("expected a head file"), "\(answer)")
            #expect(!FileManager.default.fileExists(atPath: files.log.folder.path + "/new"))
        }
        let output = try #require(FileHandle(forUpdatingAtPath: files.log.path))
        try output.seekToEnd()
        let answer = try ReplayProcess.run(
            ["log", "--log", files.log.path], output: output, in: files.log.folder)
        #expect(answer.code == 2 && answer.err.contains("standard output is the log"), "\(answer)")
        expect(files.contents, equals: before)
    }

    @Test("A log whose name is that of an output under way is not taken for its remnant")
    func remnant() throws {
        let files = try Files()
        let manager = FileManager.default
        let path = files.log.folder.path + "/out.replay-partial"
        try manager.copyItem(atPath: files.log.path, toPath: path)
        let before = manager.contents(atPath: path)
        for words in [
            ["export", "--format", "sql", "--output", "out"], ["view", "--output", "out"],
            ["backup", "out"], ["ship", "shipped2", "--texts", "out"],
        ] {
            let answer = try files.run(words, log: "out.replay-partial")
            #expect(answer.code == 2 && answer.err.contains("out"), "\(answer)")
            expect(manager.contents(atPath: path), equals: before, "\(words)")
        }
    }
}
