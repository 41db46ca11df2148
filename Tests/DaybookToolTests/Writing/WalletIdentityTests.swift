import TestSupport
import Testing

// Holds: s4-credits-follow
/// An entity whose id ends in the id of another is replaced with that.
@Suite struct WalletIdentityTests {
    private static let story = """
        {"command": "household.onboard", "at": "2026-02-19T00:00:00Z", "data": {"babyId": "b", "householdId": "offline_h", "zone": "UTC", "by": "ana"}}
        {"command": "account.check-out", "at": "2026-02-19T00:10:00Z", "data": {"householdId": "offline_h", "plan": "aiOnly", "by": "ana"}}
        {"command": "account.reserve-credits", "at": "2026-02-19T01:00:00Z", "data": {"userId": "ana", "householdId": "offline_h", "requestId": "q1"}}
        {"command": "household.replace-id", "at": "2026-02-19T02:00:00Z", "data": {"kind": "household", "localId": "offline_h", "remoteId": "h"}}
        {"command": "account.reserve-credits", "at": "2026-02-19T03:00:00Z", "data": {"userId": "ana", "householdId": "h", "requestId": "q2"}}

        """

    private func log() throws -> ScratchLog {
        let log = try ScratchLog()
        let answer = try log.replay("append", "--each", input: Self.story)
        expect(answer.code, equals: 0, "\(answer.err)")
        return log
    }

    private func position(of kind: String, in log: ScratchLog) throws -> Int {
        let events = try log.replay("log", "--json").objects()
        let event = events.first { $0["kind"] as? String == kind }
        return try #require(event?["position"] as? Int)
    }

    @Test("A wallet is found by each id of its household", arguments: ["ana/offline_h", "ana/h"])
    func states(_ id: String) throws {
        let log = try log()
        let answer = try #require(
            try log.replay("state", "credits", id, "--json").objects().first)
        expect(answer["key"] as? String, equals: "ana/h")
        let state = try #require(answer["state"] as? [String: Any])
        expect(state["balance"] as? Int, equals: 496)
        #expect((state["reserved"] as? [String: Int]) == ["q1": 2, "q2": 2])
        try expect(log.replay("history", "credits", id, "--json").objects().count, equals: 3)
        let blame = try log.replay("blame", "credits", id, "balance", "--json").objects()
        expect(blame.count, equals: 3)
        try expect(log.replay("verify", "--determinism").code, equals: 0)
    }

    @Test("A wallet of two ids is one among all, in lists, states and traces")
    func lists() throws {
        let log = try log()
        let all = try log.replay("state", "credits", "--json").objects()
        expect(all.map { $0["key"] as? String }, equals: ["ana/h"])
        let listed = try log.replay("list", "wallets", "--json").objects()
        expect(listed.map { $0["id"] as? String }, equals: ["ana/h"])
        expect(listed.first?["events"] as? Int, equals: 3)
        let trace = try log.replay("trace", "credits").objects().dropFirst()
        expect(trace.map { $0["key"] as? String }, equals: Array(repeating: "ana/h", count: 3))
        let captured = try log.replay("capture", "credits", "ana/offline_h")
        let path = try log.file("captured.yaml", captured.out)
        try expect(ReplayProcess.run(["check", path]).code, equals: 0, "\(captured.out)")
    }

    @Test("Before the new id is known, it means the wallet of the former id")
    func before() throws {
        let log = try log()
        let at = try position(of: "household.id-replaced.v1", in: log) - 1
        let later = try log.replay("state", "credits", "ana/h", "--at", "\(at)", "--json")
        try expect(later.objects().first?["key"] as? String, equals: "ana/h")
        let former = try log.replay("state", "credits", "ana/offline_h", "--at", "\(at)", "--json")
        try expect(former.objects().first?["key"] as? String, equals: "ana/offline_h")
    }

    @Test("A what-if without the renaming leaves two wallets")
    func whatIf() throws {
        let log = try log()
        let at = try position(of: "household.id-replaced.v1", in: log)
        let answer = try log.replay("what-if", "credits", "--skip", "\(at)", "--json").objects()
        expect(answer.map { $0["key"] as? String }, equals: ["ana/h", "ana/offline_h"])
        let balances = answer.map { ($0["after"] as? [String: Any])?["balance"] as? Int }
        expect(balances, equals: [-2, 498])
    }
}
