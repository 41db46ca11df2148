import Daybook
import DaybookLMDB

/// A plan of the texts and people that an erasure covers, as of one transaction.
struct ErasurePlan {
    let log: EventLog
    private let target: ErasureTarget
    private let catalogue: Catalogue
    /// The tags whose events lose their personal texts; empty for an erasure by position or actor.
    var tags: [Tag] = []
    /// The position of the event that loses its texts; `nil` for an erasure by tags or actor.
    var position: UInt64?
    /// The names of people who are erased completely, by person number.
    var erasedNames: [UInt32: String] = [:]
    /// The row keys in `texts` of the texts to erase, by person number, for people who are not
    /// erased completely.
    var droppedTextKeys: [UInt32: Set<[UInt8]>] = [:]
    /// The row keys in `texts` of texts that are missing without a recorded erasure.
    var missingTextKeys: [[UInt8]] = []
    /// The number of texts of the people who are erased completely.
    private var erasedTextCount: UInt64 = 0

    /// Plans the erasure of a target.
    ///
    /// - Parameter catalogue: the catalogue that locates personal texts in the payloads of events.
    init(
        _ target: ErasureTarget, of log: EventLog, _ catalogue: Catalogue,
        in transaction: borrowing some Transaction & ~Copyable
    ) throws(LogError) {
        self.log = log
        self.target = target
        self.catalogue = catalogue
        let names = try log.file.names(in: transaction)
        switch target {
        case .actor(let actor):
            try markErased(PersonName.actor(actor), in: transaction)
        case .position(let asked):
            guard asked > .origin,
                asked.rawValue <= (try log.file.tables.lastPosition(in: transaction))
            else { return }
            position = asked.rawValue
            let event = try log.file.tables.event(at: asked.rawValue, names, in: transaction)
            try dropTexts(of: [asked.rawValue], in: transaction)
            var ordinals = Array(0..<UInt32(try catalogue.personalTextCount(event)))
            if try storedEvent(asked.rawValue, in: transaction).hasNumbers {
                ordinals.append(SealedNumbers.ordinal)
            }
            try findMissing(ordinals, at: asked.rawValue, in: transaction)
        case .tags(let asked):
            for tag in asked.flatMap(log.personNouns.tags) {
                if let person = log.personNouns.person(tag) {
                    try markErased(person.text, in: transaction)
                }
                tags.append(tag)
            }
            let about = try positions(with: tags, names, in: transaction)
            let people = Set(asked.compactMap(log.personNouns.person))
            let owned = try ownedTags(by: people, in: about, in: transaction)
            for tag in owned { try markErased(tag.text, in: transaction) }
            tags += owned
            let others = try positions(with: owned, names, in: transaction)
            for positions in [about, others] {
                try dropTexts(of: positions, in: transaction)
            }
        }
    }

    /// Returns the tags of a stored event, and whether its personal integers are stored separately.
    private func storedEvent(
        _ position: UInt64, in transaction: borrowing some Transaction & ~Copyable
    ) throws(LogError) -> (hasNumbers: Bool, tags: [Tag]) {
        let table = log.file.tables.events
        guard let bytes = try transaction.row(position, in: table) else {
            throw .corrupt(table: table.name, key: position, .missing)
        }
        let event = try TaggedHeader(bytes, at: position)
        return (event.header.hasNumbers, event.tags)
    }

    /// Returns the tags of entities that people own according to the events at these positions.
    private func ownedTags(
        by people: Set<Tag>, in positions: [UInt64],
        in transaction: borrowing some Transaction & ~Copyable
    ) throws(LogError) -> [Tag] {
        guard people.contains(where: log.personNouns.mayOwnEntities) else { return [] }
        var owned: Set<Tag> = []
        for position in positions {
            let eventTags = try storedEvent(position, in: transaction).tags
            for person in people {
                owned.formUnion(log.personNouns.owned(by: person, among: eventTags))
            }
        }
        return owned.subtracting(tags).sorted { $0.text < $1.text }
    }

    /// Adds a person to the people who are erased completely; does nothing for an unknown name.
    private mutating func markErased(
        _ name: String, in transaction: borrowing some Transaction & ~Copyable
    ) throws(LogError) {
        guard let number = try log.file.personNumber(name, in: transaction),
            erasedNames[number] == nil
        else { return }
        erasedNames[number] = name
        erasedTextCount += try log.file.tables.person(number, in: transaction).textCount
    }

    /// Returns the positions after another one of the events that have at least one of these tags,
    /// ascending.
    private func positions(
        with tags: [Tag], after position: UInt64 = 0, _ names: Names,
        in transaction: borrowing some Transaction & ~Copyable
    ) throws(LogError) -> [UInt64] {
        var last: UInt64 = 0
        var items: [Query.Item] = []
        for tag in tags {
            let found = try log.file.tables.lastPosition(of: IndexKey(tag), in: transaction) ?? 0
            if found > position { items.append(Query.Item(tags: [tag])) }
            last = max(last, found)
        }
        guard last > position, let query = Query(items: items) else { return [] }
        let range = position + 1...last
        var found =
            try IndexSearch(file: log.file).candidates(
                query, range, names, in: transaction, minimumSpacing: 1) ?? []
        if found.isEmpty {
            let filter = StoredFilter(query, names)
            try log.file.tables.scanMatches(filter, range, in: transaction) { (position, _, _) in
                found.append(position)
                return true
            }
        }
        return found
    }

    /// Adds the texts of these events to the texts to erase, if they belong to people who are not
    /// erased completely.
    ///
    /// - Parameter positions: the positions of the events, ascending.
    private mutating func dropTexts(
        of positions: [UInt64], in transaction: borrowing some Transaction & ~Copyable
    ) throws(LogError) {
        var index = 0
        var rest: [([UInt8], UInt32)] = []
        while index < positions.count {
            // A scan covers positions that are close together; after 32 other rows a new lookup
            // starts.
            var skipped = 0
            let start = PersonalRow.key(positions[index], 0)
            try transaction.scanRows(log.file.tables.texts, from: start.rawSpan) {
                (key: RawSpan, value) throws(LogError) in
                guard let position = PersonalRow.position(of: key) else {
                    throw .damaged(
                        table: log.file.tables.texts.name, row: key.copied(),
                        .size("key", key.byteCount, expected: 12))
                }
                while index < positions.count, positions[index] < position { index += 1 }
                guard index < positions.count else { return false }
                guard positions[index] == position else {
                    skipped += 1
                    return skipped < 32
                }
                skipped = 0
                let row = try TextRow(value, at: key)
                if !row.isGone { rest.append((key.copied(), row.personNumber)) }
                return true
            }
            if skipped < 32 { break }
        }
        var isErased: [UInt32: Bool] = [:]
        for (key, person) in rest where erasedNames[person] == nil {
            if isErased[person] == nil {
                isErased[person] = try log.file.tables.person(person, in: transaction).isGone
            }
            if isErased[person] == false { droppedTextKeys[person, default: []].insert(key) }
        }
    }

    /// Adds to `missingTextKeys` the row keys of an event's texts that the table `texts` lacks.
    ///
    /// - Parameter ordinals: the indices of the event's personal texts, and `SealedNumbers.ordinal`
    ///   for its integers.
    private mutating func findMissing(
        _ ordinals: [UInt32], at position: UInt64,
        in transaction: borrowing some Transaction & ~Copyable
    ) throws(LogError) {
        for ordinal in ordinals {
            let key = PersonalRow.key(position, ordinal)
            let isThere = try transaction.row(key.rawSpan, in: log.file.tables.texts) != nil
            if !isThere { missingTextKeys.append(key) }
        }
    }

    /// Adds the effects of the events after a position; the time grows with their number.
    ///
    /// - Returns: false if the plan must be made anew: other people lose texts now, or an erasure was
    ///   recorded meanwhile.
    mutating func extend(
        after position: UInt64, in transaction: borrowing some Transaction & ~Copyable
    ) throws(LogError) -> Bool {
        let names = try log.file.names(in: transaction)
        if let row = names.row(of: TextsErased.kind),
            let last = try log.file.tables.lastPosition(ofKind: row, in: transaction),
            last > position
        {
            return false
        }
        let people = Set(droppedTextKeys.keys)
        guard case .tags(let asked) = target else {
            let plan = try ErasurePlan(target, of: log, catalogue, in: transaction)
            guard Set(plan.erasedNames.keys) == Set(erasedNames.keys),
                Set(plan.droppedTextKeys.keys) == people
            else { return false }
            self = plan
            return true
        }
        let nouns = log.personNouns
        for person in asked.flatMap(nouns.tags).compactMap(nouns.person) {
            let number = try log.file.personNumber(person.text, in: transaction)
            guard number.map({ erasedNames[$0] != nil }) ?? true else { return false }
        }
        let found = try positions(with: tags, after: position, names, in: transaction)
        let owners = Set(asked.compactMap(nouns.person))
        guard try ownedTags(by: owners, in: found, in: transaction).isEmpty else { return false }
        erasedTextCount = 0
        for number in erasedNames.keys {
            erasedTextCount += try log.file.tables.person(number, in: transaction).textCount
        }
        try dropTexts(of: found, in: transaction)
        return Set(droppedTextKeys.keys) == people
    }

    /// The planned effect, before anything is erased.
    var erasure: Erasure {
        var erasure = Erasure()
        erasure.texts = droppedTextKeys.values.reduce(erasedTextCount) { $0 + UInt64($1.count) }
        erasure.people = Set(erasedNames.values).count { name in
            Tag(name).map { !log.personNouns.isOwned($0) } ?? true
        }
        erasure.unrecorded = missingTextKeys.count
        return erasure
    }
}

extension Catalogue {
    /// Returns the number of personal texts of an event; 0 for an unknown event kind.
    fileprivate func personalTextCount(_ event: RecordedEvent) throws(LogError) -> Int {
        try describing(event) { (known, payload) throws(CorruptPayload) in
            try known.seals(payload).count
        } ?? 0
    }

    /// Upcasts an event, and calls `body` with the description of its kind and with its payload.
    ///
    /// - Returns: the result of `body`; `nil` for an unknown event kind.
    private func describing<Result>(
        _ event: RecordedEvent,
        _ body: (EventDescription, RawSpan) throws(CorruptPayload) -> Result
    ) throws(LogError) -> Result? {
        let event = try newest(event)
        guard let known = events[event.kind] else { return nil }
        do throws(CorruptPayload) {
            return try body(known, event.payload.rawSpan)
        } catch {
            throw .fold(.corrupt(event.position, event.kind, error))
        }
    }
}
