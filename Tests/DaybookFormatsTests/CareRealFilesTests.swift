import Daybook
import DaybookInput
import Foundation
import TestSupport
import Testing

@testable import DaybookFormats
@testable import DaybookModel

/// The real data beside the repository, which is not part of it.
private let data = Checkout.sharedData

private let isPresent = FileManager.default.fileExists(
    atPath: data.appending(path: "babybuddy").path)

/// Every row of the real files is read, and becomes what it was counted to be.
@Suite(.enabled(if: isPresent)) struct CareRealFilesTests {
    private func rows(
        _ format: BabyCare.FileFormat, _ path: String, zone: String = "America/Los_Angeles"
    ) throws -> [CareFile.Row] {
        let bytes = try Array(Data(contentsOf: data.appending(path: path)))
        return try CareFile.read(
            bytes, as: format, zone: try Zones.zone(zone), rules: .standard)
    }

    private func baby(_ prefix: String) throws -> String {
        let names = try FileManager.default.contentsOfDirectory(
            atPath: data.appending(path: "baby").path)
        return try "baby/" + #require(names.first { $0.hasPrefix(prefix) && $0.hasSuffix(".csv") })
    }

    private func counts(_ entries: [BabyCare.ImportedEntry]) -> [String: Int] {
        entries.reduce(into: [:]) { $0[$1.kind.name, default: 0] += 1 }
    }

    @Test("All 2,788 rows of Baby Connect are read")
    func babyConnect() throws {
        let rows = try rows(.babyConnect, baby("babyconnect"))
        let contents = try rows.map { try $0.result.get() }
        let entries = contents.flatMap(\.entries)
        expect(
            counts(entries),
            equals: [
                "sleep": 1_253, "breastfeed": 986, "formula": 531, "growth": 14, "memo": 4,
            ])
        expect(entries.count { $0.state == .open }, equals: 1)
        expect(entries.count { $0.kind == .formula && $0.value.contents == "Milk" }, equals: 360)
        expect(entries.count { $0.kind == .formula && $0.value.contents == "Formula" }, equals: 171)
        expect(entries.count { $0.kind == .formula && $0.ended == nil }, equals: 248)
        expect(entries.count { $0.kind == .breastfeed && $0.value.durationS == nil }, equals: 3)
        expect(entries.count { $0.value.massMg != nil }, equals: 5)
        expect(entries.count { $0.value.lengthUm != nil }, equals: 4)
        expect(entries.count { $0.value.headUm != nil }, equals: 5)
        expect(Set(contents.compactMap(\.caregiver)), equals: ["A", "U"])
        expect(rows.map(\.row), equals: Array(1...2_788))
        expect(rows.map(\.line), equals: Array(2...2_789))
    }

    @Test("All 1,211 rows of Huckleberry are read")
    func huckleberry() throws {
        let entries = try rows(.huckleberry, baby("huckleberry"), zone: "America/New_York")
            .flatMap { try $0.result.get().entries }
        expect(
            counts(entries),
            equals: [
                "sleep": 553, "breastfeed": 215, "formula": 371, "medication": 72,
            ])
        expect(entries.count { $0.value.originalUnit == "oz" }, equals: 371)
        expect(entries.count { $0.value.name == "Vitamin D" && $0.value.dose == "1ml" }, equals: 58)
    }

    @Test(
        "All rows of Baby Buddy's files are read",
        arguments: [
            ("sleep", 39, ["sleep": 39]), ("feeding", 40, ["breastfeed": 19, "formula": 21]),
            ("diaperchange", 75, ["pee": 67, "poo": 15]),
            ("diaperchange-invalid-child", 1, ["poo": 1]), ("temperature", 23, ["symptom": 23]),
            ("weight", 5, ["growth": 5]), ("height", 5, ["growth": 5]),
            ("headcircumference", 5, ["growth": 5]), ("bmi", 5, ["memo": 5]),
            ("note", 1, ["memo": 1]), ("pumping", 23, ["memo": 23]),
            ("tummytime", 36, ["memo": 36]),
        ] as [(String, Int, [String: Int])])
    func babyBuddy(_ name: String, _ count: Int, _ kinds: [String: Int]) throws {
        let rows = try rows(.babyBuddy, "babybuddy/\(name).csv", zone: "UTC")
        let entries = try rows.flatMap { try $0.result.get().entries }
        expect(rows.count, equals: count)
        expect(counts(entries), equals: kinds)
        for entry in entries {
            let json = JSONWriter.text(entry)
            for name in ["Jasmin", "Burke", "Robert", "Smith"] { #expect(!json.contains(name)) }
        }
    }

    @Test("Baby Buddy's lists of children and tags are refused", arguments: ["child", "tag"])
    func lists(_ name: String) {
        #expect(throws: InputError.self) { try rows(.babyBuddy, "babybuddy/\(name).csv") }
    }
}
