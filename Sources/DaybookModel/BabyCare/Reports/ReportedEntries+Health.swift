import Daybook

extension BabyCare.ReportedEntries {
    /// Number of diapers recorded as diarrhoea; `nil` if no poo is recorded.
    var diarrhoeaCount: Int64? {
        entriesOrNil(.poo)?.filter { $0.isDiarrhoea }.reduce(0) { count, entry in
            count + (rules == .standard ? entry.value.count ?? 1 : 1)
        }
    }

    /// Millilitres of all feeds and meals; `nil` if no amount is recorded. Only the sum is rounded.
    var intakeMl: Int64? {
        let intake: Set<BabyCare.Kind> = [.formula, .breastfeed, .weaning]
        let amounts = entries.filter { intake.contains($0.kind) }.compactMap { $0.value.amountUl }
        guard !amounts.isEmpty else { return nil }
        let sumUl = amounts.reduce(0, +)
        return rules == .standard ? Tenths.rounded(sumUl, 1_000) : sumUl / 1_000
    }

    /// Whole minutes of play and exercise; `nil` if no such entry has a duration.
    var activityMin: Int64? {
        let lengths = entries.filter { $0.entry.isMemo(markedBy: Self.activityWords) }.compactMap {
            entry in
            entry.value.durationS ?? entry.ended.map { Window.wholeSeconds(entry.started, $0) }
        }
        return lengths.isEmpty ? nil : lengths.reduce(0, +) / 60
    }

    /// Millilitres of pumped milk; `nil` if no amount is recorded. Only the sum is rounded.
    var pumpedMl: Int64? {
        let amounts = entries.filter { $0.entry.isMemo(markedBy: Self.pumpingWords) }.compactMap(
            \.value.amountUl)
        return amounts.isEmpty ? nil : Tenths.rounded(amounts.reduce(0, +), 1_000)
    }

    /// Visits to a doctor, in order of start.
    var visits: [BabyCare.Visit] {
        entries.filter { $0.entry.isMemo(markedBy: Self.visitWords) }.map { entry in
            BabyCare.Visit(
                entryId: entry.entryId, started: entry.started,
                at: zone.local(at: entry.started).text, name: entry.value.name,
                type: entry.value.type)
        }
    }

    /// Symptoms, in order of start.
    var symptoms: [BabyCare.SymptomNote] {
        (entriesOrNil(.symptom) ?? []).map { entry in
            BabyCare.SymptomNote(
                entryId: entry.entryId, started: entry.started,
                at: zone.local(at: entry.started).text, name: entry.value.name,
                type: entry.value.type, milliC: entry.value.milliC)
        }
    }

    /// Doses of medication in order of time; `nil` if there are none.
    var doses: [BabyCare.Dose]? {
        entriesOrNil(.medication)?.map { entry in
            BabyCare.Dose(
                entryId: entry.entryId, given: entry.started,
                at: zone.local(at: entry.started).text, name: entry.value.name,
                dose: entry.value.dose)
        }
    }

    /// Number and temperatures of symptoms; `nil` if there are none.
    var symptomFigures: BabyCare.SymptomFigures? {
        entriesOrNil(.symptom).map { entries in
            let temperatures = entries.compactMap { $0.value.milliC }
            return BabyCare.SymptomFigures(
                count: Int64(entries.count), maxMilliC: temperatures.max(),
                minMilliC: temperatures.min())
        }
    }

    /// Latest weight, height and head circumference; `nil` without growth entries.
    var growthFigures: BabyCare.GrowthFigures? {
        guard let entries = entriesOrNil(.growth), let last = entries.last else { return nil }
        let measure = { (field: KeyPath<BabyCare.Value, Int64?>) in
            entries.compactMap { $0.value[keyPath: field] }.last.map { Tenths.rounded($0, 1_000) }
        }
        return BabyCare.GrowthFigures(
            at: last.started, weightG: measure(\.massMg), heightMm: measure(\.lengthUm),
            headMm: measure(\.headUm))
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
    private var topics: [String] { BabyCare.topicNames.compactMap { meta[$0] } }

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
