import Daybook
import DaybookInput
import DaybookInvestigation
import Testing

@testable import DaybookModel

/// Texts, tokens and places, planted in every field, after a capture without names.
@Suite struct PseudonymTests {
    private static let kinds = catalogue.events.keys.map(\.name).sorted()
    private static let commands = catalogue.commands.keys.sorted()
    private static let at = Instant(microseconds: 1_772_000_000_000_000)

    private static let needles = [
        "needle", "example.com", "37566512345", "126978012345", "37.5665", "126.978", "38.123",
        "38123",
    ]

    /// Fills every field of a record, places with the place that is searched for.
    private static func planted(_ fields: [FieldDescription], _ places: PlaceFields?) -> Tree {
        let members = fields.map { field -> Tree.Member in
            let isDecimal = places?.power == 0
            switch field.name {
            case places?.latitude ?? "-":
                return member(field, isDecimal ? .text("37.566512345") : .integer(37_566_512_345))
            case places?.longitude ?? "-":
                return member(field, isDecimal ? .text("126.978012345") : .integer(126_978_012_345))
            case places?.elevation ?? "-":
                return member(field, isDecimal ? .text("38.123") : .integer(38_123))
            default: return Tree.Member(key: field.name, value: value(field, field.form[...]))
            }
        }
        return Tree(.map(members), line: 1)
    }

    private static func member(_ field: FieldDescription, _ content: Tree.Content) -> Tree.Member {
        Tree.Member(key: field.name, value: Tree(content, line: 1))
    }

    private static func value(_ field: FieldDescription, _ form: Substring) -> Tree {
        if form.hasSuffix("?") { return value(field, form.dropLast()) }
        let inner = form.dropFirst().dropLast()
        if form.hasPrefix("[") { return Tree(.list([value(field, inner)]), line: 1) }
        if form.hasPrefix("{") {
            let keys = inner == "text or number" ? ["memo", "Needle key"] : ["Needle key"]
            return Tree(.map(keys.map { .init(key: $0, value: value(field, inner)) }), line: 1)
        }
        switch form {
        case "object": return planted(field.fields, field.places)
        case "integer", "personal integer":
            return Tree(.integer(max(1, field.limit.values.lowerBound)), line: 1)
        case "boolean": return Tree(.boolean(true), line: 1)
        case _ where form.hasPrefix("one of "):
            return Tree(.text(String(form.dropFirst(7).prefix { $0 != "," })), line: 1)
        default: return Tree(.text("Needle \(field.name)@example.com 37.5665"), line: 1)
        }
    }

    private func found(in text: String) -> [String] {
        let text = text.lowercased()
        return Self.needles.filter { text.contains($0) }
    }

    @Test("Nothing planted in an event is left", arguments: kinds)
    func event(_ name: String) throws {
        let description = try #require(catalogue.events.values.first { $0.kind.name == name })
        let tree = Self.planted(description.fields, nil)
        let new = try description.read(tree, "data", .standard)
        let data = try description.json(new.payload) { new.personal[Int($0)].text }
        let digests = data.matches(of: /sha256:([0-9a-f]{16})/).map { String($0.output.1) }
        let event = RecordedEvent(
            envelope: Envelope(
                position: Position(1), occurredAt: Self.at, recordedAt: Self.at, offsetS: 0),
            kind: new.kind, tags: new.tags, zone: "Needle/zone", payload: new.payload)
        var capture = Capture(
            "captured", [Capture.Fact(event: event, payloadJSON: data)], [], .standard, catalogue)
        try capture.pseudonymise { $0 == "UTC" }
        let text = try capture.text(states: [:], zones: nil)
        #expect(text.contains("event: \(name)"))
        #expect(found(in: text) == [], "\(text)")
        for digest in digests { #expect(!text.contains(digest)) }
    }

    @Test("A time that a refused command writes as text stays, and another text does not")
    func timeOfCommand() throws {
        let data = """
            {"runId":"r","segments":[{"points":[{"tUs":"2026-02-20T10:00:00Z"},\
            {"tUs":"Needle of a time"}]}],"userId":"u"}
            """
        var capture = Capture(
            "captured", [], [], .standard, catalogue,
            refused: Capture.RefusedCommand(
                command: "running.import-track", inputJSON: data, at: Self.at, code: "any"))
        try capture.pseudonymise { $0 == "UTC" }
        let text = try capture.text(states: [:], zones: nil)
        #expect(text.contains(#"{"tUs":"2026-02-20T10:00:00Z"}"#), "\(text)")
        #expect(found(in: text) == [], "\(text)")
    }

    @Test("Nothing planted in a refused command is left", arguments: commands)
    func command(_ name: String) throws {
        let description = try #require(catalogue.commands[name])
        let data = Self.planted(description.fields, nil).canonicalText
        var capture = Capture(
            "captured", [], [], .standard, catalogue,
            refused: Capture.RefusedCommand(
                command: name, inputJSON: data, at: Self.at, code: "any"))
        try capture.pseudonymise { $0 == "UTC" }
        let text = try capture.text(states: [:], zones: nil)
        #expect(text.contains("command: \(name)"))
        #expect(found(in: text) == [], "\(text)")
    }
}

private let catalogue: Catalogue = {
    do {
        return try Catalogue(Catalog.areas)
    } catch {
        preconditionFailure("\(error)")
    }
}()
