import Daybook

extension BabyCare.Reporter {
    /// Returns the number of diapers recorded as diarrhoea; `nil` if no poo is recorded.
    func diarrhoeaCount(_ started: [Entry]) -> Int64? {
        some(.poo, of: started)?.filter(\.isDiarrhoea).reduce(0) { count, entry in
            count + (rules == .standard ? entry.value.count ?? 1 : 1)
        }
    }

    /// Returns the millilitres of all feeds, rounded once; `nil` if no amount is known.
    func intakeMl(_ started: [Entry]) -> Int64? {
        let intake: Set<BabyCare.Kind> = [.formula, .breastfeed, .weaning]
        let amounts = started.filter { intake.contains($0.kind) }.compactMap(\.value.amountUl)
        guard !amounts.isEmpty else { return nil }
        let sumUl = amounts.reduce(0, +)
        return rules == .standard ? Tenths.rounded(sumUl, 1_000) : sumUl / 1_000
    }

    /// Returns whole minutes of play and exercise; `nil` if no such entry has a duration.
    func activityMin(_ started: [Entry]) -> Int64? {
        let lengths = started.filter { $0.isMemo(of: Self.activities) }.compactMap { entry in
            entry.value.durationS ?? entry.ended.map { Window.wholeS(entry.started, $0) }
        }
        return lengths.isEmpty ? nil : lengths.reduce(0, +) / 60
    }

    /// Returns the millilitres of pumped milk, rounded once; `nil` if no amount is known.
    func pumpedMl(_ started: [Entry]) -> Int64? {
        let amounts = started.filter { $0.isMemo(of: Self.pumping) }.compactMap(\.value.amountUl)
        return amounts.isEmpty ? nil : Tenths.rounded(amounts.reduce(0, +), 1_000)
    }

    /// Returns visits to a doctor, by start.
    func visits(_ started: [Entry]) -> [BabyCare.Visit] {
        started.filter { $0.isMemo(of: Self.visits) }.map { entry in
            BabyCare.Visit(
                entryId: entry.entryId, started: entry.started, at: localText(entry.started),
                name: entry.value.name, type: entry.value.type)
        }
    }

    /// Returns symptoms, by start.
    func symptoms(_ started: [Entry]) -> [BabyCare.SymptomNote] {
        (some(.symptom, of: started) ?? []).map { entry in
            BabyCare.SymptomNote(
                entryId: entry.entryId, started: entry.started, at: localText(entry.started),
                name: entry.value.name, type: entry.value.type, milliC: entry.value.milliC)
        }
    }

    /// Activities and categories of memos about play and exercise.
    private static let activities: Set<String> = [
        "activity", "play", "playing", "tummytime", "exercise", "walk", "outing", "swimming",
        "놀이", "활동", "산책", "터미타임",
    ]

    /// Activities and categories of memos about pumping.
    private static let pumping: Set<String> = ["pump", "pumping", "pumped", "유축"]

    /// Activities and categories of memos about visits to a doctor.
    private static let visits: Set<String> = [
        "visit", "doctor", "doctorvisit", "medicalvisit", "hospital", "clinic", "checkup", "병원",
        "진료", "검진",
    ]
}

extension BabyCare.Entry {
    /// Metadata that name the activity of a memo.
    private var subjects: [String] {
        ["activity", "category", "entry_kind"].compactMap { meta[$0] }
    }

    fileprivate func isMemo(of subjects: Set<String>) -> Bool {
        guard kind == .memo else { return false }
        return self.subjects.contains { subjects.contains($0.lowercased().filter(\.isLetter)) }
    }

    /// True if a field of the entry names diarrhoea.
    fileprivate var isDiarrhoea: Bool {
        let keys = ["consistency", "texture", "extraData", "stool", "category"]
        let words = [value.type, value.contents] + keys.map { meta[$0] }
        let isNamed = words.compactMap { $0?.lowercased() }.contains { text in
            ["diarrhea", "diarrhoea", "watery", "설사"].contains {
                text.utf8.firstRange(of: $0.utf8) != nil
            }
        }
        let isFlagged = ["diarrhea", "diarrhoea", "is_diarrhea", "isDiarrhea"].contains {
            ["true", "1", "yes"].contains(meta[$0]?.lowercased() ?? "")
        }
        return isNamed || isFlagged
    }
}
