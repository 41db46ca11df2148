import Foundation
import TestSupport
import Testing

// Holds: s1-recorded-inputs, s3-inputs-are-data
@Suite struct DeterminismTests {
    private static func run(_ id: String, _ metres: Int) -> String {
        #"{"event": "running.run-completed.v1", "at": "2026-02-20T00:00:00Z", "data": {"runId": "\#(id)", "userId": "이-\#(id)", "startedUs": "2026-02-20T00:00:00Z", "endedUs": "2026-02-20T00:00:00Z", "wallMs": 1, "activeMs": 1, "distanceMm": \#(metres), "kcal": 60}}"#
            + "\n"
    }

    @Test(
        "States are the same to the byte in chunks, on threads, under other seeds, zones and languages"
    )
    func holds() throws {
        let log = try ScratchLog()
        try log.replay("append", input: (0..<60).map { Self.run("r\($0)", $0) }.joined())
        let answer = try log.replay("verify", "--determinism", "--json")
        #expect(answer.code == 0)
        let rows = try answer.objects().dropFirst()
        #expect(rows.count == 6)
        #expect(rows.allSatisfy { $0["same"] as? Bool == true })
    }

    @Test("Digests differ for different states only")
    func digests() throws {
        let (one, two, same) = (try ScratchLog(), try ScratchLog(), try ScratchLog())
        try one.replay("append", input: Self.run("a", 1) + Self.run("b", 2))
        try two.replay("append", input: Self.run("a", 1) + Self.run("b", 3))
        try same.replay("append", input: Self.run("b", 2) + Self.run("a", 1))
        let digests = { (log: ScratchLog) in
            try log.replay("verify", "--digests").out.split(separator: "\n").map(String.init)
        }
        let differing = zip(try digests(one), try digests(two)).filter { $0 != $1 }.map(\.0)
        #expect(differing.count == 2)
        #expect(differing.allSatisfy { $0.contains("\"run") })
        // The order of two entities does not affect their states.
        #expect(try digests(one) == digests(same))
    }

    @Test(
        "A command with few file descriptors answers or reports that, and never traps",
        arguments: [
            "verify --determinism", "trace run",
            "compare \"$log\" --projection run --other-rules source",
            "shrink run r1 --against \"$replay\"",
        ])
    func fewFiles(_ command: String) throws {
        let log = try ScratchLog()
        try log.replay("append", input: (0..<60).map { Self.run("r\($0)", $0) }.joined())
        for limit in 4...12 {
            let answer = try ReplayProcess.run(
                [
                    "-c",
                    "replay='\(ReplayProcess.binary.path)'; log='\(log.path)'; "
                        + "export DAYBOOK_LOG=\"$log\"; ulimit -n \(limit); \"$replay\" \(command)",
                ],
                program: URL(fileURLWithPath: "/bin/sh"))
            #expect(answer.code < 4, "\(limit) files: \(answer)")
            #expect(
                answer.code < 2 || answer.err.hasPrefix("replay: "), "\(limit) files: \(answer)")
        }
    }
}
