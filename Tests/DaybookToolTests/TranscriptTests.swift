import Foundation
import TestSupport
import Testing

// Holds: s4-chat-sessions, s4-chat-messages, s4-chat-memory
/// Chats with the AI as the app lists and shows them, and as the AI is given them.
@Suite struct TranscriptTests {
    private static func say(_ id: String, _ at: String, _ role: String, _ text: String) -> String {
        #"{"command": "chat.add-session-message", "at": "2026-02-20T\#(at)Z", "data": {"sessionId": "s1", "messageId": "\#(id)", "role": "\#(role)", "text": "\#(text)"}}"#
    }

    private func log() throws -> ScratchLog {
        let log = try ScratchLog()
        let story = [
            #"{"command": "household.onboard", "at": "2026-02-20T08:00:00Z", "data": {"babyId": "offline_b", "householdId": "h", "zone": "UTC", "by": "ana"}}"#,
            #"{"command": "chat.open-session", "at": "2026-02-20T08:40:00.120Z", "data": {"sessionId": "s1", "userId": "ana", "householdId": "h", "childId": "offline_b"}}"#,
            Self.say(
                "m1", "08:41:00", "user",
                "  Is feeding <steady>\\n this week, after the vaccination? "),
            Self.say("m2", "08:41:05.500", "assistant", "Feeding looks steady."),
            #"{"command": "household.replace-id", "at": "2026-02-20T08:42:00Z", "data": {"kind": "baby", "localId": "offline_b", "remoteId": "b"}}"#,
            #"{"command": "chat.open-session", "at": "2026-02-20T08:43:00Z", "data": {"sessionId": "s2", "userId": "ana", "householdId": "h"}}"#,
        ]
        let answer = try log.replay("append", "--each", input: story.joined(separator: "\n"))
        expect(answer.code, equals: 0, "\(answer.err)")
        return log
    }

    @Test("The list of chats is the app's, the newest message first")
    func sessions() throws {
        let log = try log()
        let answer = try log.replay("report", "chats", "--user", "ana", "--shape", "source")
        expect(answer.code, equals: 0, "\(answer.err)")
        #expect(
            answer.out
                == #"{"sessions":[{"child_id":null,"ended_at":null,"last_message_at":"2026-02-20T08:43:00Z","#
                + #""message_count":0,"preview":"No messages yet","session_id":"s2","#
                + #""started_at":"2026-02-20T08:43:00Z","status":"active","title":"New conversation","#
                + #""updated_at":"2026-02-20T08:43:00Z"},{"child_id":"b","ended_at":null,"#
                + #""last_message_at":"2026-02-20T08:41:05.5Z","message_count":2,"#
                + #""preview":"Feeding looks steady.","session_id":"s1","#
                + #""started_at":"2026-02-20T08:40:00.12Z","status":"active","#
                + #""title":"Is feeding \u003csteady\u003e this week, after t...","#
                + #""updated_at":"2026-02-20T08:41:05.5Z"}]}"# + "\n")
    }

    @Test("The chats of a child are found by each of its ids", arguments: ["offline_b", "b"])
    func child(_ id: String) throws {
        let log = try log()
        let answer = try log.replay("report", "chats", "--user", "ana", "--child", id, "--json")
        let sessions = try answer.objects().first?["sessions"] as? [[String: Any]]
        expect(sessions?.map { $0["sessionId"] as? String }, equals: ["s1"])
    }

    @Test(
        "A number of chats beyond 1 to 100 is refused, and by the source taken for one that is known"
    )
    func limits() throws {
        let log = try log()
        let ask = ["report", "chats", "--user", "ana", "--json", "--log", log.path]
        func count(_ more: String...) throws -> Int? {
            let answer = try ReplayProcess.run(ask + more)
            return (try answer.objects().first?["sessions"] as? [Any])?.count
        }
        try expect(count("--limit", "1"), equals: 1)
        try expect(count("--limit", "0", "--rules", "source"), equals: 2)
        try expect(count("--limit", "1000", "--rules", "source"), equals: 2)
        for limit in ["0", "101", "-1"] {
            try expect(ReplayProcess.run(ask + ["--limit=\(limit)"]).code, equals: 2, "\(limit)")
        }
    }

    @Test("A chat is shown message by message, and one that nobody knows is not found")
    func session() throws {
        let log = try log()
        let answer = try log.replay("report", "chat", "--session", "s1", "--shape", "source")
        #expect(
            answer.out
                == #"{"child_id":"b","ended_at":null,"household_id":"h","messages":["#
                + #"{"content":"Is feeding \u003csteady\u003e\n this week, after the vaccination?","#
                + #""created_at":"2026-02-20T08:41:00Z","message_id":"m1","role":"user"},"#
                + #"{"content":"Feeding looks steady.","created_at":"2026-02-20T08:41:05.5Z","#
                + #""message_id":"m2","role":"assistant"}],"session_id":"s1","#
                + #""started_at":"2026-02-20T08:40:00.12Z","status":"active","#
                + #""title":"Is feeding \u003csteady\u003e this week, after t..."}"# + "\n")
        let none = try log.replay("report", "chat", "--session", "s9", "--shape", "source")
        #expect(none.code == 1 && none.out == "{\"detail\":\"Chat session not found\"}\n")
    }

    @Test("The AI is given the last twenty messages and a line of each before them")
    func memory() throws {
        let log = try log()
        let more = (3...24).map {
            Self.say("m\($0)", "09:00:\($0 + 10)", $0 % 2 == 1 ? "user" : "assistant", "text \($0)")
        }
        try expect(
            log.replay("append", "--each", input: more.joined(separator: "\n")).code, equals: 0)
        let memory = try #require(
            try log.replay("report", "memory", "--session", "s1", "--json").objects().first)
        #expect(memory["messageCount"] as? Int == 24 && memory["summarizedCount"] as? Int == 4)
        #expect(
            memory["summary"] as? String
                == "- User: Is feeding <steady> this week, after the vaccination?\n"
                + "- Assistant: Feeding looks steady.\n- User: text 3\n- Assistant: text 4")
        let turns = try #require(memory["turns"] as? [[String: Any]])
        #expect(turns.count == 20 && turns.first?["text"] as? String == "text 5")
        // As of the moment before, with one message less.
        let events = try log.replay("log", "--json").objects().count
        let before = try log.replay(
            "report", "memory", "--session", "s1", "--at", "\(events - 1)", "--json")
        try expect(before.objects().first?["summarizedCount"] as? Int, equals: 3)
    }

    @Test("Nothing of an erased person is in a title, a preview or the memory")
    func erased() throws {
        let log = try log()
        try expect(log.replay("erase", "--tag", "user:ana").code, equals: 0)
        for question in [
            ["chats", "--user", "ana"], ["chat", "--session", "s1"], ["memory", "--session", "s1"],
        ] {
            for form in [["--json"], ["--format", "text"]] {
                let answer = try ReplayProcess.run(
                    ["report"] + question + form + ["--log", log.path])
                expect(answer.code, equals: 0, "\(answer.err)")
                #expect(!answer.out.contains("feeding") && !answer.out.contains("steady"))
            }
        }
        let chat = try log.replay("report", "chat", "--session", "s1", "--json").objects().first
        let messages = try #require(chat?["messages"] as? [[String: Any]])
        expect(messages.map { $0["text"] as? String }, equals: ["erased", "erased"])
    }
}
