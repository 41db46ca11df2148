import Daybook
import DaybookLog
import Foundation
import Synchronization

/// The rows that follow a log, and tasks that write one.
struct FollowRows {
    let logs: Logs

    func measure() throws -> [Row] {
        try latency() + [idle(), tasks()]
    }

    /// The times from the end of an append in another process to its event, of 1,000 commits.
    private func latency() throws -> [Row] {
        let count = 1_000
        let times = try logs.fresh { path in
            let log = try EventLog(path: path, access: .create)
            let file = path + ".times"
            defer { unlink(file) }
            let child = Process()
            child.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
            child.arguments = ["--commits", path, file, "\(count)"]
            try child.run()
            let seen = try Self.awaiting {
                var seen: [UInt64] = []
                for try await _ in log.follow() {
                    seen.append(Self.nanoseconds())
                    if seen.count == count { break }
                }
                return seen
            }
            child.waitUntilExit()
            let ends = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
                .compactMap { UInt64($0) }
            guard ends.count == count else { throw Failed(description: "the writer has failed") }
            // An event may be here before the append has returned.
            return zip(seen, ends).map { $0 > $1 ? Double($0 - $1) / 1e9 : 0 }.sorted()
        }
        return [
            Row(
                name: "10", work: "follow: from a commit of another process to its event",
                unit: "µs", own: .init(microsecondsOf: times), reach: "≤ 5,000"),
            Row(
                name: "10b", work: "the same, at most in 99 of 100", unit: "µs",
                own: .init(times[count * 99 / 100] * 1e6), reach: "≤ 5,000"),
        ]
    }

    /// Appends single events at uneven intervals, and writes when each append returned.
    static func commit(_ arguments: [String]) throws {
        guard arguments.count == 3, let count = Int(arguments[2]) else {
            throw Failed(description: usage)
        }
        let log = try EventLog(path: arguments[0], access: .write)
        var ends: [String] = []
        for number in 1...UInt64(count) {
            usleep(1_000 + UInt32(number * 7_919 % 5_000))
            _ = try log.append(AppendRequest([Logs.event(number)]))
            ends.append("\(nanoseconds())\n")
        }
        try ends.joined().write(toFile: arguments[1], atomically: true, encoding: .utf8)
    }

    /// The processor's time that a follower takes while nothing happens, of this process alone.
    private func idle() throws -> Row {
        let used = try logs.fresh { path in
            let log = try EventLog(path: path, access: .create)
            return try Self.awaiting {
                let follower = Task { for try await _ in log.follow() {} }
                try await Task.sleep(for: .seconds(1))
                let (start, before) = (ContinuousClock.now, Self.processorSeconds())
                try await Task.sleep(for: .seconds(10))
                let used = Self.processorSeconds() - before
                let seconds = (ContinuousClock.now - start) / .seconds(1)
                follower.cancel()
                try await follower.value
                return used / seconds
            }
        }
        return Row(
            name: "10c", work: "follow, while nothing is committed", unit: "CPU ms/s",
            own: .init(used * 1e3), reach: "–")
    }

    /// 256 tasks that append single events, against 256 threads.
    private func tasks() throws -> Row {
        let writers = 256
        let requests = (1...UInt64(writers * 100)).map {
            AppendRequest([Logs.event($0, tags: 2)])
        }
        let times = try Measure.pair(5) {
            try logs.fresh { try AppendRows.append(requests, threads: writers, to: $0) }
        } _: {
            try logs.fresh { path in
                try Self.awaiting {
                    try await Self.append(requests, tasks: writers, to: path)
                }
            }
        }
        return Row(
            name: "10d", work: "append, 256 threads (baseline) and 256 tasks, each durable",
            unit: "events/s", base: .init(perSecondOf: requests.count, times.base),
            own: .init(perSecondOf: requests.count, times.own), reach: "≥ 0.9×",
            ratio: times.base.median / times.own.median)
    }

    /// Returns the result of a task, for which this thread waits.
    private static func awaiting<Result: Sendable>(
        _ body: @escaping @Sendable () async throws -> Result
    ) throws -> Result {
        let ended = DispatchSemaphore(value: 0)
        let outcome = Mutex<Swift.Result<Result, any Error>?>(nil)
        Task {
            do {
                let result = try await body()
                outcome.withLock { $0 = .success(result) }
            } catch {
                outcome.withLock { $0 = .failure(error) }
            }
            ended.signal()
        }
        ended.wait()
        guard let result = outcome.withLock({ $0 }) else { throw Failed(description: "no result") }
        return try result.get()
    }

    /// Seconds that a new log takes for requests of one event each, divided among tasks.
    private static func append(
        _ requests: [AppendRequest], tasks: Int, to path: String
    ) async throws -> Double {
        let log = try EventLog(path: path, access: .create)
        let start = ContinuousClock.now
        try await withThrowingTaskGroup { group in
            for task in 0..<tasks {
                group.addTask {
                    for number in stride(from: task, to: requests.count, by: tasks) {
                        _ = try await log.append(requests[number])
                    }
                }
            }
            try await group.waitForAll()
        }
        return (ContinuousClock.now - start) / .seconds(1)
    }

    /// Nanoseconds since the machine was started, the same for all processes.
    private static func nanoseconds() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    /// Seconds of all cores that this process has used.
    private static func processorSeconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

extension Row.Figure {
    /// Microseconds, of times in seconds in ascending order.
    fileprivate init(microsecondsOf times: [Double]) {
        self.init(times[times.count / 2] * 1e6)
        least = (times.first ?? 0) * 1e6
        most = (times.last ?? 0) * 1e6
    }
}
