import Daybook
import DaybookInvestigation
import Testing

/// Questions about a state, from their text.
@Suite struct ExpressionTests {
    private enum Colour: UInt8, StoredEnum {
        case red
        case green
    }

    private struct Inner: Record {
        var at = Instant(microseconds: 1_771_581_600_000_000)
        var words = ["a", "b"]

        static var blank: Self { Self() }

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("at", &at)
            try field("words", &words)
        }
    }

    private struct Sample: Record {
        var count: Int64 = 5
        var share = Tenths(tenths: -25)
        var colour = Colour.green
        var isOn = true
        var name: String?
        var maybe: Int64?
        var inner = Inner()
        var rows = [Inner(), Inner()]
        var roles = ["ann": Colour.red, "bob": Colour.green]

        static var blank: Self { Self() }

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("count", &count)
            try field("share", &share)
            try field("colour", &colour)
            try field("isOn", &isOn)
            try field("name", &name)
            try field("maybe", &maybe)
            try field("inner", &inner)
            try field("rows", &rows)
            try field("roles", &roles)
        }
    }

    private static func expression(_ text: String) throws(ExpressionError) -> Expression {
        try Expression(text, over: FieldDescription.fields(of: Sample.self), named: "lamp")
    }

    @Test(
        "An expression holds for some states and not for others",
        arguments: [
            ("count == 5", true), ("count != 5", false), ("count > 4 && count < 6", true),
            ("count >= 5 && count <= 5", true), ("lamp.count == 5", true), ("4 < count", true),
            ("count == 5.0", true), ("count > 4.999999999", true),
            ("share == -2.5", true), ("share < -2.4", true), ("share < -2.6", false),
            ("colour == green", true), ("colour == \"green\"", true), ("colour != red", true),
            ("isOn", true), ("!isOn", false), ("!!isOn", true), ("isOn == false", false),
            ("name == null", true), ("name == 'x'", false), ("name != 'x'", true),
            ("maybe == null", true), ("maybe < 1", false), ("maybe > 1", false),
            ("inner.at == 2026-02-20T10:00:00Z", true),
            ("inner.at > 2026-02-20T19:00:01+09:00", false),
            ("inner.words[1] == 'b'", true), ("rows[1].words[0] == 'a'", true),
            ("rows[7].words[0] == null", true),
            ("rows.count == 2 && inner.words.count == 2 && roles.count == 2", true),
            ("roles.ann == red", true), ("roles.zoe == null", true),
            ("count == 1 || colour == green && isOn", true),
            ("(count == 1 || colour == green) && !isOn", false),
            ("!(count == 1)", true),
        ])
    func holds(_ text: String, _ expected: Bool) throws {
        #expect(try Self.expression(text).isTrue(for: FlatFields.of(Sample())) == expected)
    }

    @Test(
        "A text that is not an expression over the state is refused at its fault",
        arguments: [
            ("", 1, "expected a field, found the end of the expression"),
            ("count", 1, "expected a comparison like count == …"),
            ("cuont == 5", 1, "lamp has no field 'cuont'"),
            ("inner.atSu == 5", 1, "lamp has no field 'inner.atSu'; the fields of 'inner' are "),
            ("at == 5", 1, "did you mean 'inner.at'?"),
            ("count[0] == 5", 1, "lamp has no field 'count[0]'"),
            ("colour == blue", 11, "expected one of red, green, found 'blue'"),
            ("colour == 'blue'", 11, "expected one of red, green, found 'blue'"),
            ("colour == 5", 11, "expected one of red, green, found integer"),
            ("colour > red", 10, "> compares numbers"),
            ("count == true", 10, "expected integer, found boolean"),
            ("count == 'five'", 10, "expected integer, found text"),
            (
                "count > '2026-03-20'", 9,
                "expected integer, found text; a time is written without quotes, like "
                    + "2026-03-20T00:00:00Z"
            ),
            (
                "count > 2026-03-20", 9,
                "'2026-03-20' is neither a number nor a time like 2026-03-20T00:00:00Z"
            ),
            ("count = 5", 1, "expected a comparison"),
            ("count == 5 count == 6", 12, "expected '&&', '||' or the end"),
            ("(count == 5", 12, "expected ')'"), ("name == 'x", 9, "no closing quote"),
            ("count == 5 &&", 14, "expected a field, found the end of the expression"),
            ("colour.count == 2", 1, "lamp has no field 'colour.count'"),
            (
                String(repeating: "(", count: 100) + "isOn", 65,
                "parentheses are nested more than 63 levels deep"
            ),
        ])
    func isRefused(_ text: String, _ column: Int, _ message: String) {
        let error = #expect(throws: ExpressionError.self) { try Self.expression(text) }
        #expect(error?.column == column, "\(error?.description ?? "")")
        #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
    }
}
