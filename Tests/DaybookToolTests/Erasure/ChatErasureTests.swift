import Foundation
import TestSupport
import Testing

@Suite("Erasing what was said in chats") struct ChatErasureTests {
    private static func message(_ id: String, by author: String, _ text: String) -> String {
        #"{"command": "chat.append-message", "at": "2026-03-02T09:00:00Z", "data": {"device": "d", "#
            + #""roomId": "r", "userId": "kim", "via": "socket", "messageId": "\#(id)", "author": "#
            + #""\#(author)", "sentUs": "2026-03-02T09:00:00Z", "text": "\#(text)"}}"#
    }

    @Test("A message is its author's, on whoever's phone it lies, and the counts stay")
    func authorsTextsAreGone() throws {
        let log = try ScratchLog()
        let lines = [
            Self.message("m1", by: "lee", "needlehello"), Self.message("m2", by: "kim", "mine"),
            Self.message("m3", by: "ann", "hers"),
        ]
        let given = try log.replay("append", "--each", input: lines.joined(separator: "\n"))
        expect(given.code, equals: 0, "\(given.err)")
        #expect(try log.replay("log", "--payload").out.contains("needlehello"))
        let before = try messages(log)
        expect(before.count, equals: 3)
        try expect(log.replay("erase", "--tag", "user:lee").code, equals: 0)
        let shown = try log.replay("log", "--payload").out
        #expect(!shown.contains("needlehello"))
        #expect(shown.contains("mine") && shown.contains("hers"))
        try expect(messages(log), equals: before)
        try expect(log.replay("verify").code, equals: 0)
    }

    private func messages(_ log: ScratchLog) throws -> NSArray {
        let answer = try log.replay("state", "room", "d/r", "--json").objects().first
        let state = try #require(answer?["state"] as? [String: Any])
        return try #require(state["messages"] as? NSArray)
    }

    @Test("A question and its answer are erased with the person who asked")
    func questionsAreGone() throws {
        let log = try ScratchLog()
        let lines = """
            {"event": "account.subscription-changed.v1", "data": {"householdId": "h", "plan": "aiOnly", "status": "active"}}
            {"command": "chat.open-session", "data": {"sessionId": "s", "userId": "ana", "householdId": "h"}}
            {"command": "account.reserve-credits", "data": {"userId": "ana", "householdId": "h", "requestId": "q"}}
            {"command": "chat.record-answer", "data": {"sessionId": "s", "requestId": "q", "questionId": "m1", "question": "needlequestion", "answerId": "m2", "answer": "needleanswer", "promptTokens": 1, "completionTokens": 1}}
            """
        let given = try log.replay("append", "--each", input: lines)
        expect(given.code, equals: 0, "\(given.err)")
        let commits = try log.replay("verify", "--json").objects().first?["commits"] as? Int
        expect(commits, equals: 4)
        #expect(try log.replay("log", "--payload").out.contains("needleanswer"))
        try expect(log.replay("erase", "--tag", "user:ana").code, equals: 0)
        let shown = try log.replay("log", "--payload").out
        #expect(!shown.contains("needlequestion") && !shown.contains("needleanswer"))
        let answer = try log.replay("state", "credits", "ana/h", "--json").objects().first
        let state = try #require(answer?["state"] as? [String: Any])
        expect(state["balance"] as? Int, equals: 499)
    }
}
