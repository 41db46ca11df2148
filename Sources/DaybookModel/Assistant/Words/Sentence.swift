extension Assistant {
    /// A command each of whose phrases is understood, so that nothing of what was said is lost.
    ///
    /// Two contents, two amounts, and phrases that do not fit together are not understood.
    struct Sentence: Equatable, Sendable {
        /// True if the sentence asks to record an entry.
        private(set) var isRequest = false
        /// Start or end of a sleep.
        private(set) var sleep: SleepAction?
        /// Types that the sentence names, with the content of a diaper.
        private var entries: [Entry] = []
        private var quantities: [Phrase.Quantity: Int64] = [:]
        /// True if a verb says what was done; a second verb may tell of a second entry.
        private var hasVerb = false
        /// Types of entries that all phrases fit.
        private var tiles = Set(Tile.allCases)

        /// A type of entry that the sentence names.
        private struct Entry: Equatable {
            let tile: Tile
            let diaper: Diaper?
        }

        /// Reads a text in lower case; `nil` if it is not understood completely.
        init?(_ text: String) {
            guard let meanings = SentenceReader(text).meanings else { return nil }
            var last: Phrase.Meaning?
            var hasGiver = false
            for meaning in meanings where meaning != .pause && meaning != .filler {
                guard apply(meaning), !(meaning == .done && last == .request) else { return nil }
                switch meaning {
                case .giver: hasGiver = true
                case .giving: hasGiver = false
                default: break
                }
                last = meaning
            }
            let hasOther = hasVerb || durationMin != nil
            guard !hasGiver, sleep == nil || !hasOther else { return nil }
        }

        /// Adds a phrase; returns false if it contradicts an earlier one.
        private mutating func apply(_ meaning: Phrase.Meaning) -> Bool {
            switch meaning {
            case .entry(let tile, let diaper): return add(Entry(tile: tile, diaper: diaper))
            case .fitting(let tiles): self.tiles.formIntersection(tiles)
            case .doing(let tiles), .giving(let tiles):
                guard !hasVerb else { return false }
                hasVerb = true
                self.tiles.formIntersection(tiles)
            case .sleep(let action):
                guard sleep == nil || sleep == action else { return false }
                sleep = action
                tiles.formIntersection([.sleep])
            case .request: isRequest = true
            case .quantity(let quantity, let value):
                tiles.formIntersection(quantity.tiles)
                return quantities.updateValue(value, forKey: quantity) == nil
            case .giver, .done, .filler, .pause: break
            }
            return true
        }

        /// Adds the name of an entry; returns false for a second one, except for a diaper and its
        /// content.
        private mutating func add(_ entry: Entry) -> Bool {
            entries.append(entry)
            return entries.count == 1
                || entries.count == 2 && entries.allSatisfy { $0.tile == .diaper }
                    && entries.count { $0.diaper == nil } == 1
        }
    }
}

extension Assistant.Sentence {
    /// Type of entry that the sentence names; `nil` if it names none.
    var tile: Assistant.Tile? { entries.first?.tile }
    /// Content of a diaper that the sentence names; `nil` if it names none.
    var diaper: Assistant.Diaper? { entries.lazy.compactMap(\.diaper).first }
    /// Amount in millilitres, from `120ml`, `120 cc` or `120밀리`.
    var amountMl: Int64? { quantities[.amountMl] }
    /// Duration in minutes, from `1시간 30분` or `1 hour 30 min`.
    var durationMin: Int64? { quantities[.durationMin] }
    /// Mass of food in grams.
    var grams: Int64? { quantities[.grams] }

    /// True if the whole sentence can be about an entry of the type.
    func fits(_ tile: Assistant.Tile) -> Bool {
        tiles.contains(tile) && (self.tile ?? tile) == tile
    }
}

extension Assistant.Phrase.Quantity {
    /// Types of entries that keep the quantity; a medication keeps its words.
    fileprivate var tiles: Set<Assistant.Tile> {
        switch self {
        case .amountMl: [.formula, .medication]
        case .durationMin: [.breastfeed, .sleep]
        case .grams: [.weaning]
        }
    }
}
