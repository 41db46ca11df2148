import Daybook
import Foundation
import TestSupport
import Testing

@testable import DaybookModel

// Holds: s4-event-types, s4-type-spelling, s4-formula-spellings, s4-value-spellings,
// s4-medication-and-notes
/// What apps write, folded to one field and unit.
@Suite struct DetailsTests {
    @Test(
        "Every spelling of an amount is the same amount",
        arguments: [
            (["ml": "120"], 120_000), (["amount_ml": "120.0"], 120_000),
            (["volume_ml": "120"], 120_000), (["amountMl": "120"], 120_000),
            (["formula_ml": "120"], 120_000), (["oz": "4.5"], 133_081), (["oz": "4,5"], 133_081),
            (["ml": "0.0005"], 1), (["ml": "0.0004"], 0),
            (["ml": "120", "amount_ml": "120"], 120_000),
            (["amountUl": "7"], 7), (["ml": " 120 "], 120_000),
        ] as [([String: Scalar], Int64)])
    func volumes(_ value: [String: Scalar], _ microlitres: Int64) throws {
        try expect(
            BabyCare.Details(kind: "FORMULA", value: value).value.amountUl, equals: microlitres)
    }

    @Test(
        "Other measures have one unit each",
        arguments: [
            ("weaning", ["grams": "30"], "massMg", 30_000),
            ("growth", ["weight_lb": "7.1"], "massMg", 3_220_506),
            ("growth", ["height_in": "20.75"], "lengthUm", 527_050),
            ("growth", ["head_cm": "36.4"], "headUm", 364_000),
            ("symptom", ["temp_f": "98.6"], "milliC", 37_000),
            ("symptom", ["temp_c": "-0.5"], "milliC", -500),
            ("symptom", ["temperature_c": "38.25"], "milliC", 38_250),
            ("sleep", ["duration_min": "1.5"], "durationS", 90),
            ("sleep", ["duration_minutes": "12"], "durationS", 720),
            ("sleep", ["minutes": "7"], "durationS", 420),
            ("pee", ["count": "2"], "count", 2),
        ] as [(String, [String: Scalar], String, Int64)])
    func measures(
        _ kind: String, _ value: [String: Scalar],
        _ field: String, _ expected: Int64
    ) throws {
        let details = try BabyCare.Details(kind: kind, value: value)
        let leaf = FlatFields.of(details.value).first { $0.path == field }
        expect(leaf?.value, equals: "\(expected)")
        #expect(details.meta.isEmpty)
    }

    @Test(
        "A link that cannot be read is refused by its field",
        arguments: [
            (["ml": "a lot"], "ml"), (["ml": ""], "ml"), (["ml": "1e3"], "ml"),
            (["ml": "0x10"], "ml"), (["ml": "1.2.3"], "ml"), (["ml": "1,500"], "ml"),
            (["ml": "-5"], "ml"),
            (["ml": "1234567890123456"], "ml"), (["oz": "4", "ml": "120"], "oz"),
            (["side": "upper"], "side"), (["count": "2.5"], "count"), (["nap": "maybe"], "nap"),
            (["count": "-1"], "count"),
        ] as [([String: Scalar], String)])
    func unreadable(_ value: [String: Scalar], _ field: String) {
        #expect {
            try BabyCare.Details(kind: "formula", value: value)
        } throws: { error in
            (error as? BabyCare.UnreadableDetail)?.field == field
        }
    }

    @Test("A kind is read in any case, with spaces around it; an unknown one is refused")
    func kinds() throws {
        try expect(BabyCare.Details(kind: " Sleep\n", value: [:]).kind, equals: .sleep)
        #expect(throws: BabyCare.UnreadableDetail.self) {
            try BabyCare.Details(kind: "nap", value: [:])
        }
    }

    @Test(
        "A note is read under each of its names, and the sort of a medication under its own",
        arguments: ["memo", "note", "text", "content", "message"])
    func notes(_ name: String) throws {
        let details = try BabyCare.Details(
            kind: "medication",
            value: [name: "after lunch", "medication_type": "syrup", "name": "vitamin D"])
        expect(details.text, equals: "after lunch")
        #expect(details.value.type == "syrup" && details.value.name == "vitamin D")
        #expect(details.meta.isEmpty)
    }

    @Test("Notes are one text, and what has no field is kept as it stands")
    func rest() throws {
        let details = try BabyCare.Details(
            kind: "memo", value: ["memo": "first tooth", "note": "left", "colour": "green"],
            meta: ["category": "milestone"])
        expect(details.text, equals: "first tooth\nleft")
        expect(details.meta, equals: ["colour": "green", "category": "milestone"])
        expect(details.kind, equals: .memo)
        let dose = try BabyCare.Details(kind: "MEDICATION", value: ["name": "D", "dose_mg": "5"])
        expect(dose.value.dose, equals: "5 mg")
        try expect(
            BabyCare.Details(kind: "symptom", value: ["temp": "38"]).value.method, equals: "ear")
    }

    @Test("Decimals are scaled as exact arithmetic does, halves away from zero")
    func decimals() throws {
        let seed: UInt64 = 7
        var random = SeededGenerator(seed: seed)
        for _ in 0..<2_000 {
            let whole = Int.random(in: 0...5_000, using: &random)
            let digits = Int.random(in: 0...9, using: &random)
            let fraction = (0..<digits).map { _ in "\(Int.random(in: 0...9, using: &random))" }
                .joined()
            let text = digits == 0 ? "\(whole)" : "\(whole).\(fraction)"
            let units: [(String, String)] = [
                ("ml", "1000"), ("oz", "29573.5295625"),
            ]
            for (key, factor) in units {
                var exact = try #require(Decimal(string: text)) * #require(Decimal(string: factor))
                var rounded = Decimal()
                NSDecimalRound(&rounded, &exact, 0, .plain)
                let found = try BabyCare.Details(kind: "formula", value: [key: Scalar(text)])
                expect(
                    found.value.amountUl, equals: NSDecimalNumber(decimal: rounded).int64Value,
                    "\(text) \(key), seed \(seed)")
            }
        }
    }
}
