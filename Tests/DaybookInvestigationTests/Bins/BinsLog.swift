import Daybook
import DaybookLog
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import DaybookInvestigation

/// A log for tests of bins, with its events in plain arrays.
final class BinsLog: Sendable {
    /// An event as an overview sees it.
    struct Event: Sendable {
        var kind: String
        var actor = ""
        var device = ""
        /// Noun of the first tag; empty without tags.
        var noun = ""
        var occurredUs: Int64
        var recordedUs: Int64
    }

    let folder: TemporaryFolder
    let log: EventLog
    let values: ShownValues
    private let clock: Clock
    private let appended = Mutex<[Event]>([])

    init(_ privacy: ExportPrivacy = .texts, from start: Int64 = 1_700_000_000_000_000) throws {
        folder = try TemporaryFolder()
        let clock = Clock(start)
        log = try EventLog(
            path: folder.path("log"), access: .create, clock: { clock.time },
            ignoresClockLead: true)
        values = ShownValues(privacy, of: log, .empty) { _ in false }
        self.clock = clock
    }

    /// A clock that is set.
    final class Clock: Sendable {
        private let us: Mutex<Int64>

        init(_ us: Int64) { self.us = Mutex(us) }

        var time: Instant { Instant(microseconds: us.withLock(\.self)) }

        func set(_ value: Int64) { us.withLock { $0 = value } }
    }

    var events: [Event] { appended.withLock(\.self) }

    /// Appends commits, recorded at the time of the first one's first event.
    ///
    /// The events of a commit have the actor and the device of its first event.
    func append(_ commits: [[Event]]) throws {
        guard let first = commits.first?.first else { return }
        clock.set(first.recordedUs)
        let receipts = try log.append(commits.map { try Self.request($0) })
        for (commit, receipt) in zip(commits, receipts) {
            let recordedUs = try #require(receipt).recordedAt.microseconds
            for var event in commit {
                event.actor = commit[0].actor
                event.device = commit[0].device
                event.recordedUs = recordedUs
                appended.withLock { $0.append(event) }
            }
        }
    }

    /// Notes an event that the log wrote by itself.
    func noteNewest() throws {
        let event = try #require(
            try log.reader(.all, ReadWindow(.descending)).collect(limit: 1).first)
        let commit = try #require(try log.commits.at(event.position))
        appended.withLock {
            $0.append(
                Event(
                    kind: event.kind.name, actor: commit.metadata.actor,
                    device: commit.metadata.device,
                    noun: event.tags.first.map { String($0.noun) } ?? "",
                    occurredUs: event.envelope.occurredAt.microseconds,
                    recordedUs: event.envelope.recordedAt.microseconds))
        }
    }

    private static func request(_ commit: [Event]) throws -> AppendRequest {
        let events = try commit.map { event in
            NewEvent(
                kind: try #require(EventKind(event.kind)),
                tags: event.noun.isEmpty ? [] : [Daybook.Tag(stored: "\(event.noun):1")],
                occurredAt: Instant(microseconds: event.occurredUs), payload: [])
        }
        return AppendRequest(
            events,
            metadata: CommitMetadata(
                actor: commit.first?.actor ?? "", device: commit.first?.device ?? ""))
    }

    /// Starts bins of the log and waits until all events are read.
    func bins() throws -> LogBins {
        let bins = LogBins(log, values: values)
        bins.start()
        try wait(for: bins)
        return bins
    }

    /// Waits until all events are read.
    func wait(for bins: LogBins) throws {
        let isRead = try Wait.until {
            try BinsReply(bins, ["width": "1"]).read == events.count
        }
        try #require(isRead, "the log is not read")
    }
}

/// The answer of bins to a question.
struct BinsReply {
    let byteCount: Int
    let tree: Tree
    let from: Int64
    let to: Int64
    let width: Int
    let read: Int
    let count: Int
    let names: [Lane]
    /// For each lane, the bins that are not empty.
    let cells: [[Cell]]

    struct Lane: Equatable {
        var name: String
        var count: Int
        var isRest = false
    }

    struct Cell: Equatable {
        var bin: Int
        var count: Int
        var kind: String
    }

    static let defaults = ["clock": "recorded", "lanes": "kind", "width": "100", "most": "10"]

    /// Returns a number; `.max` for one beyond 64 bits.
    private static func number(_ tree: Tree?) throws -> Int64 {
        switch tree?.content {
        case .integer(let number): number
        case .number: .max
        default: throw InputError("expected a number, found \(tree?.json ?? "nothing")")
        }
    }

    /// - Parameter parameters: those that differ from the defaults.
    init(_ bins: LogBins, _ parameters: [String: String]) throws {
        let all = Self.defaults.merging(parameters) { $1 }
        let bytes = try bins.json(try BinsRequest(parameters: all))
        byteCount = bytes.count
        tree = try JSONParser.parse(bytes)
        let tree = tree
        (from, to) = (try Self.number(tree["from"]), try Self.number(tree["to"]))
        width = Int(try Self.number(tree["width"]))
        read = Int(try Self.number(tree["read"]))
        count = Int(try Self.number(tree["count"]))
        names = try ReadStory.list(tree["names"]).map { lane in
            Lane(
                name: try ReadStory.text(lane["name"]),
                count: Int(try Self.number(lane["count"])),
                isRest: lane["rest"] != nil)
        }
        let kinds = try ReadStory.list(tree["kinds"]).map { try ReadStory.text($0) }
        cells = try ReadStory.list(tree["cells"]).map { row in
            let numbers = try ReadStory.numbers(row)
            var bin = 0
            return stride(from: 0, to: numbers.count, by: 3).map { index in
                bin += Int(numbers[index])
                return Cell(
                    bin: bin, count: Int(numbers[index + 1]), kind: kinds[Int(numbers[index + 2])])
            }
        }
    }
}
