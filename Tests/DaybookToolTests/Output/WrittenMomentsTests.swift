import Foundation
import TestSupport
import Testing

/// Moments in everything that people read: times, and never microseconds since 1970.
@Suite struct WrittenMomentsTests {
    private static let fed = "2026-02-20T01:00:00Z"
    private static let corrected = "2026-02-20T01:30:00Z"

    private func log() throws -> ScratchLog {
        let log = try ScratchLog()
        let lines = [
            #"{"command": "household.change-profile", "at": "2026-02-15T00:00:00Z", "data": "#
                + #"{"babyId": "b", "zone": "Asia/Seoul"}}"#,
            #"{"command": "baby-care.record", "at": "\#(Self.fed)", "data": {"entryId": "f1", "#
                + #""babyId": "b", "kind": "formula", "startedUs": "\#(Self.fed)", "#
                + #""value": {"ml": 120}}}"#,
        ]
        #expect(try log.replay("append", input: lines.joined(separator: "\n")).code == 0)
        return log
    }

    /// True for a text with 15 digits in a row that are no part of a digest.
    private func hasMicroseconds(_ text: String) -> Bool {
        text.replacing(/sha256:[0-9a-f]+/, with: "").contains(/[0-9]{15}/)
    }

    @Test("A captured scenario shows times, passes, and shows times where it fails")
    func scenario() throws {
        let log = try log()
        let captured = try log.replay("capture", "entry", "f1").out
        #expect(!hasMicroseconds(captured), "\(captured)")
        #expect(captured.contains(#""startedUs":"\#(Self.fed)""#), "\(captured)")
        let file = try log.file("captured.yaml", captured)
        #expect(try ReplayProcess.run(["check", file]).code == 0)
        let wrong = captured.replacing(
            #""createdUs":"\#(Self.fed)""#, with: #""createdUs":"\#(Self.corrected)""#)
        #expect(wrong != captured)
        let other = try log.file("wrong.yaml", wrong)
        let failed = try ReplayProcess.run(["check", other])
        #expect(failed.code == 1)
        #expect(failed.out.contains("expected  \"\(Self.corrected)\""), "\(failed.out)")
        #expect(failed.out.contains("actual    \"\(Self.fed)\""), "\(failed.out)")
        #expect(!hasMicroseconds(failed.out), "\(failed.out)")
    }

    @Test("An expectation that is written in microseconds fails with a time, which --update writes")
    func integers() throws {
        let log = try log()
        let given = try #require(
            try log.replay("capture", "entry", "f1").out.components(separatedBy: "then:\n").first)
        let file = try log.file(
            "numbers.yaml",
            given + """
                then:
                  - state:
                      of: entry
                      key: f1
                      is:
                        startedUs: 1771551000000000

                """)
        let failed = try ReplayProcess.run(["check", file, "--update"])
        #expect(failed.out.contains("expected  \"\(Self.corrected)\""), "\(failed)")
        #expect(failed.out.contains("actual    \"\(Self.fed)\""), "\(failed)")
        let updated = try String(contentsOfFile: file, encoding: .utf8)
        #expect(updated.contains("startedUs: \(Self.fed)") || updated.contains("\"\(Self.fed)\""))
        #expect(try ReplayProcess.run(["check", file]).code == 0, "\(updated)")
    }

    @Test("A scenario of a refused command shows the times that it was given")
    func refusal() throws {
        let log = try log()
        let command = try log.file(
            "command.json",
            #"{"command": "baby-care.record", "at": "\#(Self.fed)", "data": {"entryId": "f1", "#
                + #""babyId": "b", "kind": "sleep", "startedUs": 1771551000000000, "#
                + #""endedUs": 1771549200000000}}"#)
        let shrunk = try log.replay("shrink", "--refused", command)
        #expect(shrunk.code == 0, "\(shrunk.err)")
        #expect(shrunk.out.contains(#""endedUs":"\#(Self.fed)""#), "\(shrunk.out)")
        #expect(!hasMicroseconds(shrunk.out), "\(shrunk.out)")
    }

    @Test("A payload that is shown to people has times, and the one of --json has numbers")
    func payload() throws {
        let log = try log()
        let shown = try log.replay("log", "--payload").out
        #expect(shown.contains(#""startedUs":"\#(Self.fed)""#), "\(shown)")
        #expect(!hasMicroseconds(shown), "\(shown)")
        #expect(try log.replay("log", "--json").out.contains(#""startedUs":1771549200000000"#))
    }

    @Test("A time that no year from 1900 to 2199 has is refused as a time")
    func impossible() throws {
        let log = try log()
        let line =
            #"{"command": "baby-care.record", "data": {"entryId": "f2", "babyId": "b", "#
            + #""kind": "formula", "startedUs": "1850-01-01T00:00:00Z", "value": {"ml": 1}}}"#
        let refused = try log.replay("append", input: line)
        #expect(refused.code != 0)
        #expect(!hasMicroseconds(refused.err), "\(refused.err)")
    }
}
