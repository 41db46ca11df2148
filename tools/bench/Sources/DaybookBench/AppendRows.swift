import CBaseline
import Daybook
import DaybookLog
import Foundation
import Synchronization

/// The rows that append, each commit durable.
struct AppendRows {
    /// A row of the table: its name, the tables of the baseline, and the reach.
    private typealias AgainstC = (name: String, tables: Baseline.Tables, reach: String)

    let logs: Logs
    let events: Int
    let repeats = 9

    /// One event a commit, one writer.
    func single() throws -> [Row] {
        let count = 2_000
        let requests = (1...UInt64(count)).map { AppendRequest([Logs.event($0, tags: 2)]) }
        return try against(
            [("5", .same, "≥ 0.9×"), ("5b", .one, "–")], "append, one durable event a commit"
        ) { path, shape in
            try Baseline.append(path, shape, commits: count, of: 1)
        } _: { path in
            try Self.append(requests, to: path)
        } _: {
            count
        } + [try tables(count)]
    }

    /// The cost of the tables in C: one table, and all that Daybook writes.
    private func tables(_ count: Int) throws -> Row {
        let times = try Measure.pair(repeats) {
            try logs.fresh {
                try Baseline.append(
                    $0, Baseline.shape(tags: 2, .one), commits: count, of: 1)
            }
        } _: {
            try logs.fresh {
                try Baseline.append(
                    $0, Baseline.shape(tags: 2, .same), commits: count, of: 1)
            }
        }
        return Row(
            name: "5c", work: "the same, C with one table and C with the same tables",
            unit: "events/s", base: .init(perSecondOf: count, times.base),
            own: .init(perSecondOf: count, times.own), reach: "≥ 0.7×",
            ratio: times.base.median / times.own.median)
    }

    /// One event a commit, 32 threads and 256 threads.
    func concurrent() throws -> [Row] {
        try concurrent(
            [("6", .same, "≥ 0.6×"), ("6b", .one, "≥ 0.6×")], threads: 32, commitsEach: 500)
            + concurrent([("6c", .one, "–")], threads: 256, commitsEach: 100)
    }

    private func concurrent(
        _ rows: [AgainstC], threads: Int, commitsEach: Int
    ) throws -> [Row] {
        let count = threads * commitsEach
        let requests = (1...UInt64(count)).map { AppendRequest([Logs.event($0, tags: 2)]) }
        return try against(rows, "append, \(threads) writers, each durable") { path, shape in
            try Baseline.group(path, shape, threads: threads, commits: count)
        } _: { path in
            try Self.append(requests, threads: threads, to: path)
        } _: {
            count
        }
    }

    /// Seconds that a new log takes for the requests, one after another.
    static func append(_ requests: [AppendRequest], to path: String) throws -> Double {
        let log = try EventLog(path: path, access: .create)
        return try Measure.seconds { for request in requests { _ = try log.append(request) } }
    }

    /// Seconds that a new log takes for requests of one event each, divided among threads.
    static func append(
        _ requests: [AppendRequest], threads: Int, to path: String
    ) throws -> Double {
        try append(
            requests, threads: threads, to: try EventLog(path: path, access: .create))
    }

    /// Seconds that a log takes for requests, divided among threads.
    static func append(
        _ requests: [AppendRequest], threads: Int, to log: EventLog
    ) throws -> Double {
        let failure = Mutex<AppendError?>(nil)
        return try Measure.seconds {
            let group = DispatchGroup()
            for thread in 0..<threads {
                group.enter()
                Thread {
                    do throws(AppendError) {
                        for number in stride(from: thread, to: requests.count, by: threads) {
                            _ = try log.append(requests[number])
                        }
                    } catch {
                        failure.withLock { $0 = error }
                    }
                    group.leave()
                }.start()
            }
            group.wait()
            if let error = failure.withLock({ $0 }) { throw error }
        }
    }

    /// A thousand events a commit, three tags each.
    func batches() throws -> [Row] {
        let commits = max(10, min(100, events / 5_000))
        let requests = (0..<UInt64(commits)).map { commit in
            AppendRequest((1...1_000).map { Logs.event(commit * 1_000 + $0) })
        }
        return try against(
            [("7", .same, "≥ 0.5×"), ("7b", .one, "–"), ("7d", .indexed, "≥ 0.8×")],
            "append, batches of 1,000 with 3 tags, durable, chained", tags: 3
        ) { path, shape in
            try Baseline.append(path, shape, commits: commits, of: 1_000)
        } _: { path in
            try Self.append(requests, to: path)
        } _: {
            commits * 1_000
        }
    }

    /// The batches with a personal text in each event, of one of a thousand people.
    func texts() throws -> Row {
        let commits = max(10, min(20, events / 5_000))
        let plain = (0..<UInt64(commits)).map { commit in
            AppendRequest((1...1_000).map { Logs.event(commit * 1_000 + $0) })
        }
        let sealed = (0..<UInt64(commits)).map { commit in
            AppendRequest((1...1_000).map { Logs.eventWithText(commit * 1_000 + $0) })
        }
        let times = try Measure.pair(repeats) {
            try logs.fresh { try appendTexts(plain, to: $0) }
        } _: {
            try logs.fresh { try appendTexts(sealed, to: $0) }
        }
        return Row(
            name: "7c", work: "the same, without and with a personal text in each event",
            unit: "events/s", base: .init(perSecondOf: commits * 1_000, times.base),
            own: .init(perSecondOf: commits * 1_000, times.own), reach: "–",
            ratio: times.base.median / times.own.median)
    }

    private func appendTexts(_ requests: [AppendRequest], to path: String) throws -> Double {
        let log = try EventLog(path: path, access: .create, people: ["child": "child"])
        return try Measure.seconds { for request in requests { _ = try log.append(request) } }
    }

    /// A condition on one tag and one kind, on a small and on a large log.
    func conditional() throws -> Row {
        let small = try EventLog(path: try logs.path(events: events / 10), access: .write)
        let large = try EventLog(path: try logs.path(events: events * 10), access: .write)
        let times = try Measure.pair(repeats) {
            try conditional(small)
        } _: {
            try conditional(large)
        }
        return Row(
            name: "8",
            work:
                "conditional append, durable, on \(events / 10) and on \(events * 10) events",
            unit: "µs/commit", base: .init(times.base.median * 1e6),
            own: .init(times.own.median * 1e6),
            reach: "≤ 1.3×", ratio: times.own.median / times.base.median)
    }

    private func conditional(_ log: EventLog) throws -> Double {
        let count = 500
        let start = try log.head().rawValue
        let seconds = try Measure.seconds {
            for number in 1...UInt64(count) {
                let event = Logs.event(start + number)
                let query = Query(.init(kinds: [event.kind], tags: [event.tags[0]]))
                let condition = AppendCondition(query, after: try log.head())
                _ = try log.append(AppendRequest([event], conditions: [condition]))
            }
        }
        return seconds / Double(count)
    }

    /// Daybook's appends against C with the same tables or with one table, a row each.
    private func against(
        _ rows: [AgainstC], _ work: String, tags: Int = 2,
        _ base: (String, baseline_shape) throws -> Double, _ own: (String) throws -> Double,
        _ count: () -> Int
    ) throws -> [Row] {
        try rows.map { row in
            let shape = Baseline.shape(tags: tags, row.tables)
            let times = try Measure.pair(repeats) {
                try logs.fresh { try base($0, shape) }
            } _: {
                try logs.fresh(own)
            }
            return Row(
                name: row.name,
                work: "\(work), against C with \(row.tables.rawValue)",
                unit: "events/s", base: .init(perSecondOf: count(), times.base),
                own: .init(perSecondOf: count(), times.own), reach: row.reach,
                ratio: times.base.median / times.own.median)
        }
    }
}
