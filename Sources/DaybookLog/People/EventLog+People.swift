import Daybook
import DaybookCryptography
import DaybookLMDB

/// The names that people go by in a log.
enum PersonName {
    /// Texts that are about nobody in particular.
    static let log = "log"

    static func actor(_ actor: String) -> String { "actor:\(actor)" }

    /// The actor that a name is of; `nil` for a person of another kind.
    static func actor(of name: String) -> String? {
        name.hasPrefix("actor:") ? String(name.dropFirst(6)) : nil
    }
}

extension EventLog {
    /// The person whose texts an event holds: the first that its tags name, else who gave the
    /// command, else the log itself.
    func subject(of tags: [Tag], actor: String) -> String {
        if let person = personNouns.subject(of: tags) { return person.text }
        return actor.isEmpty ? PersonName.log : PersonName.actor(actor)
    }

    /// The key of a person in `peopleByDigest`.
    func personDigest(_ name: String) -> [UInt8] {
        Array(digest("person", Array(name.utf8)).prefix(16))
    }

    /// The digest that commits keep of an idempotency key; its first 16 bytes are the key in
    /// `keysByDigest`.
    func keyDigest(_ key: String) -> [UInt8] { digest("key", Array(key.utf8)) }

    /// A digest under the log's secret, for events that keep one of personal text: without the
    /// secret no guess at the text can be checked.
    ///
    /// - Parameter purpose: keeps the digests of one text for different uses apart.
    /// - Returns: 32 bytes.
    public func keyedDigest(_ purpose: String, of bytes: [UInt8]) -> [UInt8] {
        digest("use:\(purpose)", bytes)
    }

    /// HMAC-SHA256 under the log's secret, of a word and a text.
    private func digest(_ word: String, _ text: [UInt8]) -> [UInt8] {
        HMACSHA256.code(of: Array(word.utf8) + [0] + text, key: secret)
    }

    /// The number of a person who is not erased; `nil` for one that the log does not know.
    func personNumber(
        _ name: String, in transaction: borrowing some Transaction & ~Copyable
    ) throws(LogError) -> UInt32? {
        let key = personDigest(name)
        guard let value = try transaction.row(key.rawSpan, in: tables.peopleByDigest) else {
            return nil
        }
        guard value.byteCount == 4 else {
            throw .damaged(
                table: tables.peopleByDigest.name, row: key,
                .size("person", value.byteCount, expected: 4))
        }
        return value.integer(at: 0, as: UInt32.self)
    }

    func person(
        _ number: UInt32, in transaction: borrowing some Transaction & ~Copyable
    ) throws(LogError) -> PersonRow {
        guard let value = try transaction.row(UInt64(number), in: tables.people) else {
            throw .corrupt(table: tables.people.name, key: UInt64(number), .missing)
        }
        return try mappingRecordErrors(
            of: tables.people.name, UInt64(number), try PersonRow(decoding: value))
    }

    /// The person that a number leads to.
    enum Person {
        case known(PersonRow, PersonKey)
        /// Or lost with damage before the log was salvaged.
        case erased
        /// The key is overwritten, and this state does not say why: a newer one does, unless the
        /// log is damaged.
        case keyGone
    }

    func findPerson(
        _ number: UInt32, in transaction: borrowing some Transaction & ~Copyable
    ) throws(LogError) -> Person {
        let row = try person(number, in: transaction)
        guard !row.isGone else { return .erased }
        guard let key = try transaction.key(inSlot: row.slot, of: tables.vault) else {
            return .keyGone
        }
        return .known(row, key)
    }

    /// Reads what an erasure may be taking away just now, again where it did.
    func readingPeople<Result>(
        _ body: (borrowing ReadTransaction) throws(LogError) -> Result?
    ) throws(LogError) -> Result {
        for _ in 0..<8 {
            let transaction = try beginReading()
            if let result = try body(transaction) { return result }
        }
        throw .damaged(table: tables.vault.name, .keyGone)
    }

    /// Who gave a commit's command; `nil` where a newer state has to say.
    func actor(
        of commit: CommitRecord, in transaction: borrowing some Transaction & ~Copyable
    ) throws(LogError) -> CommitActor? {
        guard commit.actor != 0 else { return .named("") }
        return try actor(commit.actor, in: transaction)
    }

    /// A user by number; `nil` where a newer state has to say.
    private func actor(
        _ number: UInt32, in transaction: borrowing some Transaction & ~Copyable
    ) throws(LogError) -> CommitActor? {
        switch try findPerson(number, in: transaction) {
        case .erased: return .erased
        case .keyGone: return nil
        case .known(let row, let key):
            guard let name = row.name(number, under: key), let actor = PersonName.actor(of: name)
            else { throw .corrupt(table: tables.people.name, key: UInt64(number), .cipher) }
            return .named(actor)
        }
    }

    /// The name of a user by number; `nil` once it is erased.
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

    /// The salted texts of an event or a commit, by the keys of their rows, as far as they are
    /// not erased; `nil` where a newer state has to say.
    func texts(
        _ range: ClosedRange<UInt64>, in transaction: borrowing some Transaction & ~Copyable
    ) throws(LogError) -> [(key: [UInt8], row: PersonalRow?)]? {
        var rows: [(key: [UInt8], row: TextRow)] = []
        let start = PersonalRow.key(range.lowerBound, 0)
        try transaction.scanRows(tables.texts, from: start.rawSpan) {
            (key: RawSpan, value) throws(LogError) in
            guard let position = PersonalRow.position(of: key), position <= range.upperBound
            else { return false }
            rows.append((key.copied(), try TextRow(value, at: key, in: tables.texts)))
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
            if let known = people[row.person] {
                person = known
            } else {
                person = try findPerson(row.person, in: transaction)
                people[row.person] = person
            }
            switch person {
            case .erased: texts.append((key, nil))
            case .keyGone: return nil
            case .known(_, let personKey):
                guard let text = row.open(at: key, under: personKey) else {
                    throw .damaged(table: tables.texts.name, row: key, .cipher)
                }
                texts.append((key, text))
            }
        }
        return texts
    }
}

/// Who gave a commit's command.
enum CommitActor: Hashable {
    /// Empty where the commit names nobody.
    case named(String)
    case erased
}

extension TextRow {
    init(_ value: RawSpan, at key: RawSpan, in table: LogTable) throws(LogError) {
        do throws(CorruptRecord) {
            try self.init(decoding: value)
        } catch {
            throw .damaged(table: table.name, row: key.copied(), error)
        }
    }
}
