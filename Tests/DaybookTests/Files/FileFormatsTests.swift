import Daybook
import TestSupport
import Testing

/// Formats that a program lists, and their options.
@Suite struct FileFormatsTests {
    private static func format(
        _ name: String, _ options: FileOption...
    ) -> ImportDescription {
        ImportDescription(name, "Rows.", options: options) { _ in [ImportedRow]() }
    }

    private enum Twice: FileFormats {
        static let imports = [format("rows"), format("rows")]
    }

    private enum Reserved: FileFormats {
        static let imports = [format("rows", FileOption("json", .flag, "As JSON."))]
    }

    private enum Contradicting: FileFormats {
        static let imports = [
            format("a", FileOption("unit", .text, "One.")),
            format("b", FileOption("unit", .text, "Another.")),
        ]
    }

    private enum Sharing: FileFormats {
        static let imports = [
            format("a", FileOption("unit", .text, "One.")),
            format("b", FileOption("unit", .text, "One.")),
        ]
    }

    @Test("Formats that the command line could not offer together are refused")
    func formatsThatContradictEachOtherAreRefused() throws {
        let faults: [(any FileFormats.Type, InvalidCatalogue)] = [
            (Twice.self, .duplicateName("rows")), (Reserved.self, .reservedOption("json")),
            (Contradicting.self, .duplicateName("--unit")),
        ]
        for (formats, fault) in faults {
            #expect(throws: fault) { try Catalogue([], formats: [formats]) }
        }
        let shared = try Catalogue([], formats: [Sharing.self])
        expect(shared.imports.map(\.name), equals: ["a", "b"])
    }

    @Test(
        "A value that does not fit the form of its option is named",
        arguments: [
            (.choice(["ml", "oz"]), "cup", "expected one of ml, oz, found 'cup'"),
            (.choice(["ml", "oz"]), "oz", nil),
            (
                .positive(power: 3, example: "12.5"), "0",
                "expected a number above 0, like 12.5, found '0'"
            ),
            (.positive(power: 3, example: "12.5"), "0.5", nil),
            (
                .positive(power: 3, example: "12.5"), "x",
                "expected a number above 0, like 12.5, found 'x'"
            ),
            (.time, "noon", "expected an RFC 3339 time like 2026-07-12T12:00:00Z, found 'noon'"),
            (.time, "2026-07-12T12:00:00Z", nil), (.text, "", nil),
        ] as [(FileOption.Form, String, String?)])
    func faults(_ form: FileOption.Form, _ text: String, _ fault: String?) {
        expect(FileOption("o", form, "").fault(of: text), equals: fault)
    }

    @Test("Values of options are read by their form")
    func valuesAreReadByTheirForm() {
        let speed = FileOption("speed", .positive(power: 3, example: "1"), "")
        let unit = FileOption("unit", .choice(["ml", "oz"]), "")
        let at = FileOption("at-time", .time, "")
        var options = FileOptions()
        expect(options[unit], equals: "ml")
        #expect(!options.has(unit))
        #expect(options.number(speed) == nil)
        options[speed] = "12.5"
        options[unit] = "oz"
        options[at] = "1970-01-01T00:00:01Z"
        expect(options.number(speed), equals: 12_500)
        expect(options[unit], equals: "oz")
        expect(options.time(at), equals: Instant(microseconds: 1_000_000))
    }

    @Test("A row of a file finds its cells by the names of their columns")
    func cellsAreFoundByName() throws {
        let bytes = Array("Copy , place\na,attic\n\nb\n".utf8)
        let rows = try CSVRow.read(bytes, columns: ["copy", "PLACE"], of: "copies")
        expect(rows.map(\.row), equals: [1, 2])
        expect(rows.map(\.line), equals: [2, 4])
        expect(rows.map { $0["copy"] }, equals: ["a", "b"])
        expect(rows.map { $0["place"] }, equals: ["attic", ""])
        expect(rows[0]["nowhere"], equals: "")
        #expect(throws: InputError.self) { try CSVRow.read([], columns: [], of: "copies") }
        #expect(throws: InputError.self) {
            try CSVRow.read(Array("copy,Copy\n".utf8), columns: [], of: "copies")
        }
        #expect(throws: InputError.self) {
            try CSVRow.read(bytes, columns: ["shelf"], of: "copies")
        }
    }
}
