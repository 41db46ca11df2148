import Daybook

/// A reader of the seals of stored events: the digests of their personal texts and integers.
struct StoredSeals {
    /// The seals of one event.
    struct Seals {
        /// The seals of its personal texts, in order; `nil` if the catalogue does not know its kind.
        var texts: [[UInt8]]?
        /// The seal of its separate integers; `nil` if it has none.
        var numbers: [UInt8]?

        /// Returns the seal of a text, or of the integers; `nil` if there is none.
        ///
        /// - Parameter ordinal: the index of a text, or `SealedNumbers.ordinal`.
        func seal(_ ordinal: UInt32) -> [UInt8]? {
            guard ordinal != SealedNumbers.ordinal else { return numbers }
            guard let texts, Int(ordinal) < texts.count else { return nil }
            return texts[Int(ordinal)]
        }

        /// The indices of the texts that the event has, and `SealedNumbers.ordinal` for integers.
        var ordinals: [UInt32] {
            guard texts?.isEmpty == false || numbers != nil else { return [] }
            return Array(0..<UInt32(texts?.count ?? 0))
                + (numbers == nil ? [] : [SealedNumbers.ordinal])
        }
    }

    private let catalogue: Catalogue
    private let names: Names
    /// The knowledge of kinds, by the row of `names`.
    private var kinds: [UInt16: Kind] = [:]

    /// The knowledge of the catalogue of a kind.
    private enum Kind {
        case unknown
        case withoutTexts
        case withTexts(EventDescription)
    }

    init(_ catalogue: Catalogue, _ names: Names) {
        self.catalogue = catalogue
        self.names = names
    }

    /// Reads the seals of the event at a position from its row.
    mutating func read(_ event: RawSpan, at position: UInt64) throws(LogError) -> Seals {
        do throws(CorruptRecord) {
            return try read(event)
        } catch {
            throw .corrupt(table: "events", key: position, error)
        }
    }

    /// Reads the seals of an event from its row.
    mutating func read(_ event: RawSpan) throws(CorruptRecord) -> Seals {
        let header = try EventHeader(decoding: event)
        var seals = Seals(texts: nil, numbers: header.numbersSeal(in: event))
        let description: EventDescription
        switch try kind(header.kind) {
        case .unknown: return seals
        case .withoutTexts:
            seals.texts = []
            return seals
        case .withTexts(let known): description = known
        }
        let payload = event.extracting(header.payloadRange(in: event))
        guard let offsets = description.canonicalSealOffsets(payload) else {
            // A payload that cannot be read is reported by others.
            seals.texts = try? description.seals(payload)
            return seals
        }
        seals.texts = offsets.map {
            payload.extracting($0..<$0 + PersonalText.sealByteCount).copied()
        }
        return seals
    }

    /// Returns what is known of the kind in a row of `names`.
    private mutating func kind(_ row: UInt16) throws(CorruptRecord) -> Kind {
        if let known = kinds[row] { return known }
        var kind = Kind.unknown
        if let description = catalogue.events[try names.kind(row)] {
            kind = description.hasPersonalTexts ? .withTexts(description) : .withoutTexts
        }
        kinds[row] = kind
        return kind
    }
}
