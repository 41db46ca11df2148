import Daybook
import Testing

@Suite struct DecimalTextTests {
    @Test(
        "A number of small units is written without zeros at its end",
        arguments: [
            (0, 3, "0"), (4_500, 3, "4.5"), (-4_500, 3, "-4.5"), (12, 3, "0.012"),
            (-1, 9, "-0.000000001"), (7_000, 3, "7"), (70, 0, "70"), (100_000, 2, "1000"),
            (.max, 0, "9223372036854775807"), (.min, 9, "-9223372036.854775808"),
        ])
    func trimmed(_ value: Int64, _ places: Int, _ text: String) {
        #expect(value.decimalText(places: places) == text)
        #expect(Scalar(text).scaled(toPowerOfTen: places) == (value == .min ? nil : value))
    }

    @Test(
        "A number of small units is written with every place where zeros are kept",
        arguments: [
            (0, 3, "0.000"), (4_500, 3, "4.500"), (-7, 3, "-0.007"), (70, 0, "70"),
            (52_520_000_000, 9, "52.520000000"),
        ])
    func whole(_ value: Int64, _ places: Int, _ text: String) {
        #expect(value.decimalText(places: places, keepsZeros: true) == text)
    }
}

@Suite struct FNV1aTests {
    // Source: the FNV reference vectors, draft-eastlake-fnv.
    @Test(
        "The FNV-1a digest has its published values",
        arguments: [
            ("", 0xCBF2_9CE4_8422_2325), ("a", 0xAF63_DC4C_8601_EC8C),
            ("foobar", 0x8594_4171_F739_67E8),
        ] as [(String, UInt64)])
    func published(_ text: String, _ value: UInt64) {
        #expect(text.utf8.reduce(into: FNV1a()) { $0.add($1) }.value == value)
    }
}
