import Daybook
import DaybookLMDB

extension SalvageWriter {
    /// Those to whom clear texts of commits belong.
    func subjects(of commits: ArraySlice<SalvagedCommit>) throws(LogError) -> Set<String> {
        var subjects: Set<String> = []
        for salvaged in commits {
            guard let commit = source.rows.commit(salvaged.row), commit.layout == .one,
                let candidates = source.candidates(commit, salvaged.first...salvaged.last)
            else { continue }
            for event in candidates.lazy.compactMap(\.first)
            where source.rows.texts(at: event.row.key).contains(where: { !$0.isEncrypted }) {
                subjects.insert(try subject(of: event, commit))
            }
        }
        return subjects
    }

    private func subject(
        of event: EventCandidate, _ commit: CommitRecord
    ) throws(LogError) -> String {
        let tags = try tags(of: event).map { Tag(stored: String(decoding: $0, as: UTF8.self)) }
        return log.subject(of: tags, actor: commit.metadata.actor)
    }

    private func tags(of event: EventCandidate) throws(LogError) -> [[UInt8]] {
        var tags: [[UInt8]] = []
        do throws(CorruptRecord) {
            try event.header.forEachTag(in: event.value.rawSpan) { tags.append($0.copied()) }
        } catch {
            throw .corrupt(table: log.tables.events.name, key: event.row.key, error)
        }
        return tags
    }

    /// Writes the texts of an event, and a mark for each that is erased or lost.
    func putTexts(
        of event: EventCandidate, _ commit: CommitRecord, isMoved: Bool, at position: UInt64,
        _ written: inout Written, _ transaction: inout LogWriting, _ session: inout Session
    ) throws(LogError) {
        let rows = source.rows
        let (swept, seals) = (rows.texts(at: event.row.key), seals(of: event, written.names))
        guard !swept.isEmpty || !seals.ordinals.isEmpty else { return }
        var found: [UInt32: TextRow] = [:]
        var marked: Set<UInt32> = []
        var stale: Set<UInt32> = []
        for text in swept where found[text.ordinal] == nil {
            guard !text.isEncrypted else {
                guard let row = rows.textRow(text) else { continue }
                if row.isGone, text.isReached { marked.insert(text.ordinal) }
                guard let kept = keep(row, text, seals, event, at: position) else { continue }
                written.textsOf[kept.person, default: 0] += 1
                found[text.ordinal] = kept
                continue
            }
            // Where all that were left are reached, the others are those that were erased.
            guard text.isReached || !rows.hasAllClearTexts,
                let clear = rows.clearText(text, seals, event)
            else { continue }
            guard text.isReached || takesStaleTexts else {
                stale.insert(text.ordinal)
                continue
            }
            found[text.ordinal] = try session.people.encryptOlder(
                clear, of: subject(of: event, commit), at: PersonalRow.key(position, text.ordinal))
        }
        written.texts += UInt64(found.count)
        written.staleTexts += UInt64(stale.subtracting(found.keys).count)
        let isErased = erasures.hasErased(position, try tags(of: event)) && !isMoved
        // Version 1 took the rows of texts away that it erased.
        let isAllThere = commit.layout == .one && rows.hasAllClearTexts && rows.hasAllTexts
        var isLost = false
        for ordinal in marked.union(found.keys).union(seals.ordinals).sorted() {
            if found[ordinal] == nil, !isErased, !isAllThere, !marked.contains(ordinal) {
                isLost = true
            }
            let row = found[ordinal] ?? (isErased ? .erased : .lost)
            let key = PersonalRow.key(position, ordinal)
            try transaction.put(row.bytes, for: key.rawSpan, in: log.tables.texts)
        }
        if isLost { written.withoutText.append(position) }
    }

    /// The row of a text in the new log; `nil` where it cannot be read or is not what was sealed.
    private func keep(
        _ row: TextRow, _ text: SweptText, _ seals: EventSeals, _ event: EventCandidate,
        at position: UInt64
    ) -> TextRow? {
        guard !row.isGone else { return nil }
        switch people.person(row.person) {
        case nil, .lost: return nil
        case .erased: return row
        case .known(let key, _):
            let place = PersonalRow.key(event.row.key, text.ordinal)
            guard let clear = row.open(at: place, under: key),
                event.isSealed(clear, text.ordinal, seals)
            else { return nil }
            guard position != event.row.key else { return row }
            return TextRow(
                clear, of: row.person, at: PersonalRow.key(position, text.ordinal), under: key)
        }
    }

    private func seals(of event: EventCandidate, _ names: [Name]) -> EventSeals {
        var seals = EventSeals(numbers: event.header.numbersSeal(in: event.value.rawSpan))
        let number = Int(event.header.kind)
        guard number > 0, number <= names.count, let kind = EventKind(names[number - 1].text),
            let known = catalogue.events[kind]
        else { return seals }
        do throws(CorruptPayload) {
            seals.fields = try known.seals(
                event.value.rawSpan.extracting(
                    event.header.payloadRange(in: event.value.rawSpan)))
        } catch {
            seals.fields = nil
        }
        return seals
    }
}

/// The seals of an event.
private struct EventSeals {
    /// In the order of its fields; `nil` for a kind that the catalogue does not know.
    var fields: [[UInt8]]?
    /// That of its integers about people; `nil` where none lie apart.
    var numbers: [UInt8]?

    var ordinals: [UInt32] {
        Array(0..<UInt32(fields?.count ?? 0)) + (numbers == nil ? [] : [SealedNumbers.ordinal])
    }
}

extension SalvageRows {
    /// The row of a text that is encrypted, whatever it holds.
    func textRow(_ text: SweptText) -> TextRow? {
        guard let value = value(text.row) else { return nil }
        // One on a page that the tree leads to may have a checksum that does not fit.
        let bytes = text.row.form == .plain ? value.dropLast(RowChecksum.byteCount) + [] : value
        do throws(CorruptRecord) {
            return try TextRow(decoding: bytes.rawSpan)
        } catch {
            return nil
        }
    }

    /// A text that version 1 kept, where it is what was sealed.
    fileprivate func clearText(
        _ text: SweptText, _ seals: EventSeals, _ event: EventCandidate
    ) -> PersonalRow? {
        guard let stored = value(text.row) else { return nil }
        // One without a checksum, or with a checksum that does not fit.
        let forms =
            text.row.form == .plain
            ? [stored, stored.dropLast(RowChecksum.byteCount) + []] : [stored]
        return forms.lazy.map { PersonalRow($0) }.first {
            event.isSealed($0, text.ordinal, seals)
        }
    }
}

extension EventCandidate {
    /// True where the field has the seal of a text; in an event of a kind that is not known, where
    /// it stands somewhere in the payload.
    fileprivate func isSealed(
        _ text: PersonalRow, _ ordinal: UInt32, _ seals: EventSeals
    ) -> Bool {
        if ordinal == SealedNumbers.ordinal { return seals.numbers == text.seal }
        guard let fields = seals.fields else {
            return value[header.payloadOffset...].contains(text.seal)
        }
        let field = Int(ordinal)
        return field < fields.count && fields[field] == text.seal
    }
}

extension ArraySlice<UInt8> {
    /// True where these bytes stand somewhere in the slice.
    fileprivate func contains(_ bytes: [UInt8]) -> Bool {
        guard let first = bytes.first, count >= bytes.count else { return false }
        return (startIndex...(endIndex - bytes.count)).contains { start in
            self[start] == first && self[start..<start + bytes.count].elementsEqual(bytes)
        }
    }
}
