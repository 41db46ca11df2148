import Foundation
import TestSupport
import Testing

@Suite struct FollowTests {
    /// Follows a log while two launches are appended, and returns the lines that were printed.
    ///
    /// - Parameter count: the number of lines to wait for.
    private static func followed(_ options: String..., count: Int) async throws -> [Substring] {
        let log = try ScratchLog()
        try log.replay("append", input: AppendTests.launch("l1"))
        let process = try ReplayProcess.start(
            ["log", "--follow", "--json", "--log", log.path] + options)
        try log.replay("append", input: AppendTests.launch("l2") + AppendTests.launch("l3"))
        var lines: [Substring] { process.out.split(separator: "\n") }
        let isThere = try await Wait.suspendedUntil {
            lines.count >= count && process.out.last == "\n"
        }
        #expect(isThere)
        return lines
    }

    @Test("Following a log shows events that another process appends", .timeLimit(.minutes(5)))
    func followShowsWhatAnotherProcessAppends() async throws {
        let lines = try await Self.followed(count: 5)
        // Each later launch of the device also ends the one before.
        expect(lines.count, equals: 5)
        expect(lines.last?.contains(#""launch:l3""#), equals: true)
    }

    @Test(
        "Following a log after a position past its end waits for the events after it if asked",
        .timeLimit(.minutes(5)))
    func followsAfterALaterPosition() async throws {
        let lines = try await Self.followed("--after", "4", "--await-position", count: 1)
        expect(lines.count, equals: 1)
        expect(lines.first?.contains(#"{"position":5,"#), equals: true)
    }
}

/// Positions that the log does not have, after which to read.
@Suite struct BeyondEndTests {
    @Test(
        "A position after the end is refused by name, whether or not the log is followed",
        arguments: [
            ["log", "--after", "9"], ["log", "--after", "9", "--follow"],
            ["log", "--after", "9", "--json", "--through"],
            ["log", "--after", "9", "--follow", "--json", "--chain"],
            ["log", "--after", "9", "--reverse"], ["log", "--after", "9", "--at", "1"],
            ["capture", "--tag", "launch:l1", "--after", "9"],
        ])
    func refused(_ words: [String]) throws {
        let log = try ScratchLog()
        try log.replay("append", input: AppendTests.launch("l1"))
        let answer = try ReplayProcess.run(words + ["--log", log.path])
        expect(answer.code, equals: 2)
        #expect(answer.out.isEmpty)
        #expect(answer.err.contains("--after 9: the log ends at position 1"), "\(answer.err)")
        expect(answer.err.contains("--await-position"), equals: words.contains("--follow"))
    }

    @Test("To wait for a position needs one to wait for, and a log that is followed")
    func waitsForNothing() throws {
        for words in [["--await-position"], ["--follow", "--await-position"]] {
            let answer = try ReplayProcess.run(["log", "--log", "none"] + words)
            expect(answer.code, equals: 2)
            #expect(answer.err.contains("--await-position requires"), "\(answer.err)")
        }
    }
}

/// Reading on from a head.
@Suite struct ReadOnTests {
    private static func heads(_ answer: ReplayProcess.Answer) throws -> [String] {
        try answer.objects().compactMap { $0["headAtPosition"] as? String }
    }

    @Test("The last event of each commit has its head with --chain, from which reading goes on")
    func goesOnFromEachHead() throws {
        let log = try ScratchLog()
        // Each later launch ends the one before: commits of one and of two events.
        for launch in ["l1", "l2", "l3"] {
            try log.replay("append", input: AppendTests.launch(launch))
        }
        let all = try log.replay("log", "--json", "--chain")
        let heads = try Self.heads(all)
        expect(heads.count, equals: 3)
        #expect(try log.replay("stat", "--json").out.contains(#""headAtPosition":"\#(heads[2])""#))
        let lines = all.out.split(separator: "\n")
        for head in heads {
            let position = try #require(head.split(separator: ":").first.flatMap { Int($0) })
            let rest = try log.replay("log", "--json", "--chain", "--after", head)
            expect(rest.code, equals: 0, "\(rest.err)")
            expect(rest.out.split(separator: "\n"), equals: Array(lines.dropFirst(position)))
        }
        let end = try #require(try log.replay("log", "--json", "--through").objects().last)
        expect(end["headAtPosition"] as? String, equals: heads[2])
        #expect(try !log.replay("log", "--json").out.contains("headAtPosition"))
    }

    @Test("A head of another log, a rewritten or a shorter one is refused with the reason")
    func refused() throws {
        let (log, other) = (try ScratchLog(), try ScratchLog())
        for launch in ["l1", "l2"] {
            for each in [log, other] {
                try each.replay("append", input: AppendTests.launch(launch))
            }
        }
        let heads = try Self.heads(try other.replay("log", "--json", "--chain"))
        let chain = try #require(heads[1].split(separator: ":").last)
        for (head, reason) in [
            (heads[1], "the commit that ends at this position has the chain value"),
            ("2:\(chain)", "no commit of the log ends at this position: positions 2 to 3"),
            ("99:\(chain)", "the log ends at position 3"),
        ] {
            let answer = try log.replay("log", "--json", "--after", head)
            expect(answer.code, equals: 3)
            #expect(answer.out.isEmpty)
            #expect(answer.err.contains("the log does not contain the head \(head)"))
            #expect(answer.err.contains(reason), "\(answer.err)")
        }
    }

    @Test(
        "What is no position and no head is refused",
        arguments: ["-1", "x", "3:", "3:abc", ":\(String(repeating: "0", count: 64))"])
    func malformed(_ text: String) throws {
        let answer = try ReplayProcess.run(["log", "--after=\(text)", "--log", "none"])
        expect(answer.code, equals: 2)
        #expect(answer.err.contains("--after"))
    }

    @Test("Within a commit there is no head to go on from")
    func withinACommit() throws {
        let log = try ScratchLog()
        for launch in ["l1", "l2"] { try log.replay("append", input: AppendTests.launch(launch)) }
        for (position, hasHead) in [("1", true), ("2", false), ("3", true)] {
            let end = try log.replay("log", "--json", "--through", "--at", position).objects().last
            expect(end?["through"] as? Int, equals: Int(position))
            #expect((end?["headAtPosition"] != nil) == hasHead, "position \(position)")
        }
    }

    @Test("Following ends if the file of the log is replaced", .timeLimit(.minutes(5)))
    func replaced() async throws {
        let (log, other) = (try ScratchLog(), try ScratchLog())
        for each in [log, other] { try each.replay("append", input: AppendTests.launch("l1")) }
        let process = try ReplayProcess.start(["log", "--follow", "--log", log.path])
        // It has printed, so that it has the log open.
        let hasBegun = try await Wait.suspendedUntil { !process.out.isEmpty }
        #expect(hasBegun)
        expect(rename(other.path, log.path), equals: 0)
        let hasEnded = try await Wait.suspendedUntil { !process.isRunning }
        try #require(hasEnded)
        let answer = try process.end()
        expect(answer.code, equals: 3)
        #expect(answer.err.contains("the log was removed or replaced while it was followed"))
    }
}
