import Foundation
import TestSupport
import Testing

/// Times as people write them, wherever a command line takes one.
@Suite struct WrittenTimeCommandTests {
    static func run(
        _ arguments: [String], zone: String = "Asia/Seoul", program: URL = ReplayProcess.binary
    ) throws -> ReplayProcess.Answer {
        try ReplayProcess.run(arguments, environment: ["TZ": zone], program: program)
    }

    /// A baby of Los Angeles with a day of entries, and a run.
    static func log() throws -> ScratchLog {
        let log = try ScratchLog()
        let docs = Checkout.root.appending(path: "docs")
        let imported = try log.replay(
            "import", "--format", "babyconnect", "--baby", "mia", "--zone", "America/Los_Angeles",
            docs.appendingPathComponent("tour-baby.csv").path)
        expect(imported.code, equals: 0, "\(imported.err)")
        return log
    }

    @Test("A report takes yesterday in the baby's zone, and says which day that is")
    func reportOfYesterday() throws {
        let log = try Self.log()
        let before = try Self.yesterday(in: "America/Los_Angeles")
        let answer = try Self.run(
            [
                "report", "daily", "--baby", "mia", "--date", "yesterday", "--json", "--log",
                log.path,
            ],
            zone: "Pacific/Kiritimati")
        expect(answer.code, equals: 0, "\(answer.err)")
        let date = try #require(try answer.objects().first?["date"] as? String)
        #expect(answer.err.contains("--date yesterday: \(date) in America/Los_Angeles"))
        // The clock may have passed midnight since.
        #expect(try [before, Self.yesterday(in: "America/Los_Angeles")].contains(date))
    }

    private static func yesterday(in zone: String) throws -> String {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: zone))
        let day = try #require(calendar.date(byAdding: .day, value: -1, to: Date()))
        let parts = calendar.dateComponents([.year, .month, .day], from: day)
        return String(
            format: "%04d-%02d-%02d", try #require(parts.year), try #require(parts.month),
            try #require(parts.day))
    }

    @Test("A named zone goes before the entity's")
    func namedZone() throws {
        let log = try Self.log()
        let answer = try Self.run([
            "report", "daily", "--baby", "mia", "--date", "today", "--zone", "Asia/Tokyo",
            "--json", "--log", log.path,
        ])
        expect(answer.code, equals: 0, "\(answer.err)")
        #expect(answer.err.contains(" in Asia/Tokyo"), "\(answer.err)")
    }

    @Test(
        "Every command with a moment takes it as people write it, and says how it was read",
        arguments: [
            ["state", "profile", "mia", "--at=+1h"],
            ["state", "profile", "mia", "--valid-at", "tomorrow"],
            ["history", "profile", "mia", "--valid-at", "tomorrow 14:00"],
            ["log", "--valid-at", "tomorrow"], ["log", "--at=+1h", "--tag", "baby:mia"],
            ["report", "next-feeding", "--baby", "mia", "--now", "2020-03-08 14:00"],
            ["report", "weekly", "--baby", "mia", "--week", "last week"],
            ["report", "monthly", "--baby", "mia", "--month", "this month"],
            ["report", "daily", "--baby", "mia", "--from", "yesterday", "--to", "today"],
            ["report", "daily", "--baby", "mia", "--with", "date=yesterday"],
            [
                "trace", "--report", "daily", "--with", "baby=mia", "--from", "yesterday", "--to",
                "today",
            ],
            ["trace", "--report", "daily", "--with", "baby=mia", "--with", "date=yesterday"],
            ["trace", "profile", "mia", "--at=+1h"],
            ["bisect", "profile", "--until", "zone != null", "--at=+1h"],
            [
                "bisect", "report.daily", "--until", "lengthS > 0", "--monotone", "--with",
                "baby=mia",
                "--with", "date=yesterday",
            ],
            ["what-if", "profile", "mia", "--edit", "1:occurredAt=yesterday"],
            ["blame", "profile", "mia", "--at=+1h"], ["list", "babies", "--at=+1h"],
            ["ranking", "--week", "this week"], ["late", "--at=+1h"],
            ["audit", "--of", "baby:mia", "--at=+1h"], ["transitions", "--at=+1h"],
            ["capture", "profile", "mia", "--at=+1h"],
            ["export", "--format", "babyai-csv", "--baby", "mia", "--at=+1h"],
            ["launch-decision", "--config", "CONFIG", "--app-version", "1.0.0", "--now=-2h"],
        ])
    func everyCommand(_ arguments: [String]) throws {
        let log = try Self.log()
        let config = try log.file("config.json", "{}")
        let arguments = arguments.map { $0 == "CONFIG" ? config : $0 }
        let isOfLog = arguments.first != "launch-decision"
        let answer = try Self.run(arguments + (isOfLog ? ["--log", log.path] : []))
        #expect(answer.code < 2, "\(answer.err)")
        #expect(
            answer.err.contains(" in America/Los_Angeles")
                || answer.err.contains(" in Asia/Seoul") || answer.err.contains(" in UTC"),
            "\(answer.err)")
    }

    @Test("A day as of which is asked means its end")
    func dayMeansItsEnd() throws {
        let log = try Self.log()
        let answer = try log.replay("state", "profile", "mia", "--valid-at", "2120-01-01")
        #expect(answer.err.contains("2120-01-01T23:59:59.999999-08:00 in America/Los_Angeles"))
    }

    @Test(
        "A day as of which a report is asked ends in the baby's zone",
        arguments: [
            ["report", "daily", "--baby", "mia", "--date", "2020-03-08"],
            ["report", "weekly", "--baby", "mia", "--week", "2020-W10"],
            ["blame", "--report", "daily", "--with", "baby=mia", "--with", "date=2020-03-08"],
            [
                "trace", "--report", "daily", "--with", "baby=mia", "--from", "2020-03-08", "--to",
                "2020-03-08",
            ],
            [
                "what-if", "--report", "daily", "--with", "baby=mia", "--with", "date=2020-03-08",
                "--skip", "3",
            ],
        ])
    func reportAsOfDay(_ arguments: [String]) throws {
        let log = try Self.log()
        let answer = try Self.run(
            arguments + ["--valid-at", "2020-03-08", "--log", log.path], zone: "UTC")
        #expect(answer.code < 2, "\(answer.err)")
        #expect(
            answer.err.contains(
                "--valid-at 2020-03-08: 2020-03-08T23:59:59.999999-07:00 in America/Los_Angeles"),
            "\(answer.err)")
    }

    @Test("An edited time is meant in the zone of the event's entity, in any field that is one")
    func editedTimes() throws {
        let log = try Self.log()
        let first = try #require(
            try log.replay("log", "--kind", "baby-care.entry-recorded", "-n", "1", "--json")
                .objects().first)
        let position = try #require(first["position"] as? Int)
        for field in ["occurredAt", "startedUs"] {
            let answer = try Self.run(
                ["what-if", "entry", "--edit", "\(position):\(field)=2020-03-08 14:00"]
                    + ["--log", log.path])
            expect(answer.code, equals: 0, "\(answer.err)")
            #expect(
                answer.err
                    == "replay: --edit \(position):\(field) 2020-03-08 14:00: "
                    + "2020-03-08T14:00:00-07:00 in America/Los_Angeles\n")
            #expect(answer.out.contains("2020-03-08T21:00:00Z"), "\(answer.out)")
        }
    }

    @Test("An exact time is not repeated")
    func exactTime() throws {
        let log = try Self.log()
        let answer = try log.replay("state", "profile", "mia", "--valid-at", "2120-01-01T00:00:00Z")
        #expect(answer.err.isEmpty, "\(answer.err)")
    }

    @Test("A report's moment is taken in microseconds as well")
    func microseconds() throws {
        let log = try Self.log()
        let texts = ["2020-03-08T22:00:00Z", "1583704800000000"]
        let answers = try texts.map {
            try log.replay("report", "next-feeding", "--baby", "mia", "--now", $0, "--json")
        }
        expect(answers[0].code, equals: 0, "\(answers[0].err)")
        expect(answers[0].out, equals: answers[1].out)
        let moments = try texts.map {
            try log.replay("log", "--valid-at", $0, "--json", "--from", "2020-03-08T00:00:00Z")
        }
        expect(moments[0].code, equals: 0, "\(moments[0].err)")
        #expect(!moments[0].out.isEmpty && moments[0].out == moments[1].out)
    }

    @Test("Without --zone and an entity, days are those of UTC, whatever the machine's zone is")
    func daysOfUTC() throws {
        let log = try Self.log()
        let answer = try Self.run(
            ["log", "--from", "2020-03-08", "--log", log.path], zone: "Mars/Base")
        expect(answer.code, equals: 0, "\(answer.err)")
        #expect(
            answer.err.contains("--from 2020-03-08: 2020-03-08T00:00:00Z in UTC"), "\(answer.err)")
    }

    @Test("Files stay strict")
    func filesStayStrict() throws {
        let log = try ScratchLog()
        let line = #"{"event": "household.baby-profile-changed.v1", "at": "yesterday", "data": {}}"#
        let answer = try log.replay("append", input: line + "\n")
        expect(answer.code, equals: 2)
        #expect(answer.err.contains("expected an RFC 3339 time"), "\(answer.err)")
    }

    @Test(
        "A trace of a report with a wrong date or zone ends with 2",
        arguments: [
            ["--with", "date=2020-13-01"], ["--with", "date=2020-03-08", "--with", "zone=No"],
        ])
    func traceOfAWrongQuestion(_ arguments: [String]) throws {
        let log = try Self.log()
        let answer = try ReplayProcess.run(
            ["trace", "--report", "daily", "--with", "baby=mia"] + arguments + ["--log", log.path])
        expect(answer.code, equals: 2, "\(answer.err)")
        #expect(answer.out.isEmpty)
    }
}
