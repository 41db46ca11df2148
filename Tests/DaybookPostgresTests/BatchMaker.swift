#if PostgreSQL
    import Daybook
    import DaybookCryptography
    import DaybookLMDB

    @testable import DaybookLog
    @testable import DaybookPostgres

    /// A commit of a test: its events, its conditions and its key.
    struct Request {
        var events: [(kind: String, tags: [String], payload: [UInt8])]
        var conditions: [Item] = []
        var key: String?
        /// The number of people whom the commit is the first to name.
        var peopleCount = 0
        /// The texts of the first event, of the person with a number.
        var texts: [UInt32] = []
        /// The number of texts that the row of the first new person states.
        var textCount: UInt64 = 0

        init(
            _ tag: String = "t:1", kind: String = "test.a.v1", payload: [UInt8] = [1],
            conditions: [Item] = [], key: String? = nil, peopleCount: Int = 0,
            texts: [UInt32] = []
        ) {
            events = [(kind, [tag], payload)]
            self.conditions = conditions
            self.key = key
            self.peopleCount = peopleCount
            self.texts = texts
        }
    }

    /// A query item that no event after a position may match.
    struct Item {
        var after: UInt64
        var tags: [String] = []
        var kinds: [UInt16] = []
    }

    /// A maker of batches by `docs/format.md`, for the end of a log that it knows.
    struct BatchMaker {
        var end: StoreEnd
        /// The rows of kinds that the log has.
        var names: [String: UInt16] = [:]
        /// How far the recording times are off the store's clock, in microseconds.
        ///
        /// A store takes a second either way, so half of one leaves more time until the append.
        var lead: Int64 = 500_000
        private let tables = Tables()

        init(_ end: StoreEnd) {
            self.end = end
        }

        func batch(_ requests: [Request], groups: [Int32]? = nil) -> StoreBatch {
            var batch = StoreBatch(for: end)
            var maker = self
            var chain = end.head.chain
            var position = end.head.position.rawValue
            var person = UInt32(end.nextPerson)
            var slot = UInt32(end.nextSlot)
            let now = end.clock.microseconds + lead
            let time = max(now, end.recordedAt?.microseconds ?? now)
            for (number, request) in requests.enumerated() {
                let first = position + 1
                var newNames: [[UInt8]] = []
                var rows: [[UInt8]] = []
                for (index, event) in request.events.enumerated() {
                    position += 1
                    if maker.names[event.kind] == nil {
                        let row = UInt16(end.nextName) + UInt16(batch.names.count)
                        maker.names[event.kind] = row
                        let name = Name(.kind, event.kind, firstUsedAt: position).bytes
                        newNames.append(name)
                        batch.names.append(name.asRow(tables.names, UInt64(row)))
                    }
                    let row = Self.event(
                        time, maker.names[event.kind] ?? 0, index, event.tags, event.payload)
                    rows.append(row)
                    batch.events.append(row.asRow(tables.events, position))
                }
                var people: [UInt8] = []
                for index in 0..<request.peopleCount {
                    if (slot - 1) % Vault.slotsPerBlock == 0 {
                        batch.blocks.append(Vault.newBlock(Vault.block(of: slot), in: tables.vault))
                    }
                    var row = Self.person(first, slot)
                    if index == 0 { row.replaceSubrange(16..<24, with: request.textCount.bytes) }
                    people += person.bytes + row[32..<64]
                    batch.people.append(
                        StoreBatch.Person(
                            commit: number, number: person, replaced: [],
                            row: row.asRow(tables.people, UInt64(person))))
                    (person, slot) = (person + 1, slot + 1)
                }
                for (field, owner) in request.texts.enumerated() {
                    let text = owner.bytes + [UInt8](repeating: 9, count: 50)
                    let key = PersonalRow.key(first, UInt32(field))
                    batch.texts.append(
                        StoreBatch.Text(
                            position: first, field: UInt32(field),
                            row: text.asRow(tables.texts, key.rawSpan)))
                }
                let (row, value) = Self.commit(chain, time, rows, newNames, request.key, people)
                chain = value
                batch.commits.append(
                    StoreBatch.Commit(
                        group: groups?[number] ?? Int32(number + 1),
                        row: row.asRow(tables.commits, first), eventCount: rows.count,
                        digest: request.key.map { Array(Self.digest($0).prefix(16)) }
                            ?? RandomBytes.fresh(16)))
                batch.conditions += request.conditions.map { item in
                    StoreBatch.Condition(
                        group: groups?[number] ?? Int32(number + 1), after: item.after,
                        kinds: item.kinds, tags: item.tags.map { Array($0.utf8) })
                }
            }
            return batch
        }

        static func digest(_ key: String) -> [UInt8] { SHA256.hash(Array("key\0\(key)".utf8)) }

        private static func event(
            _ time: Int64, _ kind: UInt16, _ index: Int, _ tags: [String], _ payload: [UInt8]
        ) -> [UInt8] {
            let tagBytes = tags.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
            var row = time.bytes + Int64(7).bytes + kind.bytes + UInt16(0).bytes + Int32(0).bytes
            row += UInt32(index).bytes
            row += [UInt8(tags.count), 0]
            row += UInt16(tagBytes.count).bytes
            return row + tagBytes + payload
        }

        private static func person(_ first: UInt64, _ slot: UInt32) -> [UInt8] {
            var row = first.bytes + slot.bytes + UInt32(0).bytes + UInt64(0).bytes
            row += [1, 0, 0, 0, 0, 0, 0, 0]
            row += [UInt8](repeating: 5, count: 32)
            return row + [UInt8](repeating: 6, count: 44)
        }

        private static func commit(
            _ previous: [UInt8], _ time: Int64, _ events: [[UInt8]], _ names: [[UInt8]],
            _ key: String?, _ people: [UInt8]
        ) -> (row: [UInt8], chain: [UInt8]) {
            let none = [UInt8](repeating: 0, count: 32)
            let start = time.bytes + UInt32(events.count).bytes + UInt32(1).bytes
            var rest = UInt64(0).bytes + none + UInt32(0).bytes
            rest += key.map { digest($0) } ?? none
            rest += [0, 0, 0, 0] + people
            var hasher = SHA256()
            hasher.update(previous + start + rest)
            for name in names {
                hasher.update([name[0]] + UInt16(name.count - 9).bytes + Array(name[9...]))
            }
            for event in events { hasher.update(event) }
            let chain = hasher.finalize()
            return (start + chain + rest, chain)
        }
    }

    extension PostgresStore {
        /// A maker for the log's end, which knows its kinds.
        func maker() throws -> BatchMaker {
            var maker = BatchMaker(try end())
            let names = try tables.read { (connection) throws(PostgresError) in
                try connection.run([
                    tables.about("select name, value from daybook.names where log = $1")
                ])[0]
            }
            for row in 0..<names.rowCount {
                let value = try names.bytes(row, 1)
                let text = String(decoding: value[9..<value.count - 8], as: UTF8.self)
                maker.names[text] = UInt16(clamping: try names.integer(row, 0))
            }
            return maker
        }

        /// Appends requests for the end that the log has now.
        @discardableResult
        func append(_ requests: [Request], groups: [Int32]? = nil) throws -> StoreAnswer {
            // A machine that is busy for longer than the store waits makes the batch again.
            for _ in 0..<4 {
                let answer = try append(try maker().batch(requests, groups: groups))
                if answer.result != .clock { return answer }
            }
            return try append(try maker().batch(requests, groups: groups))
        }
    }
#endif
