import TestSupport
import Testing

@testable import Daybook

/// The units in which people read stored integers.
@Suite struct FieldUnitTests {
    @Test(
        "The unit of a field is in its name",
        arguments: [
            ("durationS", 5_400, "duration", "1 h 30 min"), ("lengthS", 0, "length", "0 s"),
            ("latencyMs", 340, "latency", "340 ms"), ("latencyMs", 1_340, "latency", "1.34 s"),
            ("activeMs", 1_650_400, "active", "27 min 30 s"),
            ("forwardUs", 200, "forward", "0.2 ms"),
            ("forwardUs", 90_500_000, "forward", "1 min 30 s"),
            ("durationMin", 90, "duration", "1 h 30 min"),
            ("dayStartMin", 450, "dayStart", "07:30"), ("nightToMin", 1_440, "nightTo", "24:00"),
            ("amountUl", 180_000, "amount", "180 ml"), ("amountUl", 133_081, "amount", "133.1 ml"),
            ("amountMl", 120, "amount", "120 ml"), ("amount_ml", 120, "amount", "120 ml"),
            ("ml", 120, "", "120 ml"), ("massMg", 120_500, "mass", "120.5 g"),
            ("massMg", 6_500_000, "mass", "6.5 kg"), ("weightG", 70_500, "weight", "70.5 kg"),
            ("grams", 80, "", "80 g"), ("lengthUm", 625_000, "length", "62.5 cm"),
            ("distanceMm", 5_000_000, "distance", "5.0 km"),
            ("distanceMm", 5_034_999, "distance", "5.03 km"),
            ("distanceMm", 5_035_000, "distance", "5.04 km"),
            ("distanceMm", 850_499, "distance", "850 m"), ("accMm", 4_550, "acc", "4.6 m"),
            ("distanceMm", -4_550, "distance", "-4.6 m"), ("scoreM", 42_195, "score", "42.2 km"),
            ("topSpeedMmPerS", 2_800, "topSpeed", "2.8 m/s"),
            ("avgPaceMsPerKm", 330_900, "avgPace", "5:30 /km"),
            ("milliC", 38_500, "", "38.5 °C"), ("maxMilliC", 38_500, "max", "38.5 °C"),
            ("latE9", 37_500_000_000, "lat", "37.5°"), ("kcal", 300, "", "300 kcal"),
            ("linkBytes", 1, "link", "1 byte"), ("feeMinor", 5, "fee", "5 minor units"),
        ] as [(String, Int64, String, String)])
    func units(_ field: String, _ value: Int64, _ name: String, _ text: String) throws {
        let (rest, unit) = FieldUnit.split(field)
        expect(String(rest), equals: name)
        expect(try #require(unit).text(value), equals: text)
    }

    @Test(
        "A name that only looks like one with a unit has none",
        arguments: ["count", "items", "status", "S", "hasSMS", "DNS", "roundtrips", "PM"])
    func noUnit(_ field: String) {
        expect(FieldUnit.split(field).unit, equals: nil)
        expect(String(FieldUnit.split(field).name), equals: field)
    }

    @Test(
        "Money has the digits of its currency",
        arguments: [("KRW", "1250 KRW"), ("EUR", "12.50 EUR"), ("KWD", "1.250 KWD")])
    func money(_ currency: String, _ text: String) {
        expect(FieldUnit.minorUnits.text(1_250, currency: currency), equals: text)
    }

    @Test("No value is too large or too small for a unit", arguments: [Int64.min, .max])
    func extremes(_ value: Int64) {
        for name in ["a_ml", "aS", "aMs", "aUs", "aMin", "aUl", "aMg", "aUm", "aMm", "aM", "aG"] {
            #expect(FieldUnit.split(name).unit?.text(value).isEmpty == false, "\(name)")
        }
    }

    @Test(
        "A stored name is written in words",
        arguments: [
            ("tokenRefreshFailed", "token refresh failed"), ("copy-borrowed", "copy borrowed"),
            ("medical_related", "medical related"), ("http419", "http 419"),
            ("last72h", "last 72h"), ("notFoundLinkURLKey", "not found link URL key"),
            ("ios", "ios"), ("UP", "UP"), ("", ""),
        ])
    func words(_ name: String, _ words: String) { expect(name.inWords, equals: words) }
}
