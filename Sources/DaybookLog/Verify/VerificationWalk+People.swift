import Daybook
import DaybookCryptography
import DaybookLMDB

// Checks of the people, separate values and texts of commits and events.
extension VerificationWalk {
    /// Checks that the people whom a commit is the first to name match their rows in `people`.
    mutating func checkPeople(
        of commit: CommitRecord, _ range: ClosedRange<UInt64>,
        _ transaction: borrowing ReadTransaction
    ) throws(LogError) {
        if commit.actor > people.count {
            result.report(
                range.lowerBound, "person",
                "the actor of the commit is person \(commit.actor), who does not exist")
        }
        var new: [UInt32] = []
        while checked.peopleCount < people.firstUses.count,
            people.firstUses[checked.peopleCount].position <= range.upperBound
        {
            new.append(people.firstUses[checked.peopleCount].number)
            checked.peopleCount += 1
        }
        var named: [CommitRecord.NewPerson] = []
        for number in new.sorted() {
            named.append(
                CommitRecord.NewPerson(
                    number: number, seal: try log.file.tables.person(number, in: transaction).seal))
        }
        if named != commit.newPeople {
            result.report(
                range.lowerBound, "person",
                "the people whom the commit is the first to name do not match their rows")
        }
    }

    /// Checks the separately stored names and integers of an event.
    ///
    /// Each name must be that of a person whom this or an earlier commit has named, the integers
    /// must match the digest in the event, and the payload with names and integers put back must be
    /// in canonical form.
    mutating func checkSeparateValues(
        _ position: UInt64, _ header: EventHeader, _ kind: EventKind, _ stored: RawSpan,
        through last: UInt64, _ transaction: borrowing ReadTransaction
    ) throws(LogError) {
        guard header.parts != 0 else { return }
        for index in 0..<header.nameCount {
            let person = NamePlace(index, header, stored).personNumber
            guard person > 0, person <= people.count else {
                return result.report(
                    position, "person", "the event names person \(person), who does not exist")
            }
            let first = people.firstPositions[Int(person) - 1]
            if let first, !(1...max(last, 1)).contains(first) {
                result.report(
                    position, "person",
                    "the event names person \(person), but the person's row gives a later first "
                        + "position, or none")
            }
        }
        if let seal = header.numbersSeal(in: stored) {
            let isRestorable = try checkSeal(
                seal, SealedNumbers.ordinal, position, header, stored, transaction)
            guard isRestorable else { return }
        }
        let found = try restoredPayloadFault(position, header, stored, of: kind, transaction)
        if let found { result.report(position, "payload", found) }
    }

    /// Puts the separate names and integers back into a payload, and returns the payload's fault;
    /// `nil` if it is canonical.
    private func restoredPayloadFault(
        _ position: UInt64, _ header: EventHeader, _ stored: RawSpan, of kind: EventKind,
        _ transaction: borrowing ReadTransaction
    ) throws(LogError) -> String? {
        var found: String?
        do throws(LogError) {
            _ = try opener.withRestored(position, header, stored, in: transaction) {
                (_, header, bytes) throws(LogError) in
                let payload = bytes.extracting(header.payloadOffset...)
                do throws(CorruptPayload) {
                    if let known = catalogue.events[kind], try !known.inspect(payload).isCanonical {
                        found = "the restored payload of \(kind) is not canonical"
                    }
                } catch {
                    found = "the restored payload of \(kind) cannot be read: \(error)"
                }
                return true
            }
        } catch .corrupt(_, _, .parts(let offset)) {
            found = "\(CorruptRecord.parts(offset: offset))"
        }
        return found
    }

    /// Checks that a personal text matches its digest in the event or has a recorded erasure.
    ///
    /// - Parameters:
    ///   - seal: the SHA-256 digest of the salted text, from the event.
    ///   - ordinal: the index of the text in the event, or `SealedNumbers.ordinal`.
    /// - Returns: `false` if the text exists but does not match the digest or cannot be decrypted.
    mutating func checkSeal(
        _ seal: [UInt8], _ ordinal: UInt32, _ position: UInt64, _ header: EventHeader,
        _ bytes: RawSpan, _ transaction: borrowing ReadTransaction
    ) throws(LogError) -> Bool {
        let key = PersonalRow.key(position, ordinal)
        guard let stored = try transaction.row(key.rawSpan, in: log.file.tables.texts) else {
            result.report(
                position, "erasure", "a personal text is missing without a recorded erasure")
            return true
        }
        totals.textCount += 1
        let row = try TextRow(stored, at: key.rawSpan)
        guard !row.isGone else {
            guard !row.isLost else {
                result.lostTexts += 1
                return true
            }
            result.erasedTexts += 1
            let tags = (try? header.tags(in: bytes)) ?? []
            if !people.erasures.cover(position, tags) {
                result.report(
                    position, "erasure", "a personal text was erased without a recorded erasure")
            }
            return true
        }
        return try checkText(row, at: key, seal, position, transaction)
    }

    /// Decrypts a personal text and checks that it matches its digest.
    ///
    /// - Parameter seal: the SHA-256 digest of the salted text, from the event.
    /// - Returns: `false` if the text does not match the digest or cannot be decrypted.
    private mutating func checkText(
        _ row: TextRow, at key: [UInt8], _ seal: [UInt8], _ position: UInt64,
        _ transaction: borrowing ReadTransaction
    ) throws(LogError) -> Bool {
        guard row.personNumber <= people.count else {
            result.report(
                position, "person",
                "a personal text belongs to person \(row.personNumber), who does not exist")
            return false
        }
        totals.textCounts[row.personNumber, default: 0] += 1
        switch try person(row.personNumber, transaction) {
        case .erased: result.erasedTexts += 1
        case .notHere: result.textsNotHere += 1
        case .keyGone:
            result.report(
                position, "erasure",
                "the encryption key of a personal text is overwritten without a recorded erasure")
            return false
        case .known(let opener):
            let salted = row.open(at: key, with: opener)
            sealHasher.update(salted ?? [])
            guard sealHasher.finish() == seal, salted != nil else {
                result.report(
                    position, "seal",
                    "a personal text cannot be decrypted or does not match its digest in the event")
                return false
            }
        }
        return true
    }

    /// Looks up a person by person number, in the cache first.
    private mutating func person(
        _ number: UInt32, _ transaction: borrowing ReadTransaction
    ) throws(LogError) -> KnownPerson {
        if let known = knownPeople[number] { return known }
        if knownPeople.count > 4_096 { knownPeople = [:] }
        let person: KnownPerson =
            switch try log.people.findPerson(number, in: transaction) {
            case .known(_, let key): .known(key.opener())
            case .erased: .erased
            case .notHere: .notHere
            case .keyGone: .keyGone
            }
        knownPeople[number] = person
        return person
    }
}
