import Foundation
import TestSupport
import Testing

/// Texts that would steer a terminal, in every field that a log has.
@Suite struct HostileTextTests {
    /// Hostile characters that an id may hold, and those that any text may.
    private static let id = "x\u{202E}y\u{200B}\u{2066}z\u{FEFF}"
    private static let text =
        "\u{1B}[2J\u{1B}]0;owned\u{7}a\nreplay: forged\r\u{9B}31m\u{85}\u{2028}b\u{2029}"
        + "\u{202E}c\u{200F}\u{61C}\u{7F}\u{E0041}"

    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar != "\n" else { return false }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: return true
        default: return scalar.properties.isDefaultIgnorableCodePoint
        }
    }

    /// Nothing that steers, and no line that is not the tool's.
    private static func isSafe(_ text: String) -> Bool {
        !text.unicodeScalars.contains(where: isHidden)
            && !text.split(separator: "\n").contains { $0.hasPrefix("replay: forged") }
    }

    /// A value for a field of the schema.
    private static func value(of field: [String: Any], id: String, text: String) -> Any {
        let name = field["name"] as? String ?? ""
        var form = field["form"] as? String ?? ""
        if form.hasSuffix("?") { form.removeLast() }
        let isID =
            name.hasSuffix("Id") || name.hasSuffix("Ids")
            || ["device", "by", "deviceId", "family", "week"].contains(name)
        let word = isID ? id : text
        if form.hasPrefix("[") {
            form = String(form.dropFirst().dropLast())
            return [scalar(form, field, word) ?? record(field, id: id, text: text)]
        }
        if form.hasPrefix("{") {
            form = String(form.dropFirst().dropLast())
            return [text: scalar(form, field, word) ?? record(field, id: id, text: text)]
        }
        return scalar(form, field, word) ?? record(field, id: id, text: text)
    }

    private static func scalar(
        _ form: String, _ field: [String: Any], _ word: String
    ) -> Any? {
        if form.hasPrefix("one of ") {
            return String(form.dropFirst(7).prefix { $0 != "," })
        }
        if field["name"] as? String == "zone" { return "Asia/Seoul" }
        switch form {
        case "text", "personal text", "sealable text", "person", "digest": return word
        case "text or number": return "1"
        case "integer", "personal integer":
            // Within the limits that the schema lists.
            let weights = ["weightG": 30_000, "birthWeightG": 4_000]
            if field["moment"] as? Bool == true { return 1_771_500_000_000_000 }
            return weights[field["name"] as? String ?? ""] ?? 1
        case "boolean": return false
        default: return form.hasPrefix("integer") ? 1 : nil
        }
    }

    private static func record(_ field: [String: Any], id: String, text: String) -> [String: Any] {
        var members: [String: Any] = [:]
        for inner in field["fields"] as? [[String: Any]] ?? [] {
            members[inner["name"] as? String ?? ""] = value(of: inner, id: id, text: text)
        }
        return members
    }

    /// A fact of every kind that there is, twice, with such texts wherever one fits.
    private func log() throws -> ScratchLog {
        let log = try ScratchLog()
        var lines: [String] = []
        for entry in try ReplayProcess.run(["schema", "--json"]).objects()
        where entry["kind"] as? String == "event" {
            let name = try #require(entry["name"] as? String)
            for text in [Self.text, Self.id] {
                let line: [String: Any] = [
                    "event": name, "data": Self.record(entry, id: Self.id, text: text),
                    "at": "2026-02-19T12:00:00Z", "zone": "Asia/Seoul", "actor": Self.text,
                    "device": Self.text, "correlation": Self.text, "key": "\(name) \(text)",
                ]
                let data = try JSONSerialization.data(withJSONObject: line)
                lines.append(String(decoding: data, as: UTF8.self))
            }
        }
        let made = try log.replay("append", "--each", input: lines.joined(separator: "\n"))
        #expect(Self.isSafe(made.out) && Self.isSafe(made.err), "\(made)")
        return log
    }

    @Test("No command hands a text of the log to the terminal as it is")
    func commands() throws {
        let log = try log()
        let events = try log.replay("stat", "--json").objects()[0]["events"] as? Int ?? 0
        #expect(events > 60, "most kinds take such texts")
        let projections = try ReplayProcess.run(["schema", "--json"]).objects()
            .filter { $0["kind"] as? String == "projection" }
            .compactMap { $0["name"] as? String }
        var commands = [
            ["log"], ["log", "--json"], ["log", "--tag", "baby:\(Self.id)"], ["stat"],
            ["stat", "--json"], ["verify"], ["verify", "--json"], ["audit"],
            ["audit", "--json", "--all"], ["late"], ["late", "--json"],
            ["report", "daily", "--baby", Self.id, "--date", "2026-02-19"],
            ["report", "daily", "--baby", Self.id, "--date", "2026-02-19", "--zone", "UTC"],
            ["report", "weekly", "--baby", Self.id, "--week", "2026-W08", "--zone", "UTC"],
            ["report", "landing", "--baby", Self.id, "--zone", "UTC"],
            ["report", "last", "--baby", Self.id, "--zone", "UTC"],
            ["report", "today", "--baby", Self.id, "--zone", "UTC"],
            ["report", "recommendation", "--baby", Self.id],
            ["report", "home", "--user", Self.id], ["report", "track", "--run", Self.id],
            ["ranking", "--week", "2026-W08"], ["ranking", "--week", "2026-W08", "--json"],
            ["capture", "--tag", "user:\(Self.id)"],
            ["export", "--format", "gpx", "--run", Self.id],
            ["state", "run", Self.id, "--format", "svg"],
            ["launch-decision", "--now", "2026-03-03T00:00:00Z", "--config", "-"],
        ]
        for form in ["svg", "csv", "json"] {
            commands.append([
                "report", "daily", "--baby", Self.id, "--date", "2026-02-19", "--format", form,
                "--zone", "UTC",
            ])
        }
        for (index, name) in projections.enumerated() {
            commands += [
                ["state", name], ["state", name, "--json"], ["state", name, Self.id],
                ["history", name, Self.id], ["history", name, Self.id, "--json"],
                ["blame", name, Self.id],
            ]
            // These write what others have made: a third of them for each projection.
            let others = [
                ["blame", name, Self.id, Self.text],
                ["trace", name], ["capture", name, Self.id], ["transitions", name],
                ["transitions", name, "--format", "svg"],
                ["what-if", name, "--skip", "3"],
                ["what-if", name, Self.id, "--skip", "\(events)"],
                ["bisect", name, Self.id, "--until", "\(Self.text) == null"],
                ["compare", log.path, "--projection", name, "--other-rules", "source"],
            ]
            commands += others.enumerated().filter { ($0.offset + index) % 3 == 0 }.map(\.element)
        }
        for command in Cases.sample(commands) {
            let named = command[0] == "compare"
            let answer = try ReplayProcess.run(
                command + (named ? [] : ["--log", log.path]),
                input: "{\"minVersion\": \"1\", \"\u{9B}\u{202E}\": 1}")
            #expect(Self.isSafe(answer.out), "\(command.map(\.debugDescription)) \(answer.out)")
            #expect(Self.isSafe(answer.err), "\(command.map(\.debugDescription)) \(answer.err)")
            #expect(answer.code < 4, "\(command.map(\.debugDescription)) \(answer)")
        }
    }

    @Test("JSON keeps the exact text, with invisible characters escaped")
    func exact() throws {
        let log = try log()
        let rows = try log.replay("log", "--json").objects()
        #expect(rows.allSatisfy { $0["actor"] as? String == Self.text })
        #expect(rows.contains { Self.holds($0["payload"], Self.text) })
    }

    private static func holds(_ value: Any?, _ text: String) -> Bool {
        switch value {
        case let value as String: value == text
        case let values as [Any]: values.contains { holds($0, text) }
        case let members as [String: Any]: members.values.contains { holds($0, text) }
        default: false
        }
    }

    @Test("A trace with such texts compares with the log it is of")
    func traces() throws {
        let log = try log()
        let trace = try log.replay("trace", "runner")
        let file = try log.file("trace", trace.out)
        let same = try ReplayProcess.run(["compare", file, log.path, "--projection", "runner"])
        #expect(same.code == 0, "\(same)")
    }

    @Test("A capture is YAML that holds the same texts and passes")
    func captured() throws {
        let log = try log()
        let captured = try log.replay("capture", "runner", Self.id)
        #expect(captured.code == 0, "\(captured.err)")
        #expect(captured.out.contains("\\u202E"))
        let file = try log.file("captured.yaml", captured.out)
        let junit = log.folder.path + "/junit.xml"
        let checked = try ReplayProcess.run(["check", file, "--junit", junit])
        #expect(checked.code == 0, "\(checked)")
    }

    @Test("A report of failed scenarios shows their texts and is XML that can be read")
    func junit() throws {
        let log = try ScratchLog()
        let file = try log.file(
            "failing\u{202E}.yaml",
            """
            scenario: "\\e[31mred\\u202E\\x9B\\n<&>"
            clock: 2026-02-20T00:00:00Z
            when:
              - at: 2026-02-20T00:00:00Z
                command: household.change-consent
                with: {userId: "u\\u202E", kind: terms, granted: true, version: "\\e]0;x\\a"}
            then:
              - count: {household.consent-changed.v1: 7}
            """)
        let path = log.folder.path + "/junit.xml"
        let checked = try ReplayProcess.run(["check", file, "--junit", path])
        #expect(checked.code == 1, "\(checked)")
        #expect(Self.isSafe(checked.out) && Self.isSafe(checked.err))
        #expect(checked.out.contains("\\u{1B}[31mred\\u{202E}\\u{9B}\\n<&>"), "\(checked.out)")
        let xml = try String(contentsOfFile: path, encoding: .utf8)
        #expect(Self.isSafe(xml), "\(xml)")
        #expect(xml.contains("\\u{1B}[31mred\\u{202E}\\u{9B}\\n&lt;&amp;&gt;"), "\(xml)")
    }

    @Test(
        "An argument, a file name or a line of input that is refused is shown, and not obeyed",
        arguments: [
            ["\u{1B}[2J"], ["log", "--\u{1B}[2J"], ["log", "--limit", "a\nreplay: forged\u{202E}"],
            ["log", "--limit=a\nreplay: forged\u{202E}"], ["state", "a\nreplay: forged"],
            ["state", "splash", "\u{1B}\n"], ["log", "--log", "/nowhere/\u{1B}\nreplay: forged"],
            ["check", "/nowhere/\u{202E}\nreplay: forged"], ["log", "--tag", "\n\u{9B}"],
            ["audit", "--rule", "\nreplay: forged"], ["schema", "\nreplay: forged"],
            ["report", "daily", "--baby", "b", "--date", "\nreplay: forged\u{2028}"],
            ["import", "--format", "\nreplay: forged", "--baby", "b", "-"],
            ["launch-decision", "--now", "\n\u{1B}c", "--config", "-", "--app-version", "1"],
            ["compare", "/nowhere/\u{1B}", "--other-rules", "source"],
            ["bisect", "splash", "--until", "\u{1B} == 1"],
        ])
    func arguments(_ arguments: [String]) throws {
        let log = try ScratchLog()
        #expect(try log.replay("append", input: "").code == 0)
        let isLog = arguments.contains("--log") || arguments.count == 1
        let answer = try ReplayProcess.run(
            arguments, environment: isLog ? [:] : ["DAYBOOK_LOG": log.path])
        #expect(answer.code == 2, "\(answer)")
        #expect(Self.isSafe(answer.err) && Self.isSafe(answer.out), "\(answer)")
    }

    @Test("A message that repeats something long is cut")
    func long() throws {
        let word = String(repeating: "word", count: 20_000)
        for arguments in [["log", "--\(word)"], ["state", word], ["log", "--limit", word]] {
            let answer = try ReplayProcess.run(arguments, environment: ["DAYBOOK_LOG": "none"])
            #expect(answer.code == 2)
            #expect(answer.err.utf8.count < 4_000 && answer.err.contains("…"))
        }
        let log = try ScratchLog()
        let line = #"{"command": "\#(word)", "data": {}}"#
        let answer = try log.replay("append", input: line)
        #expect(answer.code == 2 && answer.err.utf8.count < 4_000)
        #expect(answer.err.hasPrefix("replay: standard input:1: field 'command'"))
        #expect(answer.err.hasSuffix("nothing was appended\n"))
    }
}
