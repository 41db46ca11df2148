import Daybook

extension BabyCare.Reporter {
    /// Returns the number of diapers recorded as diarrhoea; `nil` if no poo is recorded.
    func diarrhoeaCount(_ started: [Entry]) -> Int64? {
        entriesOrNil(.poo, of: started)?.filter { $0.isDiarrhoea }.reduce(0) { count, entry in
            count + (rules == .standard ? entry.value.count ?? 1 : 1)
        }
    }

    /// Returns the millilitres of all feeds and meals; `nil` if no amount is recorded.
    ///
    /// Only the sum is rounded.
    func intakeMl(_ started: [Entry]) -> Int64? {
        let intake: Set<BabyCare.Kind> = [.formula, .breastfeed, .weaning]
        let amounts = started.filter { intake.contains($0.kind) }.compactMap { $0.value.amountUl }
        guard !amounts.isEmpty else { return nil }
        let sumUl = amounts.reduce(0, +)
        return rules == .standard ? Tenths.rounded(sumUl, 1_000) : sumUl / 1_000
    }

    /// Returns the whole minutes of play and exercise; `nil` if no such entry has a duration.
    func activityMin(_ started: [Entry]) -> Int64? {
        let lengths = started.filter { $0.entry.isMemo(markedBy: Self.activityWords) }.compactMap {
            entry in
            entry.value.durationS ?? entry.ended.map { Window.wholeSeconds(entry.started, $0) }
        }
        return lengths.isEmpty ? nil : lengths.reduce(0, +) / 60
    }

    /// Returns the millilitres of pumped milk; `nil` if no amount is recorded.
    ///
    /// Only the sum is rounded.
    func pumpedMl(_ started: [Entry]) -> Int64? {
        let amounts = started.filter { $0.entry.isMemo(markedBy: Self.pumpingWords) }.compactMap(
            \.value.amountUl)
        return amounts.isEmpty ? nil : Tenths.rounded(amounts.reduce(0, +), 1_000)
    }

    /// Returns the visits to a doctor, in order of start.
    func visits(_ started: [Entry]) -> [BabyCare.Visit] {
        started.filter { $0.entry.isMemo(markedBy: Self.visitWords) }.map { entry in
            BabyCare.Visit(
                entryId: entry.entryId, started: entry.started, at: localText(entry.started),
                name: entry.value.name, type: entry.value.type)
        }
    }

    /// Returns the symptoms, in order of start.
    func symptoms(_ started: [Entry]) -> [BabyCare.SymptomNote] {
        (entriesOrNil(.symptom, of: started) ?? []).map { entry in
            BabyCare.SymptomNote(
                entryId: entry.entryId, started: entry.started, at: localText(entry.started),
                name: entry.value.name, type: entry.value.type, milliC: entry.value.milliC)
        }
    }

    /// Words that mark a memo as play or exercise, in lower case and with letters only.
    private static let activityWords: Set<String> = [
        "activity", "play", "playing", "tummytime", "exercise", "walk", "outing", "swimming",
        "놀이", "활동", "산책", "터미타임",
    ]

    /// Words that mark a memo as pumped milk, in lower case and with letters only.
    private static let pumpingWords: Set<String> = ["pump", "pumping", "pumped", "유축"]

    /// Words that mark a memo as a visit to a doctor, in lower case and with letters only.
    private static let visitWords: Set<String> = [
        "visit", "doctor", "doctorvisit", "medicalvisit", "hospital", "clinic", "checkup", "병원",
        "진료", "검진",
    ]
}

extension BabyCare.Entry {
    /// Texts that name the activity or category of a memo in its metadata.
    private var topics: [String] {
        BabyCare.topicNames.compactMap { meta[$0] }
    }

    /// True if the entry is a memo whose activity or category is one of the words.
    fileprivate func isMemo(markedBy words: Set<String>) -> Bool {
        guard kind == .memo else { return false }
        return topics.contains { words.contains($0.lowercased().filter(\.isLetter)) }
    }

    /// True if the type, the contents or the metadata of the entry mention diarrhoea.
    fileprivate var isDiarrhoea: Bool {
        let words = [value.type, value.contents] + BabyCare.stoolNames.map { meta[$0] }
        let isNamed = words.compactMap { $0?.lowercased() }.contains { text in
            ["diarrhea", "diarrhoea", "watery", "설사"].contains {
                text.utf8.firstRange(of: $0.utf8) != nil
            }
        }
        let isFlagged = BabyCare.diarrhoeaNames.contains {
            ["true", "1", "yes"].contains(meta[$0]?.lowercased() ?? "")
        }
        return isNamed || isFlagged
    }
}
