import Foundation
import TestSupport
import Testing

/// `replay snapshot`, and what answers from it.
@Suite struct SnapshotCommandTests {
    private func consents(_ numbers: Range<Int>) -> String {
        numbers.map { number in
            #"{"event": "household.consent-changed.v1", "at": "2026-02-20T00:00:\#(10 + number % 50)Z", "data": {"userId": "u\#(number % 2)", "kind": "terms", "granted": \#(number % 3 == 0), "version": "\#(number)"}}"#
                + "\n"
        }.joined()
    }

    @Test("Answers do not depend on snapshots, and verify makes each again")
    func answers() throws {
        let (plain, kept) = (try ScratchLog(), try ScratchLog())
        for part in [0..<700, 700..<1_300] {
            for log in [plain, kept] {
                try expect(log.replay("append", input: consents(part)).code, equals: 0)
            }
            let pass = try #require(try kept.replay("snapshot", "--json").objects().first)
            expect(pass["entities"] as? Int, equals: 2)
            #expect((pass["written"] as? Int ?? 0) >= 2)
        }
        for position in [1, 255, 256, 511, 512, 513, 514, 900, 1_300] {
            for more in [[], ["--valid-at", "2026-02-20T00:00:30Z"]] {
                let ask = ["state", "consents", "u1", "--json", "--at", "\(position)"] + more
                let (a, b) = (
                    try ReplayProcess.run(ask + ["--log", plain.path]),
                    try ReplayProcess.run(ask + ["--log", kept.path])
                )
                expect(a.out.replacingOccurrences(of: plain.path, with: ""), equals: b.out)
                expect(a.code, equals: b.code)
            }
        }
        let ask = ["bisect", "consents", "u1", "--monotone", "--until", "consents.count > 0"]
        #expect(
            try ReplayProcess.run(ask + ["--log", plain.path]).out
                == ReplayProcess.run(ask + ["--log", kept.path]).out)
        let stat = try #require(try kept.replay("stat", "--json").objects().first)
        let verified = try #require(try kept.replay("verify", "--json").objects().first)
        expect(stat["snapshots"] as? Int, equals: verified["snapshots"] as? Int)
        #expect((stat["snapshots"] as? Int ?? 0) >= 4)
        #expect(try kept.replay("snapshot", "--drop").out.contains("deleted"))
        #expect(try kept.replay("stat").out.contains("snapshots        0"))
    }

    @Test("Snapshots of an empty log, an unknown projection and a missing log are answered")
    func usage() throws {
        let log = try ScratchLog()
        try expect(log.replay("snapshot").code, equals: 2)
        let empty = try log.file("empty", "")
        for command in [["snapshot"], ["late"], ["stat"]] {
            let answer = try ReplayProcess.run(command + ["--log", empty])
            #expect(answer.code == 2 && answer.err.contains("append"), "\(answer.err)")
        }
        #expect(try Data(contentsOf: URL(filePath: empty)).isEmpty)
        try expect(log.replay("append", input: "").code, equals: 0)
        #expect(try log.replay("snapshot").out.hasPrefix("0 snapshots"))
        try expect(log.replay("snapshot", "nothing").code, equals: 2)
        try expect(log.replay("snapshot", "run", "--drop").code, equals: 2)
    }

    @Test(
        "No snapshot is kept of households, which name babies, and a renamed one is folded as a whole"
    )
    func renamed() throws {
        let log = try ScratchLog()
        let changes = ["local"] + Array(repeating: "srv", count: 400)
        let lines = changes.enumerated().map { number, household in
            let role = number % 2 == 0 ? "owner" : "parent"
            return
                #"{"event": "household.member-role-changed.v1", "at": "2026-02-19T02:00:00Z", "data": {"householdId": "\#(household)", "userId": "\#(household)-u", "role": "\#(role)"}}"#
                + "\n"
        }
        let appended = try log.replay("append", input: lines.joined())
        expect(appended.code, equals: 0, "\(appended.err)")
        let pass = try log.replay("snapshot", "household").out
        #expect(pass.hasPrefix("0 snapshots of 0 entities,"))
        let before = try log.replay("state", "household", "srv", "--json").out
        #expect(!before.contains("local-u"))
        let renamed =
            #"{"event": "household.id-replaced.v1", "at": "2026-02-19T03:00:00Z", "data": {"kind": "household", "localId": "local", "remoteId": "srv"}}"#
        try expect(log.replay("append", input: renamed + "\n").code, equals: 0)
        let state = try log.replay("state", "household", "srv", "--json").out
        #expect(state.contains("local-u") && state.contains("srv-u"))
        try expect(log.replay("verify").code, equals: 0)
        let known = try log.replay("state", "household", "srv", "--at", "401", "--json").out
        expect(known, equals: before)
    }

    @Test("No snapshot is kept of entries, which name their authors")
    func namedAuthors() throws {
        let log = try ScratchLog()
        let lines = (0..<400).map { number in
            #"{"event": "baby-care.entry-edited.v1", "at": "2026-02-19T02:00:00Z", "data": {"entryId": "e", "babyId": "b", "kind": "pee", "set": {}, "prior": {}, "by": "needlecarer"}}"#
                + "\n"
        }
        try expect(log.replay("append", input: lines.joined()).code, equals: 0)
        #expect(try log.replay("snapshot").out.hasPrefix("0 snapshots of 0 entities"))
        let bytes = try Data(contentsOf: URL(filePath: log.path))
        #expect(bytes.range(of: Data("needlecarer".utf8)) == nil)
        try expect(log.replay("verify").code, equals: 0)
    }
}
