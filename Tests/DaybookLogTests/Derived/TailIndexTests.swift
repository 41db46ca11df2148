import Daybook
import DaybookLog
import TestSupport
import Testing

/// One process that reads often, behind an index that is not brought up to date at each append.
@Suite struct TailIndexTests {
    @Test(
        "Events behind the index are found as an array finds them, however often it is asked",
        arguments: [11, 12, 13, 14] as [UInt64])
    func likeAnArray(_ seed: UInt64) throws {
        let folder = try TemporaryFolder()
        var random = SeededGenerator(seed: seed)
        let log = try EventLog(path: folder.path("log"), access: .create)
        var oracle = OracleTests.Oracle()
        for step in 0..<60 {
            let count = Int.random(in: 1...(step < 5 ? 120 : 12), using: &random)
            let events = (0..<count).map { _ in OracleTests.event(&random) }
            _ = try log.append(AppendRequest(events))
            oracle.events += events
            if Int.random(in: 0..<25, using: &random) == 0 { try log.reindex() }
            for _ in 0..<4 {
                let query = OracleTests.query(&random)
                let through = UInt64.random(in: 1...UInt64(oracle.events.count), using: &random)
                let from = UInt64.random(in: 1...through, using: &random)
                let expected = oracle.matches(query).map(UInt64.init)
                    .filter { (from...through).contains($0) }
                let place = "seed \(seed), step \(step), \(from) to \(through), \(query)"
                for direction in [ReadWindow.Direction.ascending, .descending] {
                    let window = ReadWindow(
                        from: Position(from), through: Position(through), direction)
                    let found = try log.reader(query, window).collect()
                        .map(\.position.rawValue)
                    #expect(
                        found == (direction == .ascending ? expected : expected.reversed()),
                        "\(place)")
                }
            }
        }
    }

    @Test("An older reading sees nothing of what came after it began")
    func bound() throws {
        let folder = try TemporaryFolder()
        let log = try EventLog(path: folder.path("log"), access: .create)
        let event = NewEvent(
            kind: "test.a.v1", tags: [Daybook.Tag("topic", "x")], occurredAt: .epoch,
            payload: [])
        let query = Query(Query.Item(tags: [Daybook.Tag("topic", "x")]))
        for number in 1...40 {
            _ = try log.append(AppendRequest(Array(repeating: event, count: 20)))
            let half = Position(UInt64(number) * 10)
            #expect(
                try log.reader(query, ReadWindow(through: half)).collect().count == number * 10)
        }
    }
}
