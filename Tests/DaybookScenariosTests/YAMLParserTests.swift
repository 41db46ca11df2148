import Daybook
import DaybookInput
import DaybookScenarios
import TestSupport
import Testing

@Suite struct YAMLParserTests {
    @Test(
        "Malformed YAML is refused with line and field",
        arguments: [
            ("a: 1\na: 2", 2, "a", "is repeated"),
            ("x:\n  a: 1\n  \"a\": 2", 3, "a", "is repeated"),
            ("a: 1\n---\nb: 2", 2, "", "found a second one"),
            ("a: !!int 5", 1, "", "the YAML tag"),
            ("a: !custom text", 1, "", "the YAML tag"),
            ("a: 1\nb: !env {c: 1}", 2, "", "the YAML tag"),
            ("a: *missing", 1, "", "the alias '*missing' is undefined"),
            ("a: [1, 2", 1, "", "the text is not valid YAML"),
            ("a: 1\n\tb: 2", 2, "", "the text is not valid YAML"),
            ("a: &x {b: 1}\nc:\n  <<: *x", 3, "", "merge keys"),
            ("? [1, 2]\n: 3", 1, "", "a key must be a text"),
            ("a: \"\\q\"", 1, "", "the text is not valid YAML"),
            ("a: &a 1\n*a : 2", 2, "", "a key must be a text"),
        ])
    func malformed(text: String, line: Int, field: String, message: String) throws {
        let error = try #require(throws: InputError.self) { try YAMLParser.parse(text) }
        expect(error.line, equals: line, "\(error)")
        expect(error.field, equals: field, "\(error)")
        #expect(error.message.contains(message), "\(error)")
    }

    @Test(
        "An unquoted scalar has the type of the core schema",
        arguments: [
            ("1.10", Tree.Content.number("1.10")), ("12", .integer(12)), ("-0", .integer(0)),
            ("007", .integer(7)), ("0x1F", .integer(31)), ("0o17", .integer(15)),
            ("1e3", .number("1e3")), (".5", .number(".5")), ("~", .null), ("Null", .null),
            ("true", .boolean(true)), ("FALSE", .boolean(false)), (".inf", .number(".inf")),
            ("9223372036854775808", .number("9223372036854775808")),
            ("no", .text("no")), ("yes", .text("yes")), ("on", .text("on")), ("NO", .text("NO")),
            ("1:30", .text("1:30")), ("1.2.3", .text("1.2.3")), ("0x", .text("0x")),
            ("2026-07-01", .text("2026-07-01")), ("1_000", .text("1_000")), ("e3", .text("e3")),
            ("\"12\"", .text("12")), ("'true'", .text("true")), ("!!str 12", .text("12")),
        ])
    func scalars(text: String, content: Tree.Content) throws {
        try expect(YAMLParser.parse("a: \(text)")["a"]?.content, equals: content)
    }

    @Test("Unquoted YAML text is kept as written")
    func plainTextIsKept() throws {
        let tree = try YAMLParser.parse("a: 1.10\nb: \"1.10\"")
        expect(tree["a"]?.plain, equals: "1.10")
        #expect(tree["b"]?.plain == nil)
        expect(tree["b"]?.line, equals: 2)
    }

    @Test("YAML aliases repeat a value")
    func aliasesRepeatAValue() throws {
        let tree = try YAMLParser.parse("a: &x [1, 2]\nb: *x")
        expect(tree["a"]?.content, equals: tree["b"]?.content)
    }

    @Test("A YAML text that aliases expand too far is refused")
    func aliasBombIsRefused() throws {
        var text = "a0: &a0 [x, x]\n"
        for level in 1...60 { text += "a\(level): &a\(level) [*a\(level - 1), *a\(level - 1)]\n" }
        let error = try #require(throws: InputError.self) { try YAMLParser.parse(text) }
        #expect(error.message.contains("more than"))
    }

    @Test("A YAML key that aliases expand too far is refused")
    func aliasBombAsKeyIsRefused() throws {
        var text = "a0: &a0 [x, x]\n"
        for level in 1...60 { text += "a\(level): &a\(level) [*a\(level - 1), *a\(level - 1)]\n" }
        for key in ["*a60 : 1", "[*a60]: 1", "? *a60\n: 1", "- ? *a60\n  : 1", "{[*a60] : 1}"] {
            #expect(throws: InputError.self) { try YAMLParser.parse(text + key) }
        }
    }

    @Test("Deeply nested YAML is refused")
    func deepNestingIsRefused() {
        for depth in [70, 100_000] {
            let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
            #expect(throws: InputError.self) { try YAMLParser.parse(text) }
        }
    }

    @Test("An empty YAML text is null")
    func emptyTextIsNull() throws {
        try expect(YAMLParser.parse("").content, equals: .null)
        try expect(YAMLParser.parse("# nothing\n").content, equals: .null)
    }

    @Test("Standard input rules normalise texts and digest secrets")
    func standardRules() {
        // echo -n abc | sha256sum
        expect(InputRules.standard.digest("abc"), equals: 0xBA78_16BF_8F01_CFEA)
        #expect(
            Array(InputRules.standard.normalise("e\u{301}").unicodeScalars)
                == Array("\u{E9}".unicodeScalars))
    }
}
