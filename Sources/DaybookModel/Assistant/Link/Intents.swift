import Daybook

extension Assistant {
    /// The features that a Siri command may name.
    enum Feature: UInt8, StoredEnum {
        case formula, breastfeed, weaning, diaper, sleep, medication, memo
        case lastFeeding, recentSleep, lastDiaper, todaySummary, nextFeedingEta

        static let names = [
            "formula", "breastfeed", "weaning", "diaper", "sleep", "medication", "memo",
            "last_feeding", "recent_sleep", "last_diaper", "today_summary", "next_feeding_eta",
        ]
    }

    /// Handles a spoken command, like the Siri intent `BabyAISendCommandIntent`.
    struct SendCommand: ActionCommand {
        static let name = "assistant.send-command"
        var actionId = ""
        var device = ""
        /// Words that the user spoke; the command's field is named `query`.
        var words = ""
        /// Feature that the user chose in Siri, if any.
        var feature: Feature?
        var amountMl: Int64?
        var durationMin: Int64?
        var babyId: String?
        var entryId: String?
        var by: Author?
        var rules = Rules.standard
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("actionId", &actionId, "device", &device, "query", &words)
            try field("feature", &feature)
            try field("amountMl", &amountMl, .any)
            try field("durationMin", &durationMin, .any)
            try field("babyId", &babyId, "entryId", &entryId, "by", &by, "rules", &rules)
        }

        func payload() throws(Refusal) -> Payload? {
            let query = words.trimmed
            let numbers = [amountMl, durationMin].compactMap(\.self)
            guard !query.isEmpty || feature != nil || numbers.contains(where: { $0 > 0 }) else {
                throw .emptyCommand
            }
            return try ActionLink.read(
                ActionLink.siriLink([
                    ("feature", feature?.name), ("query", query),
                    ("amount_ml", amountMl.map { "\($0)" }),
                    ("duration_min", durationMin.map { "\($0)" }),
                ]), rules: rules)
        }
    }

    /// Records a bottle of formula, like the Siri intent `BabyAILogFormulaIntent`.
    struct LogFormula: ActionCommand {
        static let name = "assistant.log-formula"
        var actionId = ""
        var device = ""
        var amountMl: Int64 = 0
        var babyId: String?
        var entryId: String?
        var by: Author?
        var rules = Rules.standard
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("actionId", &actionId, "device", &device)
            try field("amountMl", &amountMl, .any)
            try field("babyId", &babyId, "entryId", &entryId, "by", &by, "rules", &rules)
        }

        func payload() throws(Refusal) -> Payload? {
            guard amountMl > 0 else { throw .emptyCommand }
            return try ActionLink.read(
                ActionLink.siriLink([
                    ("feature", "formula"), ("query", "formula \(amountMl)ml record"),
                    ("amount_ml", "\(amountMl)"),
                ]), rules: rules)
        }
    }

    /// Records a diaper, like the Siri intent `BabyAILogDiaperIntent`.
    struct LogDiaper: ActionCommand {
        static let name = "assistant.log-diaper"
        var actionId = ""
        var device = ""
        var diaperType = Diaper.pee
        var babyId: String?
        var entryId: String?
        var by: Author?
        var rules = Rules.standard
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("actionId", &actionId, "device", &device, "diaperType", &diaperType)
            try field("babyId", &babyId, "entryId", &entryId, "by", &by, "rules", &rules)
        }

        func payload() throws(Refusal) -> Payload? {
            try ActionLink.read(
                ActionLink.siriLink([
                    ("feature", "diaper"), ("query", "diaper \(diaperType.name) record"),
                    ("diaper_type", diaperType.name.uppercased()),
                ]), rules: rules)
        }
    }
}

extension Assistant.ActionLink {
    /// Returns the link that a Siri intent opens; items without a value are left out.
    static func siriLink(_ items: [(name: String, value: String?)]) -> String {
        let all = [(name: "source", value: "siri")] + items
        return "babyai://assistant/query?"
            + all.compactMap { item in
                item.value.map { "\(item.name)=\(PercentCoding.encode($0))" }
            }.joined(separator: "&")
    }
}
