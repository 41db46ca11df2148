import Foundation
import TestSupport
import Testing

/// `what-if --again`: commands that were given once, decided again.
@Suite struct CommandAgainTests {
    /// The third is refused, since a sleep is open; the last has no time of its own.
    private static let story = """
        {"command": "household.onboard", "at": "2026-03-01T07:00:00Z", "key": "k0", "data": {"babyId": "b", "householdId": "h", "name": "Bo", "zone": "Asia/Seoul", "by": "ana"}}
        {"command": "baby-care.start", "at": "2026-03-02T07:00:00Z", "key": "k1", "data": {"entryId": "s1", "babyId": "b", "kind": "sleep", "by": "ana"}}
        {"command": "baby-care.start", "at": "2026-03-02T07:30:00Z", "key": "k2", "data": {"entryId": "s2", "babyId": "b", "kind": "sleep", "by": "ana"}}
        {"command": "baby-care.complete", "at": "2026-03-02T08:00:00Z", "key": "k3", "data": {"entryId": "s1", "by": "ana"}}
        {"command": "baby-care.cancel", "key": "k4", "data": {"entryId": "s1", "by": "ana"}}

        """

    private func log() throws -> (log: ScratchLog, commands: String) {
        let log = try ScratchLog()
        let answer = try log.replay("append", "--each", input: Self.story)
        #expect(answer.code == 1 && answer.err.contains("openEntryExists"), "\(answer.err)")
        return (log, try log.file("commands.jsonl", Self.story))
    }

    /// The lines of an answer that tell of commands, and those that tell of entities.
    private func told(
        _ answer: ReplayProcess.Answer
    ) throws -> (commands: [[String: Any]], entities: [[String: Any]]) {
        expect(answer.code, equals: 0, "\(answer.err)")
        let objects = try answer.objects()
        return (objects.filter { $0["line"] != nil }, objects.filter { $0["key"] != nil })
    }

    @Test("Deciding commands again without a change gives the same events at any moment")
    func same() throws {
        let (log, commands) = try log()
        let bytes = try Data(contentsOf: URL(filePath: log.path))
        let all = try log.replay("what-if", "entry", "--again", commands)
        expect(all.out, equals: "5 commands decided again: 5 as before, 0 changed\n")
        let past = try log.replay("what-if", "entry", "--again", commands, "--at", "2")
        expect(past.out, equals: "1 command decided again: 1 as before, 0 changed\n")
        // A command sent twice was recorded once; a refused one was refused twice.
        let lines = Self.story.split(separator: "\n").flatMap { [$0, $0] }
        let twice = try log.file("twice.jsonl", lines.joined(separator: "\r\n\r\n"))
        let again = try log.replay("what-if", "entry", "--again", twice)
        expect(again.out, equals: "6 commands decided again: 6 as before, 0 changed\n")
        try expect(Data(contentsOf: URL(filePath: log.path)), equals: bytes)
    }

    @Test("A command that would be refused is told, also where nothing else comes of it")
    func refusedAlone() throws {
        let (log, _) = try log()
        let inserted = try log.file(
            "inserted.jsonl",
            #"{"command": "baby-care.cancel", "after": 1, "data": {"entryId": "zz", "by": "ana"}}"#
                + "\n")
        let text = try log.replay("what-if", "entry", "--insert", inserted)
        expect(text.code, equals: 0)
        let refused =
            ":1: would be refused: Event not found: there is no entry 'zz' (entryNotFound)"
        #expect(text.err.contains(refused))
        expect(text.out, equals: "entry: nothing would differ\n")
        let json = try log.replay("what-if", "entry", "--insert", inserted, "--json")
        try expect(
            json.objects().compactMap { $0["refusals"] as? [String] }.joined().count, equals: 1)
        let unknown = try log.replay("what-if", "entry", "nobody", "--skip", "3")
        #expect(unknown.code != 0 && unknown.err.contains("'nobody'"), "\(unknown)")
    }

    @Test("Skipping an event refuses later commands and accepts a refused one")
    func cascades() throws {
        let (log, commands) = try log()
        let told = try told(
            log.replay("what-if", "entry", "--skip", "3", "--again", commands, "--json"))
        expect(told.commands.map { $0["line"] as? Int }, equals: [3, 4, 5])
        expect(told.commands[0]["events"] as? [String], equals: ["baby-care.entry-opened.v1"])
        #expect(told.commands[0]["first"] is NSNull)
        let codes = told.commands.dropFirst().map { ($0["refused"] as? [String: Any])?["code"] }
        expect(codes.map { $0 as? String }, equals: ["entryNotFound", "entryNotFound"])
        expect(told.entities.map { $0["key"] as? String }, equals: ["s1", "s2"])
        #expect(told.entities[0]["after"] is NSNull)
        #expect(told.entities[1]["before"] is NSNull)
        expect((told.entities[1]["after"] as? [String: Any])?["state"] as? String, equals: "open")
        let text = try log.replay("what-if", "entry", "--skip", "3", "--again", commands).out
        #expect(text.contains("entry s1: would not exist\n    entryId: \"s1\" → –\n"))
        #expect(text.contains("entry s2: would be new\n    entryId: – → \"s2\"\n"))
        #expect(text.contains("first after 3, baby-care.entry-opened.v1"))
    }

    @Test("A key that was refused first and accepted later belongs to the later one")
    func retried() throws {
        let (log, _) = try log()
        // The third, sent again an hour later, when nothing is open any more.
        let late = Self.story.split(separator: "\n")[2]
            .replacingOccurrences(of: "T07:30", with: "T09:30")
        try expect(log.replay("append", "--each", input: late + "\n").code, equals: 0)
        let commands = try log.file("retried.jsonl", Self.story + late + "\n")
        let same = try log.replay("what-if", "entry", "--again", commands)
        expect(same.out, equals: "6 commands decided again: 6 as before, 0 changed\n")
        // Had nothing been open, the first would have been accepted, and the second be its repeat.
        let told = try told(
            log.replay("what-if", "entry", "--skip", "3", "--again", commands, "--json"))
        expect(told.commands.map { $0["line"] as? Int }, equals: [3, 4, 5, 6])
        expect(told.commands[3]["repeated"] as? Bool, equals: true)
        expect(told.entities.map { $0["key"] as? String }, equals: ["s1", "s2"])
    }

    @Test("A refused command differs from one with nothing to do")
    func refusedOrNothing() throws {
        let log = try ScratchLog()
        let story = """
            {"command": "household.onboard", "key": "k0", "data": {"babyId": "b", "householdId": "h", "zone": "UTC", "by": "ana"}}
            {"command": "household.change-role", "key": "k1", "data": {"householdId": "h", "userId": "ben", "role": "parent", "by": "ana"}}
            {"command": "household.change-role", "key": "k2", "data": {"householdId": "h", "userId": "ben", "role": "parent", "by": "ben"}}

            """
        try expect(log.replay("append", "--each", input: story).code, equals: 0)
        let commands = try log.file("roles.jsonl", story)
        let told = try told(
            log.replay("what-if", "household", "--skip", "3", "--again", commands, "--json"))
        expect(told.commands.count, equals: 1)
        let refused = told.commands.first?["refused"] as? [String: Any]
        expect(refused?["code"] as? String, equals: "accessDenied")
    }

    @Test(
        "A key given with another request is refused",
        arguments: [
            ("T08:00", "T08:05", 4, "endedUs"), ("\"name\": \"Bo\"", "\"name\": \"Al\"", 1, ""),
            ("\"s1\", \"by\": \"ana\"}}\n\n", "\"s1\", \"by\": \"eve\"}}\n\n", 5, "state"),
        ])
    func otherwise(_ old: String, _ new: String, _ line: Int, _ field: String) throws {
        let (log, _) = try log()
        let story = (Self.story + "\n").replacingOccurrences(of: old, with: new)
        #expect(story != Self.story + "\n")
        let commands = try log.file("other.jsonl", story)
        let told = try told(log.replay("what-if", "entry", "--again", commands, "--json"))
        expect(told.commands.map { $0["line"] as? Int }, equals: [line])
        let changes = told.entities.first?["changes"] as? [[String: Any]]
        #expect(changes?.contains { $0["field"] as? String == field } ?? field.isEmpty)
    }

    @Test("The new id is unknown if the baby's id is not replaced")
    func renamed() throws {
        let log = try ScratchLog()
        let story = """
            {"command": "household.onboard", "key": "k0", "data": {"babyId": "local", "householdId": "h", "zone": "UTC", "by": "ana"}}
            {"command": "baby-care.start", "key": "k1", "data": {"entryId": "e", "babyId": "local", "kind": "sleep", "by": "ana"}}
            {"command": "household.replace-id", "key": "k2", "data": {"kind": "careEntry", "localId": "e", "remoteId": "s"}}
            {"command": "household.replace-id", "key": "k3", "data": {"kind": "baby", "localId": "local", "remoteId": "b"}}

            """
        try expect(log.replay("append", "--each", input: story).code, equals: 0)
        let kept = try log.replay("what-if", "open-entries", "--skip", "5").out
        #expect(kept.contains("open-entries b: would not exist"))
        #expect(kept.contains("open-entries local, known as b: nothing would differ"))
        let never = try log.replay("what-if", "open-entries", "--skip", "3").out
        #expect(never.hasPrefix("open-entries b: would not exist"), "\(never)")
    }

    @Test("Facts are not decided again, and every command must be found")
    func lines() throws {
        let (log, _) = try log()
        let fact =
            #"{"event": "launch.app-launched.v1", "key": "f", "data": {"launchId": "l", "appVersion": "1.0.0", "platform": "ios", "firstLaunch": false, "device": "p"}}"#
        let facts = try log.file("facts.jsonl", fact + "\n")
        let answer = try log.replay("what-if", "entry", "--again", facts)
        expect(answer.out, equals: "0 commands decided again: 0 as before, 0 changed\n")
        let cancel = #"{"command": "baby-care.cancel", "data": {"entryId": "s1", "by": "ana"}"#
        let bare = try log.replay("what-if", "entry", "--again", "-", input: cancel + "}\n")
        expect(bare.code, equals: 2)
        #expect(
            bare.err.contains("standard input:1: field 'key': a command needs an idempotency key"),
            "\(bare.err)")
        // Behind the event that opened it, it can be cancelled; the later one then is not.
        let placed = try told(
            log.replay(
                "what-if", "entry", "--again", "-", "--json",
                input: cancel + ", \"after\": 3}\n"))
        expect(placed.commands[0]["events"] as? [String], equals: ["baby-care.entry-cancelled.v1"])
        let beyond = try log.replay(
            "what-if", "entry", "--again", "-", input: cancel + ", \"after\": 99}\n")
        #expect(beyond.code == 2 && beyond.err.contains("the log ends at position 5"))
        let nameless = try log.replay(
            "what-if", "entry", "--again", "-", input: cancel + ", \"key\": \"\"}\n")
        #expect(nameless.code == 2 && nameless.err.contains("1 to 255 bytes"))
        let both = try log.replay("what-if", "entry", "--again", "-", "--insert", "-")
        #expect(both.code == 2 && both.err.contains("cannot both read standard input"))
    }
}
