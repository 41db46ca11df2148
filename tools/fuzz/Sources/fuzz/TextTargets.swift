import DaybookInput
import DaybookScenarios
import Foundation

@testable import Daybook
@testable import DaybookInvestigation
@testable import DaybookModel
@testable import DaybookServer

/// Decoders of short texts: JSON, YAML, expressions, times, versions, requests.
nonisolated(unsafe) let textTargets: [Target] = [
    Target("json", [#"{"a": [1, -2.5e3, "x\u00e9\ud83d\ude00", null, true], "b": {}}"#]) {
        try JSONParser.parse($0).canonicalText
    },
    Target("yaml", ["a: 1\nb: [x, {y: z}]\n", "- &a b\n- *a\n", "\"a\": 'b'\nc: |\n  d\n"]) {
        try YAMLParser.parse(try text($0)).canonicalText
    },
    Target(
        "scenario",
        seeds: { seeds(below: "Scenarios", ending: ".yaml") },
        decode: { bytes in
            guard let text = try? text(bytes),
                let file = try? ScenarioFile.parse(text, path: "a.yaml", catalogue: catalogue)
            else { return 0 }
            return file.scenarios.count
        }),
    Target(
        "expression",
        [
            "state == forceUpdate && !storeOpened", "pending.count > 0 || a[0].b <= -1.5",
            "splash.state != \"a\\\"b\" && (x == null || y == 2026-07-12T12:00:00Z)",
        ]
    ) { bytes in
        let text = try text(bytes)
        return catalogue.projections.values.reduce(0) { sum, projection in
            guard
                let expression = try? DaybookInvestigation.Expression(
                    text, over: projection.fields, named: projection.name)
            else { return sum }
            return sum + (expression.isTrue(for: projection.fold(.standard)) ? 1 : 2)
        }
    },
    Target("timestamp", ["2026-07-12T12:00:00.123456+09:00", "1990-12-31T23:59:60Z"]) {
        Timestamp.parse(try text($0)).map { Timestamp.text($0.instant) }
    },
    Target("version", ["1.2.3", " v1.0-rc.1+b ", "٣.٤", "2147483647.1"]) { bytes in
        let text = try text(bytes)
        return Rules.allCases.map { "\(AppVersion.read(text, rules: $0)?.numbers ?? [])" }
    },
    Target(
        "line",
        seeds: {
            seed("docs/tour.jsonl").split(separator: 10).map(Array.init)
                + seed("docs/tour-late.jsonl").split(separator: 10).map(Array.init)
        },
        decode: readLine),
    Target(
        "request",
        seeds: {
            [
                "GET /bins?clock=recorded&lanes=%C3%A9+b HTTP/1.1\r\nHost: localhost:1\r\n"
                    + "Connection: keep-alive, close\r\nAccept: */*\r\n\r\n",
                "POST /ask HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}PUT / HTTP/1.1\r\n",
            ].map { Array($0.utf8) }
        },
        decode: readRequests),
]

/// Reads bytes as the requests of a connection, at once and in parts; both must be the same.
private func readRequests(_ bytes: [UInt8]) -> Int {
    let results = [max(1, bytes.count), Int(bytes.first ?? 0) + 1].map { count in
        var parser = RequestParser()
        var requests: [Request] = []
        do throws(RequestError) {
            for start in stride(from: 0, to: bytes.count, by: count) {
                parser.append(bytes[start..<min(start + count, bytes.count)])
                while let request = try parser.next() { requests.append(request) }
            }
            return (requests, 0)
        } catch {
            return (requests, error.status)
        }
    }
    precondition(results[0].0 == results[1].0 && (results[0].1 == 0) == (results[1].1 == 0))
    return results[0].0.count + results[0].1
}

/// Reads the data of a line as every command and kind it names, as `replay append` does.
private func readLine(_ bytes: [UInt8]) -> Int {
    guard let tree = try? JSONParser.parse(bytes), let data = tree["data"] else { return 0 }
    let context = CommandContext(now: Instant(microseconds: 0))
    if case .text(let name)? = tree["command"]?.content, let command = catalogue.commands[name] {
        let decision = try? command.read(data, "data", .standard, context)
        return decision.map { "\($0.outcome())".utf8.count } ?? 0
    }
    if case .text(let name)? = tree["event"]?.content, let kind = EventKind(name),
        let event = catalogue.events[kind]
    {
        return (try? event.read(data, "data", .standard))?.payload.count ?? 0
    }
    return 0
}
