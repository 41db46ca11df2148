import Daybook
import DaybookInput
import TestSupport
import Testing

@testable import DaybookFormats
@testable import DaybookModel

// Holds: s4-export-csv, s4-export-name, s4-export-read-back
/// Exported entries are the same when they are read again.
@Suite struct CareRoundTripTests {
    private static let seed: UInt64 = 7_301

    private static func read(_ text: String) throws -> [CareFile.Content] {
        try CareFile.read(Array(text.utf8), as: .babyAI, zone: .utc, rules: .standard)
            .map { try $0.result.get() }
    }

    private static func words(_ random: inout SeededGenerator) -> String? {
        let some = [
            nil, "milk", "a, b", "say \"hi\"", "two\nlines", "\u{D55C}\u{AE00}", "=1+1", "{}", "12",
            "true",
            "back\\slash", "tab\tstop", "\u{1F37C}",
        ]
        return some[Int.random(in: 0..<some.count, using: &random)]
    }

    private static func amount(_ random: inout SeededGenerator) -> Int64? {
        Bool.random(using: &random) ? nil : Int64.random(in: 0...9_999_999, using: &random)
    }

    private static func entry(_ index: Int, _ random: inout SeededGenerator) -> BabyCare.Entry {
        var entry = BabyCare.Entry()
        entry.entryId = "e\(index)"
        entry.babyId = "b"
        entry.kind = BabyCare.Kind.allCases.randomElement(using: &random) ?? .sleep
        entry.started = Instant(
            microseconds: .random(
                in: 1_500_000_000_000_000...1_800_000_000_000_000, using: &random))
        entry.state = [.open, .closed, .cancelled].randomElement(using: &random) ?? .closed
        let hasEnd = entry.kind == .sleep ? entry.state == .closed : Bool.random(using: &random)
        if hasEnd, entry.state != .open {
            entry.ended = entry.started + Int64.random(in: 0...90_000_000_000, using: &random)
        }
        entry.history.created = entry.started + Int64.random(in: 0...5, using: &random)
        entry.source = BabyCare.Source.allCases.randomElement(using: &random) ?? .manual
        entry.by = ["u1", "u2", nil].randomElement(using: &random) ?? nil
        value(&entry.value, entry.kind, &random)
        if entry.kind == .sleep { entry.file.declaredDurationS = amount(&random) }
        if entry.ended != nil, Bool.random(using: &random) {
            entry.isEstimated = true
            entry.confidence = Int64.random(in: 0...100, using: &random)
        }
        for key in ["color", "tags", "startConditions"] { entry.meta[key] = words(&random) }
        return entry
    }

    private static func value(
        _ value: inout BabyCare.Value, _ kind: BabyCare.Kind, _ random: inout SeededGenerator
    ) {
        switch kind {
        case .formula: value.amountUl = amount(&random)
        case .growth:
            value.massMg = amount(&random)
            value.lengthUm = amount(&random)
            value.headUm = amount(&random)
        case .weaning: value.massMg = amount(&random)
        case .symptom: value.milliC = amount(&random).map { $0 - 5_000_000 }
        case .pee, .poo: value.count = Int64.random(in: 1...3, using: &random)
        case .breastfeed: value.side = BabyCare.Side.allCases.randomElement(using: &random)
        case .sleep: value.isNap = [true, false, nil].randomElement(using: &random) ?? nil
        default: break
        }
        value.durationS = amount(&random)
        value.type = words(&random)
        value.contents = words(&random)
        value.method = words(&random)
        value.name = words(&random)
        value.dose = words(&random)
        if Bool.random(using: &random) {
            (value.original, value.originalUnit) = ("4.5", "oz")
        }
    }

    @Test("Any entries are exported and read back as they were")
    func roundTrip() throws {
        var random = SeededGenerator(seed: Self.seed)
        var entries: [String: BabyCare.Entry] = [:]
        var texts: [String: String] = [:]
        for index in 0..<600 {
            let entry = Self.entry(index, &random)
            entries[entry.entryId] = entry
            texts[entry.entryId] = Self.words(&random)
        }
        let text = CareFile.babyAICSV(Array(entries.values), babyId: "b") {
            CareFile.EntryTexts(note: texts[$0.entryId])
        }
        let contents = try Self.read(text)
        #expect(contents.count == entries.count)
        for content in contents {
            let entry = try #require(entries[content.entryId ?? ""])
            let read = try #require(content.entries.first)
            let label: Comment = "seed \(Self.seed), \(entry.entryId) \(entry.kind)"
            #expect(content.entries.count == 1)
            #expect(content.sourceBabyId == "b", label)
            #expect(content.created == entry.history.created, label)
            #expect(content.source == entry.source, label)
            #expect(content.caregiver == entry.by?.name, label)
            #expect(read.kind == entry.kind, label)
            #expect(read.started == entry.started, label)
            #expect(read.ended == entry.ended, label)
            #expect(read.state ?? .closed == entry.state, label)
            #expect(read.declaredDurationS == entry.file.declaredDurationS, label)
            #expect(read.endConfidence == entry.confidence, label)
            #expect(read.value == entry.value, label)
            #expect(read.meta == entry.meta, label)
            #expect(read.text?.text == texts[entry.entryId], label)
        }
    }

    @Test("An export is sorted by start, then by creation")
    func order() throws {
        var random = SeededGenerator(seed: Self.seed)
        var entries = (0..<50).map { Self.entry($0, &random) }
        for index in entries.indices {
            entries[index].started = 1_600_000_000_000_000
            entries[index].ended = nil
        }
        let text = CareFile.babyAICSV(entries, babyId: "b") { _ in nil }
        #expect(CareFile.babyAICSV(entries.reversed(), babyId: "b") { _ in nil } == text)
        let created = try Self.read(text).map { $0.created ?? 0 }
        #expect(created == created.sorted())
    }

    @Test("An entry's additional details do not change its state")
    func saidState() throws {
        var entry = BabyCare.Entry()
        entry.entryId = "e"
        entry.state = .closed
        entry.kind = .formula
        entry.meta = ["state": "CANCELED"]
        let text = CareFile.babyAICSV([entry], babyId: "b") { _ in nil }
        #expect(try #require(Self.read(text).first?.entries.first).state == nil)
    }

    @Test("An exported row without a baby leaves the cell empty")
    func noBaby() throws {
        var entry = BabyCare.Entry()
        entry.entryId = "e"
        entry.state = .closed
        let text = CareFile.babyAICSV([entry], babyId: "") { _ in nil }
        #expect(try #require(Self.read(text).first).sourceBabyId == nil)
    }

    @Test("An export file is named after the baby and the second in UTC")
    func fileName() throws {
        let now = try #require(Timestamp.parse("2026-02-19T07:05:09.75+09:00")).instant
        #expect(
            CareFile.babyAIFileName("b1", at: now) == "babyai_export_b1_20260218_220509.csv")
    }
}
