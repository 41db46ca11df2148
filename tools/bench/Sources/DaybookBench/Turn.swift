import DaybookLog
import Foundation

/// One measurement on a new log, in a process of its own, so that other stores can take turns.
struct Turn {
    private enum Work: String {
        case single, batches, writers, clients, pull

        /// The number of threads that append.
        var threads: Int {
            switch self {
            case .single, .batches, .pull: 1
            case .writers: 32
            case .clients: 64
            }
        }
    }

    private enum Store: String {
        case daybook, c, postgres
        /// Four processes, with a replica each.
        case postgresBy4 = "postgres-by-4"
    }

    private static let batch = 1_000
    private let store: Store
    private let work: Work
    private let commits: Int
    private let target: String

    init(_ arguments: [String]) throws {
        guard arguments.count == 4, let store = Store(rawValue: arguments[0]),
            let work = Work(rawValue: arguments[1]), let commits = Int(arguments[2]), commits > 0
        else { throw Failed(description: usage) }
        if !commits.isMultiple(of: work.threads) {
            throw Failed(description: "\(commits) commits: not a multiple of \(work.threads)")
        }
        self.store = store
        self.work = work
        self.commits = commits
        target = arguments[3]
    }

    /// Prints the number of events and the seconds.
    func run() throws {
        let seconds =
            switch store {
            case .daybook where work == .pull: try Logs(target).fresh(pulled)
            case .daybook: try Logs(target).fresh { try daybook($0) }
            case .c: try Logs(target).fresh { try baseline($0) }
            case .postgres: try stored(processes: 1)
            case .postgresBy4: try stored(processes: 4)
            }
        print(commits * eventsInCommit, seconds)
    }

    private var eventsInCommit: Int { [.batches, .pull].contains(work) ? Self.batch : 1 }

    private func baseline(_ path: String) throws -> Double {
        let shape = Baseline.shape(tags: 3, .same)
        return switch work {
        case .single, .batches, .pull:
            try Baseline.append(path, shape, commits: commits, of: eventsInCommit)
        case .writers, .clients:
            try Baseline.group(path, shape, threads: work.threads, commits: commits)
        }
    }

    private var requests: [AppendRequest] {
        let size = eventsInCommit
        return (0..<commits).map { commit in
            AppendRequest((1...size).map { Logs.event(UInt64(commit * size + $0)) })
        }
    }

    private func daybook(_ path: String) throws -> Double {
        switch work {
        case .single, .batches, .pull: try AppendRows.append(requests, to: path)
        case .writers, .clients:
            try AppendRows.append(requests, threads: work.threads, to: path)
        }
    }

    private func stored(processes: Int) throws -> Double {
        try StoreTurn(target, processes: processes).seconds(
            requests, threads: work.threads, isPull: work == .pull)
    }

    /// Seconds that `pull` takes for a new replica of a log in a file.
    private func pulled(_ path: String) throws -> Double {
        _ = try AppendRows.append(requests, to: path)
        let commands = Commands(replay: Commands.builtReplay)
        try commands.check()
        _ = try commands.run(["ship", path + "-segments", "--log", path])
        defer {
            for suffix in ["-segments", "-replica", "-replica-lock"] {
                try? FileManager.default.removeItem(atPath: path + suffix)
            }
        }
        return try commands.run(["pull", path + "-segments", "--log", path + "-replica"]).seconds
    }

    /// Prints the description that precedes a table, for the command that prints the table.
    static func describeMachine(_ arguments: [String]) throws {
        guard let folder = arguments.first else { throw Failed(description: usage) }
        let logs = try Logs(folder)
        print(Machine.describe(logs.folder, command: Array(arguments.dropFirst())))
    }

    /// Prints the events that the other stores append.
    static func printEvents(_ arguments: [String]) throws {
        guard let count = arguments.first.flatMap({ UInt64($0) }), count > 0 else {
            throw Failed(description: usage)
        }
        for number in 1...count {
            let event = Logs.event(number)
            let payload = event.payload.map { byte in
                (byte < 16 ? "0" : "") + String(byte, radix: 16)
            }
            let columns =
                ["\(event.kind)", "\(event.occurredAt.microseconds)", payload.joined()]
                + event.tags.map(\.text)
            print(columns.joined(separator: "\t"))
        }
    }
}
