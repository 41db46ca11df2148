import Daybook
import DaybookInput
import TestSupport
import Testing

@testable import DaybookFormats
@testable import DaybookModel

/// Huckleberry's notes, in which backslashes are escapes, and files in which they are not.
@Suite struct CareDialectTests {
    private static let header =
        "Type,Start,End,Duration,Start Condition,Start Location,End Condition,Notes\n"

    private static func row(_ note: String, minute: Int = 0) -> String {
        "\"Solids\",\"2026-02-25 11:\(minute + 10)\",\"\",\"\",\"mango\",\"\",\"\",\(note)\n"
    }

    private static func rows(_ text: String) throws -> [CareFile.Content] {
        try CareFile.read(
            Array((header + text).utf8), as: .huckleberry, zone: .utc, rules: .standard
        ).map { try $0.result.get() }
    }

    @Test(
        "The dialect of a file is the one that gives all of its rows",
        arguments: [
            // Escapes: RFC 4180 cannot be meant, or nothing in the file says that it is.
            ([#""say \"hi\" now""#], [#"say "hi" now"#]),
            ([#""a\"b""#, #""one\ntwo""#], [#"a"b"#, "one\ntwo"]),
            ([#""one\ntwo\\three""#], ["one\ntwo\\three"]),
            ([#""a, \"b, c\"""#, #""x""#], [#"a, "b, c""#, "x"]),
            // A doubled quote stays one beside escapes.
            ([#""say ""hi"" and \"ho\"""#], [#"say "hi" and "ho""#]),
            // RFC 4180, where a backslash is itself.
            ([#""C:\notes""#, #""say ""hi""""#], [#"C:\notes"#, #"say "hi""#]),
            ([#""waving \o/ \n""#], [#"waving \o/ \n"#]),
            ([#""ends with \""#, #""and ""so"" on""#], [#"ends with \"#, #"and "so" on"#]),
            (["\"two\nlines, \\n\""], ["two\nlines, \\n"]), ([#""plain""#], ["plain"]),
        ] as [([String], [String])])
    func dialects(_ fields: [String], _ expected: [String]) throws {
        let text = fields.enumerated().map { Self.row($1, minute: $0) }.joined()
        #expect(try Self.rows(text).map { $0.entries[0].text?.text } == expected)
    }

    @Test("A row is known by its cells as they are written, whichever dialect its file is in")
    func keys() throws {
        let note = Self.row(#""one\ntwo""#)
        let alone = try Self.rows(note)
        let beside = try Self.rows(note + Self.row(#""a\"b""#, minute: 5))
        #expect(alone[0].cells == beside[0].cells)
    }

    @Test("A file that is refused says how many more rows have the same fault")
    func faults() throws {
        let text =
            "Type,Start,End\nsleep,\"2026-01-01 10:00\"x,\nsleep,a,b\n"
            + "nap,\"1\"2,\nnap,\"1\"2,\n"
        let error = #expect(throws: InputError.self) {
            try CareFile.read(Array(text.utf8), as: .babyConnect, zone: .utc, rules: .standard)
        }
        #expect(error?.line == 2)
        #expect(
            error?.message
                == "a row has characters after a closing quote; expected a comma or a line end; "
                + "2 more rows have the same fault")
        let one = #expect(throws: InputError.self) {
            try CSVParser.parse(Array("a\nx\"y\nb\nz\"\n".utf8))
        }
        #expect(one?.message.hasSuffix("; 1 more row has the same fault") == true)
        let only = #expect(throws: InputError.self) {
            try CSVParser.parse(Array("a\n\"open,2\n3,4\n".utf8))
        }
        #expect(only?.message.hasPrefix("a quoted field is never closed") == true)
    }
}
