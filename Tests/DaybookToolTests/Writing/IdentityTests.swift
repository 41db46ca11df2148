import Foundation
import TestSupport
import Testing

/// An entity whose id was replaced is one entity to every question.
@Suite struct IdentityTests {
    private static let story = """
        {"command": "household.onboard", "at": "2026-02-19T00:00:00Z", "data": {"babyId": "offline_b", "householdId": "h", "zone": "Asia/Seoul", "by": "ana"}}
        {"command": "baby-care.start", "at": "2026-02-19T01:00:00Z", "data": {"entryId": "local-1", "babyId": "offline_b", "kind": "sleep", "by": "ana"}}
        {"command": "household.replace-id", "at": "2026-02-19T01:30:00Z", "data": {"kind": "baby", "localId": "offline_b", "remoteId": "b"}}
        {"command": "household.replace-id", "at": "2026-02-19T01:30:00Z", "data": {"kind": "careEntry", "localId": "local-1", "remoteId": "srv-1"}}
        {"command": "baby-care.complete", "at": "2026-02-19T02:00:00Z", "data": {"entryId": "srv-1", "by": "ana"}}

        """
    /// Positions of the event that gave the entry its id, and of the one that closed it.
    private static let (replacedAt, closedAt) = (5, 6)

    private func log() throws -> ScratchLog {
        let log = try ScratchLog()
        let answer = try log.replay("append", input: Self.story)
        answer.ends(0)
        return log
    }

    @Test("A renamed entry is found by each of its ids", arguments: ["local-1", "srv-1"])
    func states(_ id: String) throws {
        let log = try log()
        let answer = try log.replay("state", "entry", id, "--json").objects()
        expect(answer.count, equals: 1)
        expect(answer[0]["key"] as? String, equals: "srv-1")
        let state = try #require(answer[0]["state"] as? [String: Any])
        expect(state["state"] as? String, equals: "closed")
        expect(state["formerIds"] as? [String], equals: ["local-1"])
        // The id of its baby was replaced as well.
        try expect(log.replay("history", "entry", id, "--json").objects().count, equals: 4)
        let blame = try log.replay("blame", "entry", id, "entryId", "--json").objects()
        expect(blame.map { $0["position"] as? Int }, equals: [Self.replacedAt, 3])
        let bisect = try log.replay("bisect", "entry", id, "--until", "state == closed", "--json")
        try expect(bisect.objects().first?["position"] as? Int, equals: Self.closedAt)
        let trace = try log.replay("trace", "entry", id).objects().dropFirst()
        expect(trace.map { $0["key"] as? String }, equals: Array(repeating: "srv-1", count: 4))
        expect(state["babyId"] as? String, equals: "b")
    }

    @Test("A renamed entry is one among all entities")
    func states() throws {
        let log = try log()
        try expect(log.replay("state", "entry", "--json").objects().count, equals: 1)
        let open = try log.replay("state", "open-entries", "--json").objects()
        expect(open.map { $0["key"] as? String }, equals: ["b"])
        #expect(openSleep(open.first?["state"]) == nil)
        let transitions = try log.replay("transitions", "entry", "--json")
        transitions.ends(0)
        let captured = try log.replay("capture", "entry", "local-1")
        let path = try log.file("captured.yaml", captured.out)
        #expect(captured.out.contains("state: closed") || captured.out.contains("\"closed\""))
        try ReplayProcess.run(["check", path]).ends(0, "\(captured.out)")
    }

    @Test(
        "A projection that follows an entry is found by its new id too",
        arguments: [[], ["--monotone"]])
    func follows(_ more: [String]) throws {
        let log = try log()
        let answer = try ReplayProcess.run(
            [
                "bisect", "open-entries", "b", "--json", "--at", "\(Self.replacedAt)", "--until",
                "open.sleep.entryId == 'srv-1'", "--log", log.path,
            ] + more)
        answer.ends(0)
        try expect(answer.objects().first?["position"] as? Int, equals: Self.replacedAt)
    }

    @Test("An id means what it replaced, also before it was given")
    func before() throws {
        let log = try log()
        let moment = "\(Self.replacedAt - 1)"
        let entry = try log.replay("state", "entry", "srv-1", "--at", moment, "--json").objects()
        let state = entry.first?["state"] as? [String: Any]
        expect(state?["entryId"] as? String, equals: "local-1")
        try log.replay("state", "entry", "srv-2", "--at", moment).ends(1)
        let answer = try log.replay("state", "open-entries", "b", "--at", moment, "--json")
        try expect(openSleep(answer.objects().first?["state"]), equals: "local-1")
    }

    @Test("A what-if without the renaming leaves the entry under its first id")
    func whatIf() throws {
        let log = try log()
        let answer = try log.replay(
            "what-if", "entry", "--skip", "\(Self.replacedAt)", "--json"
        ).objects()
        expect(answer.map { $0["key"] as? String }, equals: ["local-1", "srv-1"])
        let states = answer.map { ($0["after"] as? [String: Any])?["state"] as? String }
        expect(states, equals: ["open", "closed"])
        let open = try log.replay(
            "what-if", "open-entries", "--skip", "\(Self.replacedAt)", "--json"
        ).objects()
        #expect(openSleep(open.first?["before"]) == nil)
        expect(openSleep(open.first?["after"]), equals: "local-1")
    }

    @Test("Reports no longer count an entry cancelled under its new id, and keep its note")
    func reports() throws {
        let log = try ScratchLog()
        let story = """
            {"command": "household.onboard", "at": "2026-02-19T00:00:00Z", "data": {"babyId": "b", "householdId": "h", "zone": "Asia/Seoul", "by": "ana"}}
            {"command": "baby-care.record", "at": "2026-02-19T01:00:00Z", "data": {"entryId": "local-1", "babyId": "b", "kind": "sleep", "startedUs": "2026-02-19T00:00:00Z", "endedUs": "2026-02-19T01:00:00Z", "value": {"note": "restless"}, "by": "ana"}}
            {"command": "household.replace-id", "at": "2026-02-19T01:30:00Z", "data": {"kind": "careEntry", "localId": "local-1", "remoteId": "srv-1"}}

            """
        try log.replay("append", input: story).ends(0)
        func sleeps(_ more: String...) throws -> Int? {
            let answer = try ReplayProcess.run(
                ["report", "daily", "--date", "2026-02-19", "--json", "--log", log.path] + more)
            answer.ends(0)
            let report = try #require(try answer.objects().first)
            return (report["sleep"] as? [String: Any])?["count"] as? Int
        }
        try expect(sleeps("--baby", "b"), equals: 1)
        try expect(sleeps("--all"), equals: 1)
        let export = try log.replay("export", "--format", "babyai-csv", "--baby", "b")
        #expect(export.out.contains("srv-1") && export.out.contains("restless"), "\(export.out)")
        let cancel = """
            {"command": "baby-care.cancel", "at": "2026-02-19T02:00:00Z", "data": {"entryId": "srv-1", "by": "ana"}}

            """
        try log.replay("append", input: cancel).ends(0)
        #expect(try sleeps("--baby", "b") == nil)
        #expect(try sleeps("--all") == nil)
    }

    @Test("A circle of ids is refused in commands and survived in facts")
    func circles() throws {
        let log = try log()
        func replace(_ from: String, _ to: String, _ form: String = "command") -> String {
            let name = form == "command" ? "household.replace-id" : "household.id-replaced.v1"
            return
                #"{"\#(form)": "\#(name)", "data": {"kind": "careEntry", "localId": "\#(from)", "remoteId": "\#(to)"}}"#
                + "\n"
        }
        try log.replay("append", input: replace("srv-1", "srv-2")).ends(0)
        let circle = try log.replay("append", input: replace("srv-2", "local-1"))
        #expect(circle.code == 1 && circle.err.contains("idReplacedBefore"), "\(circle.err)")
        let facts = replace("srv-2", "local-1", "event") + replace("srv-2", "srv-2", "event")
        try log.replay("append", input: facts).ends(0)
        let state = try #require(
            try log.replay("state", "entry", "local-1", "--json").objects().first)
        expect(state["key"] as? String, equals: "srv-2")
        let fields = try #require(state["state"] as? [String: Any])
        expect(fields["entryId"] as? String, equals: "srv-2")
        expect(fields["formerIds"] as? [String], equals: ["local-1", "srv-1"])
    }

    @Test("An id may be given before any other event of an entry")
    func earlier() throws {
        let log = try ScratchLog()
        let story = """
            {"event": "household.id-replaced.v1", "at": "2026-02-19T00:30:00Z", "data": {"kind": "careEntry", "localId": "srv-1", "remoteId": "srv-2"}}
            {"event": "household.id-replaced.v1", "at": "2026-02-19T00:30:00Z", "data": {"kind": "careEntry", "localId": "local-1", "remoteId": "srv-1"}}
            {"command": "household.onboard", "at": "2026-02-19T00:40:00Z", "data": {"babyId": "b", "householdId": "h", "zone": "Asia/Seoul", "by": "ana"}}
            {"command": "baby-care.start", "at": "2026-02-19T01:00:00Z", "data": {"entryId": "local-1", "babyId": "b", "kind": "sleep", "by": "ana"}}

            """
        let answer = try log.replay("append", input: story)
        answer.ends(0)
        for id in ["local-1", "srv-1", "srv-2"] {
            let state = try #require(
                try log.replay("state", "entry", id, "--json").objects().first)
            expect(state["key"] as? String, equals: "srv-2")
            #expect((state["state"] as? [String: Any])?["state"] as? String == "open")
        }
        try log.replay("transitions", "entry").ends(0)
        // The baby's open entry is found under the new id too, and ends under it.
        let open = try log.replay("state", "open-entries", "b", "--json").objects()
        expect(openSleep(open.first?["state"]), equals: "srv-2")
        let complete =
            #"{"command": "baby-care.complete", "at": "2026-02-19T02:00:00Z", "data": {"entryId": "srv-1", "by": "ana"}}"#
        try log.replay("append", input: complete + "\n").ends(0)
        for more in [["b"], []] {
            let closed = try ReplayProcess.run(
                ["state", "open-entries", "--json", "--log", log.path] + more
            ).objects()
            #expect(closed.count == 1 && openSleep(closed.first?["state"]) == nil)
        }
        try log.replay("verify", "--determinism").ends(0)
    }

    @Test("A timer stopped under the new id frees its slot")
    func slots() throws {
        let log = try log()
        let start = """
            {"command": "baby-care.start", "at": "2026-02-19T03:00:00Z", "data": {"entryId": "local-2", "babyId": "b", "kind": "sleep", "by": "ana"}}

            """
        let answer = try log.replay("append", input: start)
        answer.ends(0)
        let refused = try log.replay(
            "append", input: start.replacingOccurrences(of: "local-2", with: "local-3"))
        #expect(refused.code == 1 && refused.err.contains("openEntryExists"), "\(refused.err)")
    }

    /// The sleep that a state of `open-entries` names.
    private func openSleep(_ state: Any?) -> String? {
        let open = (state as? [String: Any])?["open"] as? [String: [String: Any]]
        return open?["sleep"]?["entryId"] as? String
    }
}
