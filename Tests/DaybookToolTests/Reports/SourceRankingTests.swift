import TestSupport
import Testing

// Holds: s0-user, s0-ranking-item
/// The app's own JSON of runners whose week is not all that they ever ran.
@Suite struct SourceRankingTests {
    private static func completed(_ user: String, _ run: String, _ metres: Int, _ day: String)
        -> String
    {
        #"{"event": "running.run-completed.v1", "at": "\#(day)T00:00:00Z", "data": {"runId": "\#(run)", "userId": "\#(user)", "startedUs": "\#(day)T00:00:00Z", "endedUs": "\#(day)T00:10:00Z", "wallMs": 1, "activeMs": 1, "distanceMm": \#(metres)000, "kcal": 0}}"#
    }

    private func log() throws -> ScratchLog {
        let log = try ScratchLog()
        let story = [
            #"{"command": "running.change-profile", "data": {"userId": "1", "name": "김러너", "imageUrl": "https://a.b/kim.jpg"}}"#,
            Self.completed("1", "a", 40_000, "2026-02-10"),
            Self.completed("1", "b", 5_250, "2026-02-18"),
            Self.completed("2", "c", 5_249, "2026-02-19"),
        ]
        let answer = try log.replay("append", "--each", input: story.joined(separator: "\n"))
        #expect(answer.code == 0, "\(answer.err)")
        return log
    }

    @Test("A runner's score is of the week and the total of all time, and the image is given")
    func scoreAndTotal() throws {
        let log = try log()
        let answer = try log.replay("ranking", "--week", "2026-W08", "--json", "--shape", "source")
        #expect(
            answer.out
                == #"{"rankings":[{"rank":1,"user":{"id":"1","name":"김러너","#
                + #""profileImageUrl":"https://a.b/kim.jpg","totalDistance":45.3,"totalRuns":2},"#
                + #""score":5.3,"change":"NONE"},{"rank":2,"user":{"id":"2","name":"러너","#
                + #""profileImageUrl":null,"totalDistance":5.2,"totalRuns":1},"score":5.2,"#
                + #""change":"NONE"}]}"# + "\n")
    }

    @Test("A runner is answered with the image and the totals, and without them once erased")
    func runner() throws {
        let log = try log()
        let ask = ["report", "runner", "--user", "1", "--format", "source", "--log", log.path]
        #expect(
            try ReplayProcess.run(ask).out
                == #"{"id":"1","name":"김러너","profileImageUrl":"https://a.b/kim.jpg","#
                + #""totalDistance":45.3,"totalRuns":2}"# + "\n")
        #expect(try log.replay("erase", "--tag", "user:1").code == 0)
        let erased = try ReplayProcess.run(ask).out
        #expect(!erased.contains("kim") && !erased.contains("김러너"))
        #expect(erased.contains(#""totalDistance":45.3"#))
    }
}
