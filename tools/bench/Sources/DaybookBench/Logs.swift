import CBaseline
import Daybook
import DaybookLog
import Foundation

/// The files that the rows work on.
final class Logs {
    let folder: String
    private var made: [Int: String] = [:]
    private var fresh = 0

    init(_ folder: String) throws {
        self.folder = folder
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Machine.refuseMemory(folder)
    }

    static func event(_ number: UInt64, tags: Int = 3) -> NewEvent {
        let payload = Care.EntryClosed(number)
        var event = NewEvent(payload, occurredAt: Instant(microseconds: payload.startedAtUs))
        event.tags.removeLast(event.tags.count - tags)
        return event
    }

    /// The same event with a personal text.
    static func eventWithText(_ number: UInt64) -> NewEvent {
        let payload = Care.EntryWithText(
            entry: Care.EntryClosed(number),
            text: PersonalText("Slept badly, woke up twice, tooth?"))
        return NewEvent(payload, occurredAt: Instant(microseconds: payload.entry.startedAtUs))
    }

    /// A log of so many events, made once.
    func path(events: Int) throws -> String {
        if let path = made[events] { return path }
        let path = "\(folder)/events-\(events).daybook"
        if !FileManager.default.fileExists(atPath: path) {
            let log = try EventLog(path: path, access: .create)
            var next: UInt64 = 1
            while next <= UInt64(events) {
                let last = min(next + 9_999, UInt64(events))
                _ = try log.append(AppendRequest((next...last).map { Self.event($0) }))
                next = last + 1
            }
            try log.reindex()
        }
        made[events] = path
        return path
    }

    /// Runs `body` with the path of a file that is not there yet, and removes it.
    @discardableResult
    func fresh<Result>(_ body: (String) throws -> Result) rethrows -> Result {
        fresh += 1
        let path = "\(folder)/fresh-\(fresh)"
        defer { for suffix in ["", "-lock"] { unlink(path + suffix) } }
        return try body(path)
    }
}

/// The baseline in C.
enum Baseline {
    static func scan(_ path: String) throws -> (seconds: Double, rows: UInt64, sum: UInt64) {
        var (seconds, rows, sum) = (0.0, UInt64(0), UInt64(0))
        try check(baseline_scan(path, &seconds, &rows, &sum))
        return (seconds, rows, sum)
    }

    /// The tables that the baseline writes.
    enum Tables: String {
        case one = "one table"
        case same = "the same tables"
        case indexed = "the same tables, index rows and checksums"
    }

    /// The sizes that Daybook writes, as numbers for C.
    static func shape(tags: Int, _ tables: Tables) -> baseline_shape {
        let sizes = (1...UInt64(1_000)).map { number in
            let event = Logs.event(number, tags: tags)
            return EventHeader.byteCount + event.payload.count
                + event.tags.reduce(0) { $0 + 1 + $1.text.utf8.count }
        }
        return baseline_shape(
            event_size: sizes.reduce(0, +) / sizes.count + Int(BASELINE_CHECKSUM),
            commit_size: 128 + Int(BASELINE_CHECKSUM),
            all_tables: tables == .one ? 0 : 1, has_index: tables == .indexed ? 1 : 0,
            tag_count: CInt(tags),
            tag_values: (1_000, 100_000, 7, 0))
    }

    static func append(
        _ path: String, _ shape: baseline_shape, commits: Int, of events: Int
    ) throws -> Double {
        var (seconds, shape) = (0.0, shape)
        try check(baseline_append(path, &shape, UInt64(commits), UInt64(events), &seconds))
        return seconds
    }

    static func group(
        _ path: String, _ shape: baseline_shape, threads: Int, commits: Int
    ) throws -> Double {
        var (seconds, shape) = (0.0, shape)
        try check(
            baseline_group(path, &shape, CInt(threads), UInt64(commits / threads), &seconds))
        return seconds
    }

    private static func check(_ code: CInt) throws {
        if code != 0 { throw Failed(description: "the C program failed with code \(code)") }
    }
}
