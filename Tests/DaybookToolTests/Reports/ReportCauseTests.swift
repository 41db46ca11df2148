import Foundation
import TestSupport
import Testing

/// The entities that make the answers of two rule sets differ: the generated twin of scenario 30 of
/// the specification, which `tools/real-stories` tells of a recording.
@Suite struct ReportCauseTests {
    private struct Sleep {
        let entity: String
        let started: Date
        let ended: Date
    }

    private static let month =
        Checkout.root.appending(path: "Scenarios/baby-care/generated-month.jsonl").path

    private static func object(_ line: some StringProtocol) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }

    /// The sleeps of the generated month, by day of New York, that lie on that day and another one.
    private static func sleepsOverMidnight() throws -> [String: Set<String>] {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: "America/New_York"))
        let format = ISO8601DateFormatter()
        var sleeps: [String: Set<String>] = [:]
        for line in try String(contentsOfFile: month, encoding: .utf8).split(separator: "\n") {
            let event = try object(line)
            guard let data = event["data"] as? [String: Any], data["kind"] as? String == "sleep",
                let id = data["entryId"] as? String,
                let started = (data["startedUs"] as? String).flatMap(format.date),
                let ended = (data["endedUs"] as? String).flatMap(format.date)
            else { continue }
            let days = [started, ended - 1].map {
                calendar.dateComponents([.month, .day], from: $0)
            }
            guard days[0] != days[1] else { continue }
            for day in days where day.month == 3 {
                let name = "2026-03-" + String(format: "%02d", day.day ?? 0)
                sleeps[name, default: []].insert("entry:\(id)")
            }
        }
        return sleeps
    }

    private func compare(_ arguments: String...) throws -> String {
        let log = try ScratchLog()
        let facts = try String(contentsOfFile: Self.month, encoding: .utf8)
        try expect(log.replay("append", input: facts).code, equals: 0)
        let answer = try ReplayProcess.run(
            [
                "compare", log.path, "--report", "daily", "--with", "baby=b", "--from",
                "2026-03-07", "--to", "2026-03-10", "--other-rules", "source",
            ] + arguments)
        expect(answer.code, equals: 1, "\(answer.err)")
        return answer.out
    }

    @Test("Each day that start-day attribution changes names the sleeps over its midnights")
    func sleeps() throws {
        let sleeps = try Self.sleepsOverMidnight()
        let lines = try compare("--json").split(separator: "\n")
        expect(lines.count, equals: 4)
        for line in lines {
            let day = try Self.object(line)
            let period = try #require(day["period"] as? String)
            let entities = Set(try #require(day["entities"] as? [String]))
            let events = try #require(day["events"] as? [String])
            let own = try #require(sleeps[period])
            expect(own.count, equals: 2, "\(period)")
            #expect(entities.isSuperset(of: own), "\(period): \(entities), \(own)")
            expect(events.count, equals: entities.count)
            // Feeds add up to the same under both.
            #expect(entities.count < 8, "\(period): \(entities)")
        }
    }

    @Test("The text names the cause of each field below its difference")
    func text() throws {
        let out = try compare()
        #expect(out.contains("        because of entry:e"))
        #expect(out.contains(" baby-care.entry-recorded.v1)"))
        // The length of a day has no cause in any entry.
        let lines = out.split(separator: "\n")
        let length = try #require(lines.firstIndex { $0.contains("lengthS: 82800 → 86400") })
        #expect(length + 1 == lines.count || !lines[length + 1].contains("because of"))
    }

    @Test("An entity in one log alone is the cause of what differs between two logs")
    func otherLog() throws {
        let logs = [try ScratchLog(), try ScratchLog()]
        let profile =
            #"{"command": "household.change-profile", "at": "2026-02-15T00:00:00Z", "data": "#
            + #"{"babyId": "b", "zone": "Asia/Seoul"}}"#
        let feed = { (id: String) in
            #"{"command": "baby-care.record", "at": "2026-02-16T01:00:00Z", "data": {"entryId": "#
                + #""\#(id)", "babyId": "b", "kind": "formula", "#
                + #""startedUs": "2026-02-16T01:00:00Z", "value": {"ml": 120}}}"#
        }
        // What both have stands at other positions.
        for (log, feeds) in zip(logs, [["f1", "f3", "f4"], ["f2", "f1", "f3", "f4"]]) {
            let lines = ([profile] + feeds.map(feed)).joined(separator: "\n")
            try expect(log.replay("append", "--each", input: lines).code, equals: 0)
        }
        let answer = try ReplayProcess.run([
            "compare", logs[0].path, logs[1].path, "--report", "daily", "--with", "baby=b",
            "--with", "date=2026-02-16", "--json",
        ])
        expect(answer.code, equals: 1, "\(answer.err)")
        let day = try Self.object(answer.out.trimmingCharacters(in: .newlines))
        expect(day["entities"] as? [String], equals: ["entry:f2"])
        expect(
            day["events"] as? [String], equals: ["2 baby-care.entry-recorded.v1 in the second log"],
            "\(day)")
    }
}
