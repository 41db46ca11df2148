import Daybook
import DaybookLMDB

extension SalvageWriter {
    /// Returns the UTF-8 of each tag of an event.
    private func tags(of event: EventCandidate) throws(LogError) -> [[UInt8]] {
        var tags: [[UInt8]] = []
        try event.header.forEachTag(in: event.value.rawSpan, at: event.row.key) {
            tags.append($0.copied())
        }
        return tags
    }

    /// Writes the personal texts of an event to the new log, with an empty row for each missing
    /// one.
    ///
    /// - Parameter position: the position of the event in the new log.
    func putTexts(
        of event: EventCandidate, isMoved: Bool, at position: UInt64, _ written: inout Written,
        _ transaction: inout LogWriteTransaction
    ) throws(LogError) {
        let rows = source.rows
        let (swept, seals) = (rows.texts(at: event.row.key), seals(of: event, written.names))
        guard !swept.isEmpty || !seals.ordinals.isEmpty else { return }
        var found: [UInt32: TextRow] = [:]
        var marked: Set<UInt32> = []
        for text in swept where found[text.ordinal] == nil {
            guard let row = rows.textRow(text) else { continue }
            if row.isGone, text.isCurrent { marked.insert(text.ordinal) }
            guard let kept = recover(row, text, seals, event, at: position) else { continue }
            written.textCounts[kept.personNumber, default: 0] += 1
            found[text.ordinal] = kept
        }
        written.textCount += UInt64(found.count)
        let isErased = erasures.hasErased(position, try tags(of: event)) && !isMoved
        var isLost = false
        for ordinal in marked.union(found.keys).union(seals.ordinals).sorted() {
            if found[ordinal] == nil, !isErased, !marked.contains(ordinal) { isLost = true }
            let row = found[ordinal] ?? (isErased ? .erased : .lost)
            let key = PersonalRow.key(position, ordinal)
            try transaction.put(row.bytes, for: key.rawSpan, in: log.file.tables.texts)
        }
        if isLost { written.positionsWithoutText.append(position) }
    }

    /// Returns the row of a text for the new log; `nil` if the text is lost or does not match the
    /// digest in its event.
    ///
    /// The row of an erased person's text is kept, although the text is unreadable.
    private func recover(
        _ row: TextRow, _ text: SweptText, _ seals: EventSeals, _ event: EventCandidate,
        at position: UInt64
    ) -> TextRow? {
        guard !row.isGone else { return nil }
        switch people.person(row.personNumber) {
        case nil, .lost: return nil
        case .erased: return row
        case .known(let key, _):
            let place = PersonalRow.key(event.row.key, text.ordinal)
            guard let clear = row.open(at: place, under: key),
                event.isSealed(clear, text.ordinal, seals)
            else { return nil }
            guard position != event.row.key else { return row }
            return TextRow(
                clear, of: row.personNumber, at: PersonalRow.key(position, text.ordinal),
                under: key, with: sealer)
        }
    }

    /// Returns the SHA-256 digests of an event's salted personal texts and integers.
    private func seals(of event: EventCandidate, _ names: [Name]) -> EventSeals {
        var seals = EventSeals(integersSeal: event.header.numbersSeal(in: event.value.rawSpan))
        let number = Int(event.header.kind)
        guard number > 0, number <= names.count, let kind = EventKind(names[number - 1].text),
            let known = catalogue.events[kind]
        else { return seals }
        seals.textSeals = try? known.seals(
            event.value.rawSpan.extracting(event.header.payloadRange(in: event.value.rawSpan)))
        return seals
    }
}

/// The seals of an event, which are the SHA-256 digests of its salted personal texts and integers.
private struct EventSeals {
    /// The digests of texts, in the order of fields; `nil` for an unknown event kind or an
    /// unreadable payload.
    var textSeals: [[UInt8]]?
    /// The digest of the personal integers; `nil` if the event stores none separately.
    var integersSeal: [UInt8]?

    /// The indices of the texts that have a digest, and `SealedNumbers.ordinal` for the integers.
    var ordinals: [UInt32] {
        Array(0..<UInt32(textSeals?.count ?? 0))
            + (integersSeal == nil ? [] : [SealedNumbers.ordinal])
    }
}

extension SalvageRows {
    /// Reads and decodes the encrypted row of a text; `nil` if the row is malformed.
    func textRow(_ text: SweptText) -> TextRow? {
        guard let value = value(text.row) else { return nil }
        return try? TextRow(decoding: value.rawSpan)
    }
}

extension EventCandidate {
    /// True if the event's digest with this index is the SHA-256 of a salted text.
    ///
    /// If the event kind is unknown, true if the digest occurs anywhere in the payload.
    fileprivate func isSealed(
        _ text: PersonalRow, _ ordinal: UInt32, _ seals: EventSeals
    ) -> Bool {
        if ordinal == SealedNumbers.ordinal { return seals.integersSeal == text.seal }
        guard let textSeals = seals.textSeals else {
            return value[header.payloadOffset...].contains(text.seal)
        }
        let field = Int(ordinal)
        return field < textSeals.count && textSeals[field] == text.seal
    }
}

extension ArraySlice<UInt8> {
    /// True if the slice contains these bytes in sequence.
    fileprivate func contains(_ bytes: [UInt8]) -> Bool {
        guard let first = bytes.first, count >= bytes.count else { return false }
        return (startIndex...(endIndex - bytes.count)).contains { start in
            self[start] == first && self[start..<start + bytes.count].elementsEqual(bytes)
        }
    }
}
