import Foundation
import TestSupport
import Testing

/// Personal texts, users' names and locations in the formats that hold a whole log.
@Suite struct ExportPrivacyTests {
    /// A fact of every event kind, with planted values in its personal fields.
    private struct PlantedLog {
        let log: ScratchLog
        /// Planted texts and names of the facts that were appended, by their area.
        var words: [String: [String]] = [:]
        /// Planted numbers of the facts that were appended.
        var numbers: [String] = []
        /// Ids of the facts that were appended.
        var ids: Set<String> = []

        /// Appends the facts; most kinds take such values.
        init() throws {
            log = try ScratchLog()
            var number = 0
            for entry in try ReplayProcess.run(["schema", "--json"]).objects()
            where entry["kind"] as? String == "event" {
                number += 1
                let name = try #require(entry["name"] as? String)
                // Some kinds take only certain texts in their plain fields.
                for plantsTexts in [true, false] {
                    var planter = Planter(number: number, plantsTexts: plantsTexts)
                    let line: [String: Any] = [
                        "event": name, "data": planter.record(entry), "at": "2026-02-19T12:00:00Z",
                        "zone": "Asia/Seoul", "actor": planter.word("actor"),
                        "device": planter.id("device"), "correlation": planter.id("flow"),
                    ]
                    .merging(words.isEmpty ? [:] : ["causation": 1]) { first, _ in first }
                    let data = try JSONSerialization.data(withJSONObject: line)
                    let made = try log.replay(
                        "append", input: String(decoding: data, as: UTF8.self))
                    guard made.code == 0 else { continue }
                    words[String(name.prefix { $0 != "." }), default: []] += planter.words
                    numbers += planter.numbers
                    ids.formUnion(planter.ids)
                    break
                }
            }
        }

        /// The words that write a format; for the format `view`, those of the page.
        static func command(_ format: String) -> [String] {
            format == "view" ? ["view", "--output", "-"] : ["export", "--format", format]
        }

        /// A file of the whole log; the page of `view` for the format `view`.
        func export(_ format: String, _ options: String...) throws -> String {
            let command = Self.command(format)
            let answer = try ReplayProcess.run(command + ["--log", log.path] + options)
            expect(answer.code, equals: 0, "\(answer.err)")
            return answer.out
        }
    }

    /// Makes the values of one fact.
    private struct Planter {
        let number: Int
        let plantsTexts: Bool
        var words: [String] = []
        var numbers: [String] = []
        var ids: Set<String> = []

        init(number: Int, plantsTexts: Bool) {
            self.number = number
            self.plantsTexts = plantsTexts
        }

        mutating func word(_ place: String) -> String {
            words.append("needle\(number)x\(place)x\(words.count)end")
            return words.last ?? ""
        }

        mutating func id(_ place: String) -> String {
            let id = "plain\(place)\(number)"
            ids.insert(id)
            return id
        }

        mutating func record(_ field: [String: Any]) -> [String: Any] {
            var members: [String: Any] = [:]
            for inner in field["fields"] as? [[String: Any]] ?? [] {
                let form = inner["form"] as? String ?? ""
                members[inner["name"] as? String ?? ""] = value(form, inner)
            }
            return members
        }

        private mutating func value(_ form: String, _ field: [String: Any]) -> Any {
            let name = field["name"] as? String ?? ""
            if form.hasSuffix("?") { return value(String(form.dropLast()), field) }
            if form.hasPrefix("[") { return [value(String(form.dropFirst().dropLast()), field)] }
            if form.hasPrefix("{") {
                return ["a": value(String(form.dropFirst().dropLast()), field)]
            }
            if form.hasPrefix("one of ") { return String(form.dropFirst(7).prefix { $0 != "," }) }
            if name == "zone" { return "Asia/Seoul" }
            let least = (field["from"] as? NSNumber)?.int64Value ?? .min
            switch form {
            case "object": return record(field)
            case "personal text", "sealable text", "person": return word(name)
            case "personal integer":
                let planted = 71_000_003 + Int64(number) * 1_000_003 + Int64(numbers.count) * 7
                numbers.append("\(planted)")
                return planted
            case "boolean": return false
            case "integer" where field["moment"] as? Bool == true: return 1_771_500_000_000_000
            case "integer": return max(least, 1)
            case "text or number": return "1"
            case "digest": return "sha256:00000000000000\(String(number % 90 + 10))"
            case "position": return 1
            default:
                return plantsTexts || name.hasSuffix("Id") || name == "device" ? id(name) : "a"
            }
        }
    }

    @Test("The records of CloudEvents have no personal text, name or coordinate in clear")
    func records() throws {
        let planted = try PlantedLog()
        let file = try planted.export("cloudevents")
        let records = try file.matches(of: /"daybookrecords":"([^"]+)"/).map { match in
            let bytes = try #require(Data(base64Encoded: String(match.output.1)))
            return String(decoding: bytes, as: UTF8.self)
        }
        expect(records.count, equals: file.count { $0 == "\n" })
        let all = records.joined()
        // The further details of an entry are in the log in clear; `data` leaves them out.
        let needles = planted.words.values.joined().filter { !$0.contains("xmetax") }
        #expect(needles.filter { all.contains($0) }.isEmpty)
        #expect(planted.ids.contains { all.contains($0) })
    }

    @Test("Without --texts, no personal text, name or coordinate of any area leaves the log")
    func withoutTexts() throws {
        let planted = try PlantedLog()
        #expect(planted.words.count > 8, "the areas: \(planted.words.keys.sorted())")
        #expect(planted.numbers.count > 2)
        for format in ["sql", "perfetto", "otlp", "cloudevents", "view"] {
            let (shown, replaced) = (
                try planted.export(format), try planted.export(format, "--pseudonymise")
            )
            let needles = planted.words.values.joined() + planted.numbers
            let left = needles.filter { shown.contains($0) || replaced.contains($0) }
            #expect(left.isEmpty, "\(format)")
            for id in planted.ids { #expect(!replaced.contains(id), "\(format)") }
            #expect(planted.ids.contains { shown.contains($0) }, "\(format)")
        }
    }

    @Test("With --texts, the events show the texts, names and coordinates of every area")
    func withTexts() throws {
        let planted = try PlantedLog()
        for format in ["sql", "perfetto", "view"] {
            let shown = try planted.export(format, "--texts")
            for (area, words) in planted.words {
                for word in words { #expect(shown.contains(word), "\(format), \(area)") }
            }
            for number in planted.numbers { #expect(shown.contains(number), "\(format)") }
        }
    }

    @Test("A file without texts is the same before and after an erasure, up to its own event")
    func erasure() throws {
        let planted = try PlantedLog()
        let end = try planted.log.replay("stat", "--json").objects()[0]["events"] as? Int ?? 0
        let tag = try #require(
            planted.log.replay("log", "--json").objects()
                .flatMap { $0["tags"] as? [String] ?? [] }.first { $0.hasPrefix("baby:") })
        let before = try planted.export("sql", "--at", "\(end)")
        #expect(before.contains("redacted"))
        try expect(planted.log.replay("erase", "--tag", tag).code, equals: 0)
        let after = try planted.export("sql", "--at", "\(end)")
        expect(after, equals: before)
    }

    @Test("Ids and names that look like numbers, dates, versions or zones are replaced as others")
    func plainLookingIDs() throws {
        let log = try ScratchLog()
        let ids = ["47113", "2026-03-05", "1.20.300", "Jamaica"]
        let lines = ids.map {
            #"{"command": "session.sign-in", "actor": "\#($0)", "data": {"userId": "\#($0)", "#
                + #""provider": "google", "family": "\#($0)", "device": "\#($0)", "#
                + #""accessHash": "a", "refreshHash": "r", "expiresInS": 60}}"#
        }
        try expect(
            log.replay("append", "--each", input: lines.joined(separator: "\n")).code, equals: 0)
        for format in ["sql", "perfetto", "otlp", "cloudevents", "view"] {
            let command = PlantedLog.command(format)
            let text = try ReplayProcess.run(
                command + ["--pseudonymise", "--log", log.path]
            ).out
            for id in ids.dropLast() { #expect(!text.contains(id), "\(format): \(id)") }
            // In a field that is no id, the name of a time zone stays.
            #expect(!text.contains("user:Jamaica") && !text.contains("device:Jamaica"))
        }
    }

    @Test("A file with texts is its owner's, also in the place of an older file")
    func permissions() throws {
        let log = try ScratchLog()
        try expect(log.replay("append", input: AppendTests.launch("l1")).code, equals: 0)
        let path = log.path + ".sql"
        for (options, mode) in [([], 0o644), (["--texts", "--force"], 0o600)] {
            let answer = try ReplayProcess.run(
                ["export", "--format", "sql", "--output", path, "--log", log.path] + options)
            expect(answer.code, equals: 0, "\(answer.err)")
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            expect(attributes[.posixPermissions] as? Int, equals: mode)
        }
    }

    @Test("An id has the same pseudonym in all formats, and keeps its entities apart")
    func pseudonyms() throws {
        let log = try ScratchLog()
        let lines = ["kim", "lee"].map {
            #"{"command": "session.sign-in", "data": {"userId": "\#($0)", "provider": "google", "#
                + #""family": "f-\#($0)", "device": "d-\#($0)", "accessHash": "a", "#
                + #""refreshHash": "r", "expiresInS": 60}}"#
        }
        try expect(
            log.replay("append", "--each", input: lines.joined(separator: "\n")).code, equals: 0)
        func ids(_ format: String) throws -> [String: Int] {
            let text = try log.replay("export", "--format", format, "--pseudonymise").out
            #expect(!text.contains("kim") && !text.contains("d-lee"), "\(format)")
            return text.matches(of: /id-[0-9a-f]{16}/).reduce(into: [:]) {
                $0[String($1.output), default: 0] += 1
            }
        }
        let (sql, perfetto) = (try ids("sql"), try ids("perfetto"))
        let shared = Set(sql.keys).intersection(perfetto.keys)
        // The user, the device and the family of each of the two.
        #expect(shared.count >= 6, "\(shared)")
        let refused = try log.replay("export", "--format", "sql", "--pseudonymise", "--texts")
        expect(refused.code, equals: 2)
        #expect(refused.err.contains("contradict each other"), "\(refused.err)")
    }
}
