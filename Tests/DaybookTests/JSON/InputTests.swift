import Daybook
import TestSupport
import Testing

@Suite struct InputTests {
    @Test(
        "Malformed JSON is refused with its line",
        arguments: [
            ("", 1, "found the end"), ("{\"a\": 1,\n\"a\": 2}", 2, "is repeated"),
            ("[1,\n2,\n]", 3, "expected a JSON value"), ("{\"a\" 1}", 1, "expected ':'"),
            ("[01]", 1, "leading zero"), ("[1.]", 1, "expected a digit"),
            ("\"\\ud800\"", 1, "surrogate"), ("\"\\x\"", 1, "not a JSON escape"),
            ("\"a\nb\"", 1, "control character"), ("\"a", 1, "no closing quote"),
            ("1 2", 1, "expected nothing after"), ("nul", 1, "expected a JSON value"),
            (String(repeating: "[", count: 100_000), 1, "64 levels deep"),
        ])
    func malformed(_ text: String, _ line: Int, _ message: String) {
        #expect {
            try JSONParser.parse(text.utf8)
        } throws: { error in
            guard let error = error as? InputError else { return false }
            return error.line == line && error.message.contains(message)
        }
    }

    @Test(
        "JSON values are read exactly",
        arguments: [
            ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
            ("9223372036854775808", .number("9223372036854775808")), ("1.0", .number("1.0")),
            ("1e3", .number("1e3")), ("\"\\ud83d\\ude00\\u00e9\\n\"", .text("😀é\n")),
            (" true ", .boolean(true)), ("null", .null),
        ] as [(String, Tree.Content)])
    func exact(_ text: String, _ content: Tree.Content) throws {
        #expect(try JSONParser.parse(text.utf8).content == content)
    }

    @Test("Bytes that are not text are refused")
    func bytesThatAreNoTextAreRefused() {
        #expect(throws: InputError.self) { try JSONParser.parse([0x22, 0xFF, 0x22] as [UInt8]) }
    }

    @Test(
        "A record that does not fit is refused by line and field, with what was found",
        arguments: [
            (#"{"number": "1"}"#, "number", "expected a whole number, found the text \"1\""),
            (#"{"number": 1.5}"#, "number", "found the number 1.5"),
            (#"{"number": 1}"#, "text", "is missing"),
            (#"{"number": 1, "text": "a", "topics": "b"}"#, "topics", "expected a list"),
            (#"{"number": 1, "text": "a", "topics": [1]}"#, "topics[0]", "expected a text"),
            (#"{"number": 1, "text": "a", "more": 1}"#, "more", "the field is unknown"),
            ("[]", "", "expected an object, found a list"),
        ])
    func doesNotFit(_ json: String, _ field: String, _ message: String) throws {
        let tree = try JSONParser.parse(json.utf8)
        let rules = InputRules(digest: { _ in 0 }, normalise: { $0 })
        #expect {
            try TreeReader.read(Note.self, from: tree, rules: rules)
        } throws: { error in
            guard let error = error as? InputError else { return false }
            return error.field == field && error.message.contains(message) && error.line == 1
        }
    }

    @Test("A member of a dictionary that is null is left out, and an error names its path")
    func members() throws {
        let rules = InputRules(digest: { _ in 0 }, normalise: { $0 })
        func read(_ json: String) throws -> [String: [Int64]] {
            try TreeReader.read(from: try JSONParser.parse(json.utf8), field: "m", rules: rules)
        }
        #expect(try read(#"{"a": [1], "b": null, "c": []}"#) == ["a": [1], "c": []])
        #expect {
            try read(#"{"a": [1], "b": [2, "x"]}"#)
        } throws: { ($0 as? InputError)?.field == "m.b[1]" }
    }

    @Test("A repeated name is refused in objects of any size", arguments: [1, 15, 16, 17, 40])
    func repeated(_ count: Int) throws {
        let members = (0..<count).map { "\"n\($0)\": 1" }
        #expect(try JSONParser.parse("{\(members.joined(separator: ","))}".utf8).line == 1)
        for number in Set([0, count - 1]) {
            let text = "{\((members + [members[number]]).joined(separator: ","))}"
            #expect {
                try JSONParser.parse(text.utf8)
            } throws: { ($0 as? InputError)?.message.contains("\"n\(number)\" is rep") == true }
        }
    }

    @Test("A command's field that is left out has the value that its type declares")
    func declaredDefaults() throws {
        let rules = InputRules(digest: { _ in 0 }, normalise: { $0 })
        let name = #"{"name": "a"}"#
        let description = CommandDescription(Reserve.self)
        let fields = description.fields.map { "\($0.name) \($0.defaultValue ?? "–")" }
        #expect(fields == ["name –", "days 14", "note \"none\"", "copies –"])
        let tree = try JSONParser.parse(name.utf8)
        let context = CommandContext(now: .epoch)
        #expect(throws: InputError("the field is missing", line: 1, field: "copies")) {
            try description.read(tree, "", rules, context)
        }
        let whole = try JSONParser.parse(#"{"name": "a", "copies": 1}"#.utf8)
        _ = try description.read(whole, "", rules, context)
        // Facts have no defaults: an event says what happened.
        #expect(throws: InputError("the field is missing", line: 1, field: "days")) {
            try TreeReader.read(Reserve.self, from: whole, rules: rules)
        }
    }

    @Test("A secret becomes its digest, and a digest stays")
    func aSecretBecomesItsDigestAndADigestStays() throws {
        let rules = InputRules(digest: { UInt64($0.utf8.count) }, normalise: { $0 })
        func read(_ text: String) throws -> Digest {
            try TreeReader.read(
                from: Tree(.text(text), line: 1), field: "token", rules: rules)
        }
        #expect(try read("secret") == Digest(bits: 6))
        #expect(try read("sha256:00000000000000ff") == Digest(bits: 255))
        #expect(Digest(bits: 255).description == "sha256:00000000000000ff")
    }

    @Test(
        "Kinds and tags are names in a fixed form",
        arguments: [
            ("launch.app-launched.v1", true), ("a.b.v10", true), ("a.b.v0", false),
            ("a.b.v01", false), ("a.b", false), ("A.b.v1", false), ("a..v1", false),
            ("a.b.c.v1", false), ("a.b.1", false), ("", false),
        ])
    func kinds(_ name: String, _ isValid: Bool) {
        #expect((EventKind(name) != nil) == isValid)
    }

    @Test(
        "A tag is a noun, a colon and an id",
        arguments: [
            ("launch:l1", true), ("a:b:c", true), ("week:2026-W08", true), (":x", false),
            ("a:", false), ("a", false), ("A:b", false), ("a:\n", false), ("a:é", true),
            ("a:" + String(repeating: "x", count: 253), true),
            ("a:" + String(repeating: "x", count: 254), false),
        ])
    func tags(_ text: String, _ isValid: Bool) {
        #expect((Tag(text) != nil) == isValid)
        if text.hasPrefix("a:") {
            #expect(Tag("a", String(text.dropFirst(2))).isValid == isValid)
        }
    }

    @Test("An item needs one of its kinds and all of its tags")
    func anItemNeedsOneOfItsKindsAndAllOfItsTags() {
        let (x, y) = (Tag("t", "x"), Tag("t", "y"))
        let item = Query.Item(kinds: ["a.b.v1", "a.c.v1"], tags: [x, y])
        #expect(item.matches(kind: "a.b.v1", tags: [y, x, Tag("t", "z")]))
        #expect(!item.matches(kind: "a.b.v1", tags: [x]))
        #expect(!item.matches(kind: "a.d.v1", tags: [x, y]))
        #expect(Query.Item().matches(kind: "a.b.v1", tags: []))
        #expect(Query.all.matches(kind: "a.b.v1", tags: []))
        #expect(Query(items: []) == nil)
        #expect(Query(item, Query.Item(tags: [x])).matches(kind: "a.d.v1", tags: [x]))
    }
}

/// Numbers as they are written, in whole small units.
@Suite struct ScalarTests {
    struct Number: Sendable, CustomTestStringConvertible {
        var testDescription: String { "'\(text)' times 10^\(power)" }
        var text: String
        var power: Int
        var value: Int64?

        init(_ text: String, _ power: Int, _ value: Int64?) {
            self.text = text
            self.power = power
            self.value = value
        }
    }

    @Test(
        "A decimal number is read exactly and rounded once, half away from zero",
        arguments: [
            Number("37.5665", 9, 37_566_500_000),
            Number("-0.0000000005", 9, -1), Number("-0.0000000004999", 9, 0),
            Number("52.09731238894164562225341796875", 9, 52_097_312_389),
            Number("1e-7", 9, 100), Number("1.5E2", 3, 150_000), Number("+1.5e+2", 0, 150),
            Number(" \t12.5\r\n", 1, 125), Number("12.", 1, 120), Number(".5", 1, 5),
            Number("0", 9, 0), Number("000.000", 9, 0), Number("0e99999999999", 9, 0),
            Number("1e-99999999999999999999", 9, 0), Number("1e99999999999999999999", 9, nil),
            Number("9223372036854775807", 0, .max), Number("9223372036854775808", 0, nil),
            Number("9223372036.8547758074", 9, .max), Number("99999999999999999999", -1, nil),
            Number("0.5", 0, 1), Number("-0.5", 0, -1), Number("2.5", 0, 3),
            Number("", 0, nil), Number(".", 0, nil), Number("-", 0, nil), Number("e5", 0, nil),
            Number("1e", 0, nil), Number("1e+", 0, nil), Number("1,5", 1, nil),
            Number("NaN", 0, nil), Number("inf", 0, nil), Number("0x10", 0, nil),
            Number("1 2", 0, nil), Number("１", 0, nil), Number("1.2.3", 0, nil),
        ])
    func isScaled(_ number: Number) {
        #expect(Scalar(number.text).scaled(toPowerOfTen: number.power) == number.value)
    }
}

private struct Reserve: Command {
    typealias Model = Shelf
    static let name = "shelf.reserve"
    var name = ""
    var days: Int64 = 14
    var note = "none"
    var copies: Int64 = 0
    static var blank: Self { Self() }

    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("name", &name, "days", &days, "note", &note, "copies", &copies)
    }

    var query: Query { .all }

    func decide(_ state: Shelf, now: Instant) throws(Refusal) -> [Shelf.Event] { [] }
}

private struct Shelf: Record, Projection {
    struct Reserved: EventPayload {
        static let kind: EventKind = "shelf.reserved.v1"
        var name = ""
        static var blank: Self { Self() }
        var tags: [Daybook.Tag] { [Daybook.Tag("shelf", name)] }

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("name", &name)
        }
    }

    enum Event: DecidedEvents {
        case reserved(Reserved)
        static let kinds = [StoredKind(reserved)]
    }

    static var blank: Self { Self() }

    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {}

    static func evolve(_ shelf: inout Shelf, with event: Event, _ envelope: Envelope) {}
}
