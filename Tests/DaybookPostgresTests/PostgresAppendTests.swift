#if PostgreSQL
    import Daybook
    import DaybookLog
    import Testing

    @testable import DaybookPostgres

    /// Answers to batches.
    @Suite(.enabled(if: PostgresServer.isInstalled, "PostgreSQL is not installed"))
    struct PostgresAppendTests {
        @Test("Commits are written in one call, and the answer has the new end and each place")
        func written() throws {
            let log = try TestLog()
            let answer = try log.store.append([Request("t:1"), Request("t:2", key: "k")])
            #expect(answer.result == .appended)
            #expect(answer.outcomes == [.written(1), .written(2)])
            #expect(answer.end.head.position == Position(2))
            #expect(answer.end.nextName == 2)
            #expect(try log.store.end().isSame(as: answer.end))
        }

        @Test("The same bytes again are known by their digests, with the places that they have")
        func repeated() throws {
            let log = try TestLog()
            let batch = try log.store.maker().batch([Request(key: "k"), Request()])
            _ = try log.store.append(batch)
            let answer = try log.store.append(batch)
            #expect(answer.result == .moved)
            #expect(answer.outcomes == [.repeated(1), .repeated(2)])
            let (end, firsts) = try log.store.outcomes(
                of: batch.commits.map(\.digest) + [[UInt8](repeating: 9, count: 16)])
            #expect(end.isSame(as: answer.end))
            #expect(firsts == [1, 2, nil])
        }

        struct Change: CustomTestStringConvertible {
            var testDescription: String
            var change: @Sendable (inout StoreEnd) -> Void
        }

        @Test(
            "Bytes for another end are answered with the log's end",
            arguments: [
                Change(testDescription: "position") {
                    $0.head = Head(Position(2), chain: $0.head.chain) ?? $0.head
                },
                Change(testDescription: "chain") {
                    $0.head = Head(Position(1), chain: Array(1...32)) ?? $0.head
                },
                Change(testDescription: "next name") { $0.nextName += 1 },
                Change(testDescription: "next person") { $0.nextPerson += 1 },
                Change(testDescription: "next slot") { $0.nextSlot += 1 },
                Change(testDescription: "epoch") { $0.epoch += 1 },
            ])
        func moved(_ change: Change) throws {
            let log = try TestLog()
            let end = try log.store.append([Request()]).end
            var batch = try log.store.maker().batch([Request()])
            change.change(&batch.end)
            let answer = try log.store.append(batch)
            #expect(answer.result == .moved)
            #expect(answer.end.isSame(as: end))
            #expect(answer.outcomes == [.unwritten])
        }

        @Test("A log that is closed or filled refuses an append, and names its state")
        func states() throws {
            let log = try TestLog()
            try log.server.run(
                "select daybook.set_state(log, 'closed') from daybook.logs "
                    + "where name = '\(log.name)'")
            let closed = #expect(throws: LogError.self) { try log.store.append([Request()]) }
            #expect(
                closed
                    == .store(
                        .refused(
                            name: log.store.name, code: "closed",
                            reason: "the log is closed and takes no appends")))
            let filling = try TestLog(isFilling: true)
            let refused = #expect(throws: LogError.self) { try filling.store.append([Request()]) }
            guard case .store(.refused(_, "filling", _)) = refused else {
                Issue.record("\(String(describing: refused))")
                return
            }
        }

        @Test(
            "Recording times off the store's clock are answered with that clock",
            arguments: [-1_500_000, 1_500_000] as [Int64])
        func clock(_ lead: Int64) throws {
            let log = try TestLog()
            var maker = try log.store.maker()
            maker.lead = lead
            let answer = try log.store.append(maker.batch([Request()]))
            #expect(answer.result == .clock)
            #expect(answer.end.head == .origin)
            #expect(answer.end.recordedAt == nil)
        }

        @Test("What comes before a forbidden or a known group is written, and each has its outcome")
        func groups() throws {
            let log = try TestLog()
            try log.store.append([Request("t:x"), Request("t:y", key: "k")])
            try log.store.append([Request("t:x", kind: "test.b.v1")])
            let answer = try log.store.append([
                Request("t:a", conditions: [Item(after: 2, tags: ["t:a"])]),
                Request("t:b", conditions: [Item(after: 2, tags: ["t:x"])]),
                Request("t:c"), Request("t:d", conditions: [Item(after: 2, kinds: [2])]),
            ])
            #expect(answer.result == .appended)
            #expect(answer.outcomes == [.written(4), .forbidden(3), .unwritten, .forbidden(3)])
            let known = try log.store.append(
                [Request("t:a"), Request("t:b"), Request("t:y", key: "k")], groups: [1, 2, 2])
            #expect(known.outcomes == [.written(5), .unwritten, .repeated(2)])
            let both = try log.store.append(
                [Request(), Request(conditions: [Item(after: 2, tags: ["t:x", "t:x"])])],
                groups: [1, 1])
            #expect(both.outcomes == [.forbidden(3), .forbidden(3)])
            #expect(try log.store.end().head.position == Position(5))
        }

        @Test("A tag with quotes, backslashes and other letters is compared byte for byte")
        func tags() throws {
            let log = try TestLog()
            let tags = ["t:\"\\{}", "t:ü", "t:\u{0}", "t: ,x"]
            try log.store.append(tags.map { Request($0) })
            for (index, tag) in tags.enumerated() {
                let answer = try log.store.append([
                    Request(conditions: [Item(after: 0, tags: [tag])])
                ])
                #expect(answer.outcomes == [.forbidden(UInt64(index) + 1)])
            }
        }

        @Test("A condition without tags that reaches back too far is answered with 'behind'")
        func behind() throws {
            let log = try TestLog()
            var bulk = Request("bulk:1")
            bulk.events = Array(repeating: bulk.events[0], count: 10_050)
            try log.store.append([bulk])
            let answer = try log.store.append([
                Request(conditions: [Item(after: 0, kinds: [999])])
            ])
            #expect(answer.result == .behind)
            #expect(try log.store.end().head.position == Position(10_050))
        }

        @Test("With the lock, an append is not too late, and others wait until it ends")
        func lock() throws {
            let log = try TestLog()
            let other = try log.store()
            try other.append([Request("t:1"), Request("t:2")])
            let (end, segment) = try log.store.lock(after: .origin)
            #expect(end.head.position == Position(2))
            #expect(segment != nil)
            var maker = try log.store.maker()
            maker.end = end
            #expect(try log.store.append(maker.batch([Request()])).result == .appended)
            #expect(try other.append([Request()]).outcomes == [.written(4)])
            let (same, nothing) = try log.store.lock(after: try log.store.end().head)
            #expect(same.head.position == Position(4))
            #expect(nothing == nil)
            log.store.unlock()
            log.store.unlock()
            #expect(try other.append([Request()]).outcomes == [.written(5)])
        }

        @Test("Whoever holds the lock in silence loses it after a second, and nothing is written")
        func silentHolder() throws {
            let log = try TestLog()
            let (end, _) = try log.store.lock(after: .origin)
            let other = try log.store()
            #expect(try other.append([Request()]).outcomes == [.written(1)])
            let late = BatchMaker(end).batch([Request()])
            let error = #expect(throws: LogError.self) { try log.store.append(late) }
            guard case .store(.unreachable) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(try log.store.append([Request()]).outcomes == [.written(2)])
        }
    }
#endif
