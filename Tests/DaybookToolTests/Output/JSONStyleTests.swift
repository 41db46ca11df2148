import Foundation
import TestSupport
import Testing

/// The answers of commands, compared with their schema and with `docs/json.md`.
@Suite struct JSONStyleTests {
    /// Fields of an answer by name, as `schema` lists them.
    private static func schema() throws -> [String: [[String: Any]]] {
        let entries = try ReplayProcess.run(["schema", "answer", "--json"]).objects()
        return Dictionary(
            uniqueKeysWithValues: try entries.map { entry in
                let name = try #require(entry["name"] as? String)
                return (String(name.dropFirst(7)), entry["fields"] as? [[String: Any]] ?? [])
            })
    }

    private static func log() throws -> ScratchLog {
        let log = try WrittenTimeCommandTests.log()
        try log.replay("append", "--each", input: AnswerTests.story.joined(separator: "\n") + "\n")
        try log.replay("report", "daily", "--baby", "mia", "--date", "2020-03-08", "--issue")
        let late = try String(
            contentsOf: Checkout.root.appending(path: "docs/tour-late.jsonl"),
            encoding: .utf8)
        let appended = try log.replay("append", input: late)
        #expect(appended.code == 0, "\(appended.err)")
        return log
    }

    /// Calls whose lines are each one of the named answers.
    static let calls: [([String], [String])] = [
        (["log"], ["log"]), (["list"], ["list.nouns"]), (["list", "babies"], ["list"]),
        (["state", "splash"], ["state"]), (["history", "splash", "l1"], ["history"]),
        (["blame", "splash", "l1"], ["blame"]),
        (["bisect", "splash", "--until", "unexpectedTransitions == 1"], ["bisect"]),
        (["transitions"], ["transitions", "transitions.stay"]), (["late"], ["late"]),
        (["audit"], ["audit"]), (["verify"], ["verify"]), (["stat"], ["stat"]),
        (["order-safety", "splash"], ["order-safety"]), (["snapshot"], ["snapshot"]),
        (["what-if", "splash", "l1", "--skip", "1"], ["what-if"]),
        (
            [
                "what-if", "--report", "daily", "--with", "baby=mia", "--with", "date=2020-03-08",
                "--skip", "2",
            ], ["what-if.report"]
        ),
        (["compact"], ["compact"]),
        (["backup", "COPY"], ["backup"]), (["schema"], ["schema"]),
        (["erase", "--tag", "baby:mia", "--reason", "r", "--dry-run"], ["erase"]),
        (["compare", "LOG", "--projection", "splash", "--other-rules", "source"], ["compare"]),
        (
            [
                "compare", "LOG", "--report", "daily", "--with", "baby=mia", "--with",
                "date=2020-03-08", "--other-rules", "source",
            ], ["compare.report"]
        ), (["verify", "--digests"], ["verify.digests"]), (["routes"], ["routes"]),
        (["log", "--through"], ["log", "log.through"]),
    ]

    @Test(
        "Every line that a command prints has the fields of its schema",
        arguments: Cases.sample(calls))
    func answersHaveTheirSchema(_ call: [String], _ names: [String]) throws {
        let log = try Self.log()
        let words = call.map {
            ["LOG": log.path, "COPY": log.folder.path + "/copy"][$0] ?? $0
        }
        let takesLog = !["schema", "compare", "routes"].contains(call[0])
        let answer = try ReplayProcess.run(
            words + ["--json"] + (takesLog ? ["--log", log.path] : []))
        #expect(answer.code < 2, "\(answer.err)")
        let lines = try answer.objects()
        #expect(!lines.isEmpty || ["compare", "audit"].contains(call[0]), "\(answer.err)")
        let schema = try Self.schema()
        for line in lines {
            let faults = try names.map { name in
                Self.faults(of: line, by: try #require(schema[name], "\(name)"))
            }
            #expect(faults.contains { $0.isEmpty }, "\(names): \(faults)")
        }
    }

    @Test("The counts of an import, the lines of an append and scenarios have their schema")
    func otherAnswers() throws {
        let log = try ScratchLog()
        let schema = try Self.schema()
        let path = try log.file("in.csv", RejectionTests.file)
        let imported = try log.replay(
            "import", "--format", "huckleberry", "--baby", "b", "--zone", "UTC", path, "--json")
        let appended = try log.replay("append", "--json", input: AppendTests.launch("l1"))
        let refused = try log.replay("append", "--each", "--json", input: AppendTests.launch("l1"))
        let scenarios = Checkout.root.appending(path: "Scenarios/launch").path
        let checked = try ReplayProcess.run(["check", scenarios, "--json"])
        for (name, answer) in [
            ("import", imported), ("append", appended), ("append", refused), ("check", checked),
        ] {
            let fields = try #require(schema[name])
            let lines = try answer.objects()
            #expect(!lines.isEmpty)
            for line in lines {
                let faults = Self.faults(of: line, by: fields)
                #expect(faults.isEmpty, "\(name): \(faults)")
            }
        }
    }

    /// The members that the schema does not have, or has in another form, and those that are missing.
    private static func faults(of line: [String: Any], by fields: [[String: Any]]) -> [String] {
        var faults: [String] = []
        let known = Dictionary(
            fields.map { ($0["name"] as? String ?? "", $0) }, uniquingKeysWith: { $1 })
        for (name, value) in line {
            guard let field = known[name], let form = field["form"] as? String else {
                faults.append("\(name) is not in the schema")
                continue
            }
            if !fits(value, form) { faults.append("\(name) is no \(form): \(value)") }
            for element in value as? [[String: Any]] ?? [] {
                guard let inner = field["fields"] as? [[String: Any]] else { continue }
                faults += Self.faults(of: element, by: inner)
            }
        }
        for (name, field) in known where line[name] == nil {
            let form = field["form"] as? String ?? ""
            if form.hasSuffix("?") || form.hasPrefix("[") { continue }
            faults.append("\(name) is missing")
        }
        return faults
    }

    private static func fits(_ value: Any, _ form: String) -> Bool {
        if value is NSNull { return form.hasSuffix("?") || form == "value" }
        switch form.hasSuffix("?") ? String(form.dropLast()) : form {
        case "value": return true
        case "text": return value is String
        case "time":
            return (value as? String)?.wholeMatch(
                of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?Z/) != nil
        case "integer", "position": return (value as? NSNumber).map { !isBoolean($0) } ?? false
        case "boolean": return (value as? NSNumber).map(isBoolean) ?? false
        case "object": return value is [String: Any]
        case let list where list.hasPrefix("["):
            let inner = String(list.dropFirst().dropLast())
            return (value as? [Any])?.allSatisfy { fits($0, inner) } ?? false
        case let map where map.hasPrefix("{"):
            let inner = String(map.dropFirst().dropLast())
            return (value as? [String: Any])?.values.allSatisfy { fits($0, inner) } ?? false
        default: return false
        }
    }

    private static func isBoolean(_ number: NSNumber) -> Bool {
        number === kTrue || number === kFalse
    }
    private static let kTrue = NSNumber(value: true)
    private static let kFalse = NSNumber(value: false)

    @Test("Every name that ends in At is a moment, and no length is in microseconds")
    func namesSayTheirForms() throws {
        for (answer, fields) in try Self.schema() {
            for field in fields {
                let (name, form) = (field["name"] as? String ?? "", field["form"] as? String ?? "")
                #expect(
                    name.hasSuffix("At") == form.hasPrefix("time"), "\(answer): \(name) is \(form)")
                #expect(!name.hasSuffix("Us"), "\(answer): \(name)")
                if name.hasSuffix("Position"), name != "headAtPosition" {
                    #expect(form.hasPrefix("position"), "\(answer): \(name) is \(form)")
                }
            }
        }
    }

    @Test("Docs/json.md lists what the schema lists")
    func documentListsTheAnswers() throws {
        let document = try String(
            contentsOf: Checkout.root.appending(path: "docs/json.md"), encoding: .utf8)
        let list = try ReplayProcess.run(["schema", "answer"]).out
        #expect(document.contains("```text\n\(list)```"))
    }

    @Test("A team's own moments are texts in answers, and input takes both forms")
    func ownMoments() throws {
        let log = try ScratchLog()
        let lines = ["\"2026-03-03T05:00:00Z\"", "1772514000000000"].map { due in
            #"{"event": "loans.loan-noted.v1", "data": {"loan": "l", "due": \#(due)}}"#
                + "\n"
        }
        let appended = try ReplayProcess.run(
            ["append", "--log", log.path], input: lines.joined(), program: LogListingTests.books)
        #expect(appended.code == 0, "\(appended.err)")
        let events = try ReplayProcess.run(
            ["log", "--json", "--log", log.path], program: LogListingTests.books
        ).objects()
        for event in events {
            let payload = try #require(event["payload"] as? [String: Any])
            #expect(payload["due"] as? String == "2026-03-03T05:00:00Z")
        }
        for command in [
            ["state", "loan", "l"], ["history", "loan", "l"], ["blame", "loan", "l"],
        ] {
            let answer = try ReplayProcess.run(
                command + ["--json", "--log", log.path], program: LogListingTests.books)
            #expect(answer.out.contains("\"2026-03-03T05:00:00Z\""), "\(answer.out)")
            #expect(!answer.out.contains("1772514000000000"), "\(answer.out)")
        }
    }
}
