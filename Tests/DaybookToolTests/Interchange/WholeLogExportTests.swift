import Foundation
import TestSupport
import Testing

/// The formats of `export` that hold a whole log.
@Suite struct WholeLogExportTests {
    private static let formats = ["sql", "perfetto", "otlp", "cloudevents"]

    private func log() throws -> ScratchLog {
        let log = try ScratchLog()
        let lines = """
            {"command": "household.change-profile", "at": "2026-02-15T00:00:00Z", "actor": "O'Hara", "data": {"babyId": "b", "zone": "Asia/Seoul"}}
            {"command": "baby-care.start", "at": "2026-02-20T01:00:00Z", "data": {"entryId": "it's", "babyId": "b", "kind": "sleep"}}
            {"command": "baby-care.record", "at": "2026-02-20T02:00:00.5Z", "data": {"entryId": "back\\\\slash", "babyId": "b", "kind": "formula", "startedUs": "2026-02-20T02:00:00Z", "value": {"ml": 120}}}
            {"command": "baby-care.complete", "at": "2026-02-20T03:00:00Z", "causation": 2, "data": {"entryId": "it's", "endedUs": "2026-02-20T03:00:00Z"}}
            """
        let made = try log.replay("append", "--each", input: lines)
        expect(made.code, equals: 0, "\(made)")
        return log
    }

    @Test("SQLite loads the file, and as-of is a WHERE clause")
    func asOf() throws {
        let log = try log()
        let file = log.folder.appendingPathComponent("log.sql").path
        try expect(
            log.replay("export", "--format", "sql", "--texts", "--output", file).code, equals: 0)
        let script = """
            import sqlite3, sys
            base = sqlite3.connect(":memory:")
            base.executescript(open(sys.argv[1], encoding="utf-8").read())
            def ask(query, *values):
                print(base.execute(query, values).fetchall())
            ask("SELECT position, kind, version, actor, causation FROM events WHERE position = 1")
            ask("SELECT position, kind, causation FROM events WHERE position IN (2, 4)")
            ask("SELECT count(*) FROM event_tags WHERE tag = 'baby:b'")
            for position in (1, 2, 4):
                ask('''SELECT key, "kind", "endedUs" IS NULL FROM entry_history
                    WHERE from_position <= ? AND (to_position IS NULL OR to_position > ?)
                    ORDER BY key''', position, position)
            for position in (2, 3, 4):
                ask("SELECT key, from_position, to_position, from_time < to_time, cause "
                    "FROM entry_history WHERE from_position = ?", position)
            ask("SELECT key, position FROM entry ORDER BY key")
            ask("SELECT occurred_at FROM events WHERE position = 3")
            """
        let answer = try Python.run(script, [file])
        expect(
            answer.out,
            equals: #"""
                [(1, 'household.baby-profile-changed', 1, "O'Hara", None)]
                [(2, 'baby-care.entry-opened', None), (4, 'baby-care.entry-closed', 2)]
                [(3,)]
                []
                [("it's", 'sleep', 1)]
                [('back\\slash', 'formula', 1), ("it's", 'sleep', 0)]
                [("it's", 2, 4, 1, 'baby-care.entry-opened.v1')]
                [('back\\slash', 3, None, None, 'baby-care.entry-recorded.v1')]
                [("it's", 4, None, None, 'baby-care.entry-closed.v1')]
                [('back\\slash', 3), ("it's", 4)]
                [('2026-02-20T02:00:00.500000Z',)]

                """#, "\(answer.out)")
    }

    @Test("Equal logs give equal bytes, on one core as on several", arguments: formats)
    func equalBytes(_ format: String) throws {
        let log = try log()
        let call = ["export", "--format", format, "--log", log.path]
        let first = try ReplayProcess.run(call)
        #expect(first.code == 0 && !first.out.isEmpty, "\(first.err)")
        try expect(ReplayProcess.run(call).out, equals: first.out)
        // With a limit of the address space, the program uses one thread.
        let limited = try ReplayProcess.run(
            ["-c", "ulimit -v 60000000 && exec \"$0\" \"$@\"", ReplayProcess.binary.path] + call,
            environment: ["TZ": "Asia/Kathmandu", "LC_ALL": "tr_TR.UTF-8"],
            program: URL(fileURLWithPath: "/bin/sh"))
        expect(limited.out, equals: first.out, "\(limited.err)")
    }

    @Test(
        "A file is written whole or not at all, and only --force replaces one", arguments: formats)
    func file(_ format: String) throws {
        let log = try log()
        let path = log.folder.appendingPathComponent("out").path
        let call = ["export", "--format", format, "--output", path, "--log", log.path]
        try "mine".write(toFile: path, atomically: true, encoding: .utf8)
        let refused = try ReplayProcess.run(call)
        #expect(refused.code == 2 && refused.err.contains("--force replaces it"), "\(refused.err)")
        try expect(String(contentsOfFile: path, encoding: .utf8), equals: "mine")
        try expect(ReplayProcess.run(call + ["--force"]).code, equals: 0)
        let written = try String(contentsOfFile: path, encoding: .utf8)
        #expect(written == (try log.replay("export", "--format", format).out))
        let names = try FileManager.default.contentsOfDirectory(atPath: log.folder.path)
        #expect(!names.contains { $0.contains("partial") }, "\(names)")
        let folder = try ReplayProcess.run(
            ["export", "--format", format, "--output", log.folder.path, "--log", log.path])
        #expect(folder.code == 2 && folder.err.contains("the path is a folder"), "\(folder.err)")
    }

    @Test(
        "Options of other formats are refused by name",
        arguments: [
            (["--format", "sql", "--run", "r"], "--run cannot be used with the format sql"),
            (["--format", "sql", "--record"], "--record can only be used with"),
            (["--format", "gpx", "--run", "r", "--texts"], "--texts can only be used with"),
            (["--format", "sql", "--projection", "entri"], "There is no projection 'entri'"),
            (["--format", "sql", "--at", "99"], "--at 99: the log ends at position 4"),
            (["--format", "sq"], "sq"),
            (["--format", "sql", "--texts", "keys"], "A file for keys can only be given with"),
            (["--format", "cloudevents", "keys"], "A file for keys can only be given with"),
            (["--format", "cloudevents", "--texts"], "--texts needs the file for the keys"),
            (["--format", "cloudevents", "--at", "1"], "--at cannot be used with the format"),
            (["--format", "cloudevents", "--projection", "entry"], "--projection cannot be used"),
            (
                ["--format", "cloudevents", "--texts", "k", "--output", "k"],
                "--texts and --output name the same file"
            ),
        ])
    func refusals(_ options: [String], _ message: String) throws {
        let log = try log()
        let answer = try ReplayProcess.run(["export", "--log", log.path] + options)
        #expect(answer.code == 2 && answer.out.isEmpty, "\(answer)")
        #expect(answer.err.contains(message), "\(answer.err)")
    }

    @Test("--projection and --no-history leave out tables, and --at ends the tables there")
    func narrowed() throws {
        let log = try log()
        let text = try log.replay(
            "export", "--format", "sql", "--projection", "entry", "--no-history", "--at", "2"
        ).out
        let tables = text.matches(of: /CREATE TABLE "(\w+)"/).map { String($0.output.1) }
        expect(tables, equals: ["events", "event_tags", "entry"])
        #expect(text.contains("read through position 2"))
        #expect(text.matches(of: /\('it''s',2,/).count == 1)
        #expect(!text.contains("'formula'"))
    }

    @Test("A phase begins at the end of the one before, whatever the clocks said")
    func clocksBehind() throws {
        let log = try ScratchLog()
        let lines = """
            {"event": "offline-queue.mutation-dropped.v1", "at": "2026-02-03T12:00:05Z", "data": {"mutationId": "m", "device": "a"}}
            {"event": "offline-queue.mutation-retried.v1", "at": "2026-02-03T12:00:03Z", "data": {"mutationId": "m", "device": "a"}}
            {"event": "offline-queue.mutation-queued.v1", "at": "2026-02-03T12:00:01Z", "data": {"mutationId": "m", "device": "a", "number": 1, "kind": "other", "kindText": "x", "entryId": "e", "babyId": "b", "userId": null, "reason": "notLinked", "wasSent": true, "dependsOn": null, "payloadDigest": "sha256:730a9a8c611681d7", "body": "x", "rules": "source"}}
            """
        try expect(log.replay("append", "--each", input: lines).code, equals: 0)
        let trace = try log.replay("export", "--format", "perfetto").out
        let phases = trace.matches(of: /"(\w+)","ph":"X".*"ts":(\d+),"dur":(\d+),"cat":"mutation"/)
        expect(
            phases.map { "\($0.1) \($0.2) \($0.3)" },
            equals: [
                "dropped 1770120005000000 0", "pending 1770120005000000 0",
            ], "\(trace)")
    }

    @Test("A log without events gives tables without rows")
    func empty() throws {
        let log = try log()
        let text = try log.replay("export", "--format", "sql", "--at", "2026-01-01").out
        #expect(text.contains("CREATE TABLE") && !text.contains("VALUES"), "\(text.prefix(200))")
        let trace = try log.replay("export", "--format", "perfetto", "--at", "2026-01-01").out
        let object = try JSONSerialization.jsonObject(with: Data(trace.utf8)) as? [String: Any]
        #expect(object?["traceEvents"] is [Any])
        #expect(try log.replay("export", "--format", "otlp", "--at", "2026-01-01").out.isEmpty)
    }
}
