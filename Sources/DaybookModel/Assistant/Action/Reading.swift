package import Daybook

extension Assistant {
    /// A tile of the app's home screen, which stands for a type of entry.
    package enum Tile: UInt8, StoredEnum {
        case formula, breastfeed, weaning, diaper, sleep, medication, memo
    }

    /// The content of a diaper.
    package enum Diaper: UInt8, StoredEnum { case pee, poo }

    /// The start or the end of a sleep.
    package enum SleepAction: UInt8, StoredEnum { case start, end }

    /// The place in the app that an action leads to.
    package enum Route: UInt8, StoredEnum {
        /// The action leads nowhere.
        case none
        /// The words are sent to the chat.
        case chat
        /// A form for the entry opens, with the known values filled in.
        case form
        /// An entry is recorded at once.
        case record
    }

    /// The values that an action gives for an entry, such as its amount, without texts.
    package struct ActionValues: PlainRecord {
        /// Type of the entry; `nil` if the action concerns no entry.
        var tile: Tile?
        var amountMl: Int64?
        var durationMin: Int64?
        /// Content of the diaper; `nil` if not stated.
        package var diaper: Diaper?
        /// Start or end of a sleep; `nil` if not stated.
        package var sleep: SleepAction?
        var grams: Int64?
        package var dose: Int64?
        /// True if the action also has a memo or the name of a medication.
        package var hasText = false
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("tile", &tile)
            try field("amountMl", &amountMl, .values(amountsMl))
            try field("durationMin", &durationMin, .values(durationsMin))
            try field("diaper", &diaper, "sleep", &sleep)
            try field("grams", &grams, .values(massesG))
            try field("dose", &dose, .values(doses))
            try field("hasText", &hasText)
        }
    }

    /// The interpretation of an action: the place in the app that it leads to, and the values and
    /// texts of an entry.
    struct Interpretation: Equatable, Sendable {
        var route = Route.none
        /// Values that the action gives for an entry.
        var reading = ActionValues()
        /// Text of a memo entry, or a note on another entry.
        var memo: String?
        var medication: String?

        /// Interprets the content of a link or an intent; throws a refusal if the text asks for an
        /// entry or has `ml` but names no type of entry.
        init(_ payload: Payload, rules: Rules = .standard) throws(Refusal) {
            let query = payload.query
            let words = Words(query ?? "", rules)
            guard payload.feature != "chat" else {
                route = .chat
                return
            }
            let said = words.values
            let tile =
                Tile(feature: payload.feature) ?? words.tile
                ?? (payload.amountMl == nil ? nil : .formula)
            guard let tile else {
                guard !words.asksForEntry, !words.namesMillilitres else { throw .notParsed }
                route = query == nil ? .none : .chat
                return
            }
            reading = ActionValues(
                tile: tile, amountMl: payload.amountMl ?? said.amountMl,
                durationMin: payload.durationMin ?? said.durationMin,
                grams: payload.grams ?? said.grams, dose: payload.dose)
            switch tile {
            case .diaper:
                reading.diaper =
                    Diaper(feature: payload.feature) ?? Diaper(type: payload.diaperType)
                    ?? said.diaper
            case .sleep: reading.sleep = said.sleep
            case .medication: medication = payload.memo ?? query
            case .memo: memo = payload.memo ?? query
            default: break
            }
            // Only `standard` keeps a memo with other entries; the app drops it.
            if rules == .standard, tile != .medication { memo = memo ?? payload.memo }
            reading.hasText = memo != nil || medication != nil
            let isChosen =
                rules == .standard ? Tile(feature: payload.feature) != nil : payload.feature != nil
            let isClear = rules == .source || reading.agrees(with: said)
            route =
                words.isRequest(for: tile, isChosen: isChosen) && isClear && isComplete(tile, rules)
                ? .record : .form
        }

        /// True if the action has every value that an entry needs. Under `rules: source` an entry
        /// of weaning food always needs a form, as in the app.
        private func isComplete(_ tile: Tile, _ rules: Rules) -> Bool {
            switch tile {
            case .formula: reading.amountMl != nil
            case .breastfeed: true
            case .weaning: rules == .standard
            case .diaper: reading.diaper != nil
            case .sleep: reading.sleep != nil || reading.durationMin != nil
            case .medication: medication != nil
            case .memo: memo != nil
            }
        }
    }
}

extension Assistant.ActionValues {
    /// True if no value differs from the value that the words state.
    fileprivate func agrees(with said: Self) -> Bool {
        amountMl == said.amountMl ?? amountMl && durationMin == said.durationMin ?? durationMin
            && grams == said.grams ?? grams && diaper == said.diaper ?? diaper
    }
}

extension Assistant.Tile {
    /// Creates the tile that a lower-case feature names; `nil` if no tile matches.
    init?(feature: String?) {
        switch feature {
        case "formula": self = .formula
        case "breastfeed", "breastfeeding": self = .breastfeed
        case "weaning", "solid": self = .weaning
        case "diaper", "pee", "poo": self = .diaper
        case "sleep": self = .sleep
        case "medication", "medicine": self = .medication
        case "memo", "note": self = .memo
        default: return nil
        }
    }
}

extension Assistant.Diaper {
    /// Creates the content of a diaper that a lower-case feature names; `nil` for another feature.
    init?(feature: String?) {
        switch feature {
        case "pee": self = .pee
        case "poo": self = .poo
        default: return nil
        }
    }

    /// Creates the content of a diaper from its name in any letter case; `nil` if unknown.
    fileprivate init?(type: String?) { self.init(feature: type?.lowercased()) }
}

extension Refusal {
    static let notParsed = Refusal(
        "notParsed", "Record command was not parsed. Try: formula 120ml record.")
    static let emptyCommand = Refusal("emptyCommand", "Command is empty.")
}
