#if PostgreSQL
    import Daybook
    import DaybookCryptography
    import DaybookLMDB
    import Foundation
    import TestSupport
    import Testing

    @testable import DaybookLog
    @testable import DaybookPostgres

    /// Segments, keys and waiting.
    @Suite(.enabled(if: PostgresServer.isInstalled, "PostgreSQL is not installed"))
    struct PostgresReadTests {
        /// A log with people, texts and several kinds, in some batches.
        private func filled(_ commitCount: Int = 60) throws -> TestLog {
            let log = try TestLog()
            var left = commitCount
            while left > 0 {
                let batch = (0..<min(left, 17)).map { index in
                    var request = Request(
                        "t:\(index)", kind: "test.k\((left + index) % 5).v1",
                        payload: Array(repeating: UInt8(index), count: index * 3),
                        key: index % 3 == 0 ? "\(left)-\(index)" : nil)
                    if index % 4 == 1 { request.events.append(request.events[0]) }
                    if index == 2 { (request.peopleCount, request.texts) = (2, [1, 1]) }
                    if index == 2, left == commitCount {
                        // All texts are those of the first person.
                        request.textCount = UInt64(2 * ((commitCount + 16) / 17))
                    }
                    return request
                }
                try log.store.append(batch)
                left -= batch.count
            }
            return log
        }

        /// The records of segments without what a single segment differs in: their letters and
        /// bodies, people and ends of batches left out.
        private func records(_ segments: [[UInt8]]) throws -> [[UInt8]] {
            var found: [[UInt8]] = []
            for segment in segments {
                var reader = try SegmentReader(segment, named: "segment")
                while let record = try reader.next() {
                    guard ![.person, .batch].contains(record.kind) else { continue }
                    found.append([record.kind.rawValue] + reader.copy(record.body))
                }
            }
            return found
        }

        private func texts(_ records: [[UInt8]]) -> [[UInt8]] { records.filter { $0[0] == 0x54 } }

        @Test("Segments of any size, by either way, have the same records, and a replica the head")
        func segments() throws {
            let log = try filled()
            let store = log.store
            let whole = try #require(try store.segment(after: .origin, most: .max))
            let wanted = try records([whole])
            let end = try store.end().head
            for (most, isBulk) in [(1, false), (7, false), (1, true), (13, true), (.max, true)] {
                let folder = try TemporaryFolder()
                var (head, segments) = (Head.origin, [[UInt8]]())
                while let segment = isBulk
                    ? try store.segments.bulkSegment(after: head, most: most)?.bytes
                    : try store.segment(after: head, most: most)
                {
                    let reader = try SegmentReader(segment, named: "segment")
                    #expect(reader.header.part == 0)
                    #expect(reader.header.shipment == end.position.rawValue)
                    #expect(reader.header.after == head)
                    #expect(reader.header.peopleCount == UInt32(try store.end().nextPerson - 1))
                    #expect(reader.header.logID == log.id)
                    // A commit of two events is not divided.
                    let count = reader.end.head.position.rawValue - head.position.rawValue
                    #expect((1...UInt64(max(2, most))).contains(count))
                    head = reader.end.head
                    segments.append(segment)
                    let name = String(format: "%020d-%06d.segment", segments.count, 0)
                    try Data(segment).write(to: folder.url.appendingPathComponent(name))
                }
                #expect(head == end)
                let found = try records(segments)
                #expect(found.filter { $0[0] != 0x54 } == wanted.filter { $0[0] != 0x54 })
                #expect(Set(texts(found)) == Set(texts(wanted)))
                let path = folder.path("replica")
                let pulled = try Pull.run(.folder(path: folder.url.path), into: path)
                #expect(pulled.head == end)
                let replica = try EventLog(path: path, access: .read)
                let verification = try replica.verify()
                #expect(verification.findings.isEmpty)
            }
            #expect(try store.segment(after: end, most: 5) == nil)
            #expect(try store.segments.bulkSegment(after: end, most: 5) == nil)
        }

        @Test("A segment that was made ahead is not given as the end of a log that has gone on")
        func madeAhead() throws {
            let log = try TestLog()
            var bulk = Request("bulk:1")
            bulk.events = Array(repeating: bulk.events[0], count: 3_000)
            for _ in 0..<3 { try log.store.append([bulk]) }
            // The first of three, with the second one made meanwhile.
            for most in [3_000, 6_000] {
                var head = Head.origin
                var count = 0
                while let segment = try log.store.segment(after: head, most: most) {
                    head = try SegmentReader(segment, named: "segment").end.head
                    count += 1
                    if count == 1 {
                        Pause.sleep(.milliseconds(300))
                        try log.store().append([Request()])
                    }
                }
                #expect(head == (try log.store.end().head))
                #expect(count >= 2)
                let first = try #require(try log.store.segment(after: .origin, most: 6_000))
                let middle = try SegmentReader(first, named: "segment").end.head
                Pause.sleep(.milliseconds(300))
                try log.store().append([Request()])
                let rest = try #require(try log.store.segment(after: middle, most: 6_000))
                let reader = try SegmentReader(rest, named: "segment")
                #expect(reader.end.isLast)
                #expect(reader.end.head == (try log.store.end().head))
            }
        }

        @Test("People of a segment are those whom its commits and texts name, as they are now")
        func people() throws {
            let log = try filled()
            var (head, numbers) = (Head.origin, Set<UInt32>())
            while let segment = try log.store.segments.bulkSegment(after: head, most: 6)?.bytes {
                var reader = try SegmentReader(segment, named: "segment")
                head = reader.end.head
                while let record = try reader.next() {
                    switch record.kind {
                    case .person: numbers.insert(try reader.person(record).number)
                    case .commit:
                        let commit = try reader.decoding(record) { (body) throws(CorruptRecord) in
                            try CommitRecord(decoding: body)
                        }
                        #expect(commit.newPeople.allSatisfy { numbers.contains($0.number) })
                    default: break
                    }
                }
            }
            #expect(numbers.count == Int(try log.store.end().nextPerson) - 1)
        }

        @Test("A text that an erasure has changed comes with the next segment, by either way")
        func changedTexts() throws {
            let log = try filled()
            let head = try log.store.end().head
            try log.store.append([Request()])
            let key = PersonalRow.key(4, 0)
            let row = [UInt8](repeating: 0, count: 4).asRow(Tables().texts, key.rawSpan)
            let first = head.position.rawValue + 1
            try log.server.run(
                """
                update daybook.epochs set begun_by = \(first) where log = \(log.store.tables.log);
                update daybook.texts set epoch = 1,
                    value = '\\x\(Hexadecimal.text(row + [0, 0, 0, 0]))'::bytea
                where position = 4 and field = 0 and log = \(log.store.tables.log)
                """)
            // The row above is four bytes too long, which a checksum must show.
            #expect(throws: LogError.self) { try log.store.segment(after: head, most: 10) }
            #expect(throws: LogError.self) {
                try log.store.segments.bulkSegment(after: head, most: 10)
            }
            try log.server.run(
                """
                update daybook.texts set value = '\\x\(Hexadecimal.text(row))'::bytea
                where position = 4 and field = 0 and log = \(log.store.tables.log)
                """)
            for segment in [
                try log.store.segment(after: head, most: 10),
                try log.store.segments.bulkSegment(after: head, most: 10)?.bytes,
            ] {
                let found = try records([try #require(segment)])
                #expect(texts(found) == [[0x54] + key + [0, 0, 0, 0]])
            }
        }

        struct Damage: CustomTestStringConvertible {
            var testDescription: String
            var sql: String
            var message: String
        }

        @Test(
            "A row that was changed or is missing is named, and no segment is given",
            arguments: [
                Damage(
                    testDescription: "a changed event",
                    sql:
                        "update daybook.events set value = set_byte(value, 9, 77) where position = 5",
                    message: "row 5 of 'events': the row does not match its checksum"),
                Damage(
                    testDescription: "a changed commit",
                    sql:
                        "update daybook.commits set value = set_byte(value, 60, 77) where first = 4",
                    message: "row 4 of 'commits': the row does not match its checksum"),
                Damage(
                    testDescription: "a changed name",
                    sql: "update daybook.names set value = set_byte(value, 12, 77) where name = 2",
                    message: "row 2 of 'names': the row does not match its checksum"),
                Damage(
                    testDescription: "a changed text",
                    sql: "update daybook.texts set value = set_byte(value, 9, 77) where field = 1",
                    message: "of 'texts': the row does not match its checksum"),
                Damage(
                    testDescription: "a changed person",
                    sql:
                        "update daybook.people set value = set_byte(value, 9, 77) where person = 1",
                    message: "row 1 of 'people': the row does not match its checksum"),
                Damage(
                    testDescription: "a missing event",
                    sql: "delete from daybook.events where position = 6",
                    message: "row 6 of 'events': the row is missing"),
                Damage(
                    testDescription: "a missing commit",
                    sql: "delete from daybook.commits where first = 4",
                    message: "row 4 of 'commits': the row is missing"),
                Damage(
                    testDescription: "an event under another position",
                    sql: "update daybook.events set position = 900 where position = 12;"
                        + "update daybook.events set position = 12 where position = 13",
                    message: "row 12 of 'events': the row does not match its checksum"),
            ])
        func damage(_ damage: Damage) throws {
            let log = try filled(20)
            try log.server.run(
                damage.sql.split(separator: ";").map { $0 + " and log = \(log.store.tables.log)" }
                    .joined(separator: ";"))
            let calls: [(Head, Int) throws -> Void] = [
                { _ = try log.store.segment(after: $0, most: $1) },
                { _ = try log.store.segments.bulkSegment(after: $0, most: $1) },
            ]
            for read in calls {
                let error = #expect(throws: LogError.self) { try read(.origin, 1_000) }
                guard case .store(.damaged(log.store.name, let reason)) = error else {
                    Issue.record("\(String(describing: error))")
                    continue
                }
                #expect(reason.hasSuffix(damage.message))
            }
        }

        @Test("A replica that is ahead, or has another history, is told so")
        func histories() throws {
            let log = try filled(20)
            let name = log.store.name
            for position in [Position(2), nil, Position(900)] {
                let end = try log.store.end().head
                let head = try #require(Head(position ?? end.position, chain: Array(1...32)))
                let error =
                    head.position > end.position
                    ? LogError.store(
                        .restored(name: name, end: end.position, replica: head.position))
                    : .store(.parted(name: name, at: head.position))
                #expect(throws: error) { try log.store.segment(after: head, most: 9) }
                #expect(throws: error) { try log.store.lock(after: head) }
                // The lock was given back.
                #expect(try log.store().append([Request()]).result == .appended)
            }
        }

        @Test("Waiting ends with the next commit, or after its time")
        func waiting() throws {
            let log = try TestLog()
            let started = ContinuousClock.now
            #expect(try !log.store.wait(after: .origin, atMost: .milliseconds(100)))
            #expect(ContinuousClock.now - started >= .milliseconds(95))
            let other = try log.store()
            Thread.detachNewThread {
                Pause.sleep(.milliseconds(100))
                _ = try? other.append([Request()])
            }
            #expect(try log.store.wait(after: .origin, atMost: .seconds(20)))
            #expect(try log.store.wait(after: .origin, atMost: .zero))
            #expect(try !log.store.wait(after: Position(1), atMost: .zero))
        }

        @Test("The secret and the blocks of keys come back as they were written")
        func keys() throws {
            let log = try TestLog()
            #expect(try log.store.keys(fromBlock: 0).equals(log.secret, []))
            let maker = try log.store.maker()
            let batch = maker.batch([Request(peopleCount: 2_050)])
            #expect(batch.blocks.count == 2)
            #expect(try log.store.append(batch).result == .appended)
            #expect(try log.store().keys(fromBlock: 0).equals(log.secret, batch.blocks))
            #expect(try log.store.keys(fromBlock: 1).equals(log.secret, [batch.blocks[1]]))
            #expect(try log.store.keys(fromBlock: 2).blocks.isEmpty)
            let stored = try log.server.run(
                "select encode(value, 'hex') from daybook.vault where log = \(log.store.tables.log)"
            )
            for row in 0..<stored[0].rowCount {
                let text = try stored[0].text(row, 0)
                #expect(!text.contains(Hexadecimal.text(batch.blocks[0][..<16])))
                #expect(!text.contains(Hexadecimal.text(log.secret)))
            }
        }

        @Test("A wrong key, a missing key and a changed block are told apart")
        func wrongKeys() throws {
            let log = try TestLog()
            try log.store.append([Request(peopleCount: 1)])
            let address = try log.server.address(log.name)
            let wrong = EpochKeyFile(log.folder.path("wrong"))
            _ = try wrong.createKey(of: 1, log: log.id)
            let missing = EpochKeyFile(log.folder.path("missing"))
            _ = try missing.createKey(of: 2, log: log.id)
            for (source, reason) in [
                (wrong, "the key of epoch 1 is not that"),
                (missing, "there is no key of epoch 1"),
            ] {
                let store = try PostgresStore(address, keys: source)
                let error = #expect(throws: LogError.self) { try store.keys(fromBlock: 0) }
                guard case .store(.keys(_, let found)) = error else {
                    Issue.record("\(String(describing: error))")
                    continue
                }
                #expect(found.contains(reason))
                #expect(throws: LogError.self) {
                    try store.append(try store.maker().batch([Request(peopleCount: 2_047)]))
                }
            }
            try log.server.run(
                "update daybook.vault set value = set_byte(value, 99, "
                    + "get_byte(value, 99) # 1) where block = 0 and log = \(log.store.tables.log)")
            let error = #expect(throws: LogError.self) { try log.store.keys(fromBlock: 0) }
            guard case .store(.damaged(_, let reason)) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(reason.contains("block 0 of 'vault' was changed"))
        }
    }

    extension StoreKeys {
        /// True if secret and blocks are these.
        fileprivate func equals(_ secret: [UInt8], _ blocks: [[UInt8]]) -> Bool {
            self.secret == secret && self.blocks == blocks
        }
    }
#endif
