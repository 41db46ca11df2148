import Daybook
import DaybookCryptography
import DaybookLMDB

extension LogPeople {
    /// The result of looking up a person by number.
    enum Person {
        /// The person's row and encryption key.
        case known(PersonRow, PersonKey)
        /// The person was erased, or was lost through damage before the log was salvaged.
        case erased
        /// The log is a replica without encryption keys.
        case notHere
        /// The encryption key is overwritten, but this transaction sees no recorded erasure.
        ///
        /// A newer transaction sees the erasure, unless the log is damaged.
        case keyGone
    }

    /// Looks up the row and the encryption key of a person by person number.
    func findPerson(
        _ number: UInt32, in transaction: borrowing some Transaction & ~Copyable
    ) throws(LogError) -> Person {
        let row = try log.file.tables.person(number, in: transaction)
        guard !row.isGone else { return .erased }
        guard log.hasKeys else { return .notHere }
        let vault = log.file.tables.vault
        guard let slot = try transaction.presentSlot(row.slot, in: vault) else {
            // The keys of new people come last.
            throw try LogErasures(log: log).errorOfAbsence(
                .damaged(table: vault.name, .missing))
        }
        guard let key = try slot.key(of: vault) else { return .keyGone }
        return .known(row, key)
    }

    /// Calls `body` to read personal data, and repeats the call with a new transaction while `body`
    /// returns `nil`.
    ///
    /// `body` must return `nil` if an encryption key was overwritten during the read; a new
    /// transaction then sees the erasure.
    ///
    /// - Throws: `.damaged` after eight attempts.
    func readingPeople<Result>(
        _ body: (borrowing ReadTransaction) throws(LogError) -> Result?
    ) throws(LogError) -> Result {
        for _ in 0..<8 {
            let transaction = try log.file.beginReading()
            if let result = try body(transaction) { return result }
        }
        throw try LogErasures(log: log).errorOfAbsence(
            .damaged(table: log.file.tables.vault.name, .keyGone))
    }

    /// Returns the actor of a commit; `nil` if the actor's encryption key was overwritten after the
    /// transaction began.
    func actor(
        of commit: CommitRecord, in transaction: borrowing some Transaction & ~Copyable
    ) throws(LogError) -> CommitActor? {
        guard commit.actor != 0 else { return .named("") }
        return try actor(commit.actor, in: transaction)
    }

    /// Returns the actor with a person number; `nil` if the actor's encryption key was overwritten
    /// after the transaction began.
    func actor(
        _ number: UInt32, in transaction: borrowing some Transaction & ~Copyable
    ) throws(LogError) -> CommitActor? {
        switch try findPerson(number, in: transaction) {
        case .erased:
            try LogErasures(log: log).check(of: number, in: transaction)
            return .erased
        case .notHere: return .named(PersonName.notHere)
        case .keyGone: return nil
        case .known(let row, let key):
            guard let name = row.decryptName(number, under: key),
                let actor = PersonName.actor(of: name)
            else {
                throw .corrupt(table: log.file.tables.people.name, key: UInt64(number), .cipher)
            }
            return .named(actor)
        }
    }

    /// Returns the name of the actor with a person number; `nil` if the actor is erased.
    func authorName(
        _ number: UInt32, in transaction: borrowing ReadTransaction
    ) throws(LogError) -> String? {
        var found = try actor(number, in: transaction)
        if found == nil {
            found = try readingPeople { (newer) throws(LogError) in
                try actor(number, in: newer)
            }
        }
        guard case .named(let name) = found else { return nil }
        return name
    }

    /// Returns the decrypted personal texts of a range of events, with their salts and row keys.
    ///
    /// - Returns: `row` is `nil` for an erased text; the whole result is `nil` if an encryption key
    ///   was overwritten after the transaction began.
    func texts(
        _ range: ClosedRange<UInt64>, in transaction: borrowing some Transaction & ~Copyable
    ) throws(LogError) -> [(key: [UInt8], row: PersonalRow?)]? {
        var rows: [(key: [UInt8], row: TextRow)] = []
        let start = PersonalRow.key(range.lowerBound, 0)
        try transaction.scanRows(log.file.tables.texts, from: start.rawSpan) {
            (key: RawSpan, value) throws(LogError) in
            guard let position = PersonalRow.position(of: key), position <= range.upperBound
            else { return false }
            rows.append((key.copied(), try TextRow(value, at: key)))
            return true
        }
        var people: [UInt32: Person] = [:]
        var texts: [(key: [UInt8], row: PersonalRow?)] = []
        for (key, row) in rows {
            guard !row.isGone else {
                texts.append((key, nil))
                continue
            }
            let person: Person
            if let known = people[row.personNumber] {
                person = known
            } else {
                person = try findPerson(row.personNumber, in: transaction)
                people[row.personNumber] = person
            }
            switch person {
            case .erased, .notHere: texts.append((key, nil))
            case .keyGone: return nil
            case .known(_, let personKey):
                guard let text = row.open(at: key, under: personKey) else {
                    throw .damaged(table: log.file.tables.texts.name, row: key, .cipher)
                }
                texts.append((key, text))
            }
        }
        return texts
    }
}

/// The actor of a commit.
enum CommitActor: Hashable {
    /// The actor with this name; empty for a commit without an actor.
    case named(String)
    /// The actor's name is erased, or was lost through damage.
    case erased
}
