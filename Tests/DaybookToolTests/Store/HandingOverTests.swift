import Foundation
import TestSupport
import Testing

/// Addresses of logs in databases, for which `replay` runs another program.
@Suite struct HandingOverTests {
    private static let address = "postgres://kim@db.example/diary?log=home"

    /// A folder with the program `replay`, and in place of `replay-postgres` a script.
    private struct Programs {
        let folder: TemporaryFolder
        var replay: URL { folder.url.appendingPathComponent("replay") }

        /// - Parameter script: what the other program does; `nil` for none.
        init(_ script: String?) throws {
            folder = try TemporaryFolder()
            let manager = FileManager.default
            do {
                try manager.linkItem(at: ReplayProcess.binary, to: replay)
            } catch {
                try manager.copyItem(at: ReplayProcess.binary, to: replay)
            }
            guard let script else { return }
            let path = folder.path("replay-postgres")
            try ("#!/bin/sh\n" + script).write(toFile: path, atomically: false, encoding: .utf8)
            try manager.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        }

        func run(
            _ arguments: [String], log: String? = nil, input: String = ""
        ) throws -> ReplayProcess.Answer {
            try ReplayProcess.run(
                arguments, input: input, environment: ["DAYBOOK_LOG": log ?? ""], program: replay)
        }
    }

    @Test(
        "A command on an address runs the other program with all arguments, input and variables",
        arguments: [
            (["stat", "--log", address], nil),
            (["stat", "--log=\(address)", "--json"], nil),
            (["stat"], address),
            (["log", "--log", "postgresql:///diary?log=a%20b", "--limit", "3"], nil),
            (["append"], address),
            (["report", "daily", "--baby", "a b", "--date", "today"], address),
            (["pull", address, "--log", "file"], nil),
            (["compare", address, "--projection", "session", "--other-rules", "source"], nil),
            (["compare", "file", address, "--projection", "session"], nil),
            (["database", "install", address], nil),
            (["database", "create", address, "--key-file", "keys"], nil),
        ] as [([String], String?)])
    func handsOver(_ arguments: [String], _ log: String?) throws {
        let programs = try Programs(
            #"for word in "$@"; do echo "<$word>"; done; echo "$DAYBOOK_LOG"; cat; exit 7"#)
        let answer = try programs.run(arguments, log: log, input: "input\n")
        #expect(answer.code == 7, "\(answer.err)")
        #expect(
            answer.out == arguments.map { "<\($0)>\n" }.joined() + "\(log ?? "")\ninput\n")
        #expect(answer.err.isEmpty)
    }

    @Test(
        "A command that reads no log, and help, need no other program",
        arguments: [
            ["--version"], ["--help"], ["log", "--help"], ["schema"], ["database", "--help"],
        ])
    func staysHere(_ arguments: [String]) throws {
        let answer = try Programs(nil).run(arguments, log: Self.address)
        #expect(answer.code == 0 && !answer.out.isEmpty, "\(answer.err)")
    }

    @Test("A missing program is named, with the way to build it")
    func missingProgram() throws {
        for arguments in [["stat"], ["append"], ["database", "list", Self.address]] {
            let programs = try Programs(nil)
            let answer = try programs.run(arguments, log: Self.address)
            #expect(answer.code == 2 && answer.out.isEmpty)
            #expect(
                answer.err.contains(
                    "/replay-postgres, which is not there; build it with 'swift build --traits "
                        + "PostgreSQL --product replay-postgres', which needs libpq-dev"),
                "\(answer.err)")
        }
    }

    @Test("A program that cannot be run is named with the reason")
    func unusableProgram() throws {
        let programs = try Programs("")
        let path = programs.folder.path("replay-postgres")
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        let answer = try programs.run(["stat"], log: Self.address)
        #expect(answer.code == 2)
        #expect(answer.err.contains("the program cannot be run: Permission denied"))
    }

    @Test("Keys are refused for a log that is a file, and wrong addresses with the reason")
    func usage() throws {
        let log = try AnswerTests.log()
        for (arguments, sentence) in [
            (["stat", "--log", log.path, "--key-file", "k"], "are for a log in PostgreSQL; a"),
            (["stat", "--log", log.path, "--key-command", "k"], "are for a log in PostgreSQL"),
            (
                ["stat", "--key-file", "k", "--key-command", "c", "--log", log.path],
                "--key-file and --key-command contradict each other"
            ),
            (["database", "list", log.path], "is no address of a database"),
            (["database", "drop", Self.address], "is invalid for '<action>'"),
            (
                ["database", "list", Self.address, "--key-file", "k"],
                "can only be used with create"
            ),
            (["database", "install", Self.address, "--json"], "can only be used with list and"),
            (
                ["pull", Self.address, "--log", "x", "--texts", "k", "--promote"],
                "--promote can only be used with segments"
            ),
            (
                ["pull", Self.address, "--log", "x", "--texts", "k", "--key-file", "k"],
                "Give the keys once"
            ),
            (["pull", "folder", "--log", log.path, "--key-file", "k"], "are for a log in"),
        ] {
            let answer = try Programs("exit 7").run(arguments)
            #expect(answer.code == 2 && answer.out.isEmpty, "\(arguments): \(answer)")
            #expect(answer.err.contains(sentence), "\(arguments): \(answer.err)")
        }
    }
}
