import DaybookLog
import Foundation

/// One measurement on a new log, in a process of its own, so that other stores can take turns.
struct Turn {
    private enum Work: String {
        case single, batches, writers
    }

    private static let writers = 32
    private static let batch = 1_000
    private let isBaseline: Bool
    private let work: Work
    private let commits: Int
    private let logs: Logs

    init(_ arguments: [String]) throws {
        guard arguments.count == 4, ["daybook", "c"].contains(arguments[0]),
            let work = Work(rawValue: arguments[1]), let commits = Int(arguments[2]), commits > 0
        else { throw Failed(description: usage) }
        if work == .writers, !commits.isMultiple(of: Self.writers) {
            throw Failed(description: "\(commits) commits: not a multiple of \(Self.writers)")
        }
        self.isBaseline = arguments[0] == "c"
        self.work = work
        self.commits = commits
        self.logs = try Logs(arguments[3])
    }

    /// Prints the number of events and the seconds.
    func run() throws {
        let seconds = try logs.fresh { isBaseline ? try baseline($0) : try daybook($0) }
        print(commits * eventsInCommit, seconds)
    }

    private var eventsInCommit: Int { work == .batches ? Self.batch : 1 }

    private func baseline(_ path: String) throws -> Double {
        let shape = Baseline.shape(tags: 3, .same)
        return switch work {
        case .single, .batches:
            try Baseline.append(path, shape, commits: commits, of: eventsInCommit)
        case .writers: try Baseline.group(path, shape, threads: Self.writers, commits: commits)
        }
    }

    private func daybook(_ path: String) throws -> Double {
        let size = eventsInCommit
        let requests = (0..<commits).map { commit in
            AppendRequest((1...size).map { Logs.event(UInt64(commit * size + $0)) })
        }
        return switch work {
        case .single, .batches: try AppendRows.append(requests, to: path)
        case .writers: try AppendRows.append(requests, threads: Self.writers, to: path)
        }
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
