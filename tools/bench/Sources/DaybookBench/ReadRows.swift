import CBaseline
import Daybook
import DaybookLMDB
import DaybookLog

/// The rows that read: scans and folds.
struct ReadRows {
    let logs: Logs
    let events: Int
    let repeats = 7

    /// Every byte of every event, through an unsafe pointer inside the closure.
    func scanWithPointer() throws -> Row {
        try scan("1", "full scan, every byte: C cursor, EventReader.forEachStored", "≤ 1.1×") {
            log in
            var sum: UInt64 = 0
            try log.reader().forEachStored { (_, _, bytes) in
                unsafe bytes.withUnsafeBytes { buffer in
                    sum &+= unsafe Self.sum(buffer)
                }
                return true
            }
            return sum
        }
    }

    /// The same through `RawSpan`, checked.
    func scanWithSpan() throws -> Row {
        try scan("2", "the same through RawSpan", "≤ 1.3×") { log in
            var sum: UInt64 = 0
            try log.reader().forEachStored { (_, _, bytes) in
                let words = bytes.byteCount / 8
                var offset = 0
                for _ in 0..<words {
                    sum &+= unsafe bytes.unsafeLoadUnaligned(
                        fromByteOffset: offset, as: UInt64.self)
                    offset += 8
                }
                while offset < bytes.byteCount {
                    sum &+= UInt64(unsafe bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self))
                    offset += 1
                }
                return true
            }
            return sum
        }
    }

    @inline(__always)
    private static func sum(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        var sum: UInt64 = 0
        let words = bytes.count / 8
        for word in 0..<words {
            sum &+= unsafe bytes.loadUnaligned(fromByteOffset: word * 8, as: UInt64.self)
        }
        for index in (words * 8)..<bytes.count { sum &+= UInt64(unsafe bytes[index]) }
        return sum
    }

    private func scan(
        _ name: String, _ work: String, _ reach: String, _ own: (EventLog) throws -> UInt64
    ) throws -> Row {
        let path = try logs.path(events: events)
        var sums: Set<UInt64> = []
        let times = try Measure.pair(repeats) {
            let (seconds, _, sum) = try Baseline.scan(path)
            sums.insert(sum)
            return seconds
        } _: {
            let log = try EventLog(path: path, access: .read)
            return try Measure.seconds { sums.insert(try own(log)) }
        }
        guard sums.count == 1 else { throw Failed(description: "row \(name): other bytes read") }
        return Row(
            name: name, work: work, unit: "ns/event", base: .init(nsOf: events, times.base),
            own: .init(nsOf: events, times.own), reach: reach,
            ratio: times.own.median / times.base.median)
    }

    func fold() throws -> Row {
        let path = try logs.path(events: events)
        var states: [[Int64: Int64]] = []
        let times = try Measure.pair(repeats) {
            var state = Sums<Int64>()
            let seconds = try handWritten(path, &state)
            states.append(state.sums)
            return seconds
        } _: {
            let log = try EventLog(path: path, access: .read)
            var state = Sums<Int64>()
            let seconds = try Measure.seconds {
                try log.reader().fold(Care.ByDay.self, into: &state)
            }
            states.append(state.sums)
            return seconds
        }
        guard states.allSatisfy({ $0 == states[0] }) else {
            throw Failed(description: "row 3: the folds differ")
        }
        return Row(
            name: "3",
            work: "scan, check, decode, fold into one: hand-written Swift, EventReader.fold",
            unit: "ns/event", base: .init(nsOf: events, times.base),
            own: .init(nsOf: events, times.own), reach: "≤ 2×, ≤ 125 ns",
            ratio: times.own.median / times.base.median)
    }

    /// A loop written for this one event and this one fold, with nothing general in it, but
    /// with the same checks: that no position is missing, that the checksum of each row fits, that
    /// its parts lie inside it, and that it is of the kind.
    private func handWritten(_ path: String, _ state: inout Sums<Int64>) throws -> Double {
        var options = Environment.Options()
        options.isReadOnly = true
        let environment = try Environment(path: path, options: options)
        let events = Table(reading: "events", .records)
        return try Measure.seconds {
            let transaction = try ReadTransaction(in: environment)
            var position: UInt64 = 0
            var isBroken = false
            let failure = transaction.scan(events) { (key: UInt64, bytes) in
                position += 1
                let entry = unsafe bytes.withUnsafeBytes { (bytes) -> Care.EntryClosed? in
                    guard key == position, unsafe HandReader.isWhole(bytes, key) else {
                        isBroken = true
                        return nil
                    }
                    return unsafe HandReader.isEntry(bytes) ? HandReader.entry(bytes) : nil
                }
                if let entry {
                    state.sums[Care.day(entry.startedAtUs), default: 0] += entry.amountUl
                }
                return !isBroken
            }
            if let failure { throw failure }
            guard !isBroken else { throw Failed(description: "row 3: a row is damaged") }
        }
    }

    /// Four projections of the benchmark, one pass each.
    func folds() throws -> Row {
        let path = try logs.path(events: events)
        let log = try EventLog(path: path, access: .read)
        let times = try Measure.alone(repeats) {
            var days = Sums<Int64>()
            var children = Sums<String>()
            var sorts = Sums<UInt8>()
            var notes = Sums<Int64>()
            return try Measure.seconds {
                try log.reader().fold(Care.ByDay.self, into: &days)
                try log.reader().fold(Care.ByChild.self, into: &children)
                try log.reader().fold(Care.BySort.self, into: &sorts)
                try log.reader().fold(Care.Notes.self, into: &notes)
            }
        }
        return Row(
            name: "4",
            work: "fold of 4 projections of the benchmark, EventReader.fold one after another",
            unit: "events/s", own: .init(perSecondOf: events, times), reach: "≥ 1.5 M")
    }

    /// The same through what tools use: one pass over the events into `Fold`.
    func toolFolds() throws -> Row {
        let path = try logs.path(events: events)
        let log = try EventLog(path: path, access: .read)
        let descriptions = [
            ProjectionDescription("care.by-day", noun: "child", "", Care.ByDay.self),
            ProjectionDescription("care.by-child", noun: "child", "", Care.ByChild.self),
            ProjectionDescription("care.by-sort", noun: "child", "", Care.BySort.self),
            ProjectionDescription("care.notes", noun: "child", "", Care.Notes.self),
        ]
        let times = try Measure.alone(3) {
            var folds = FoldGroup(descriptions.map { $0.fold(.standard) })
            return try Measure.seconds { try log.reader().fold(&folds) }
        }
        return Row(
            name: "4b", work: "the same through EventReader and FoldGroup, one pass",
            unit: "events/s", own: .init(perSecondOf: events, times), reach: "≥ 1.5 M")
    }

    /// Memory of a fold: what the process has of its own, and with the pages of the map.
    func memory() throws -> [Row] {
        try [events / 10, events].map { count in
            let path = try logs.path(events: count)
            let log = try EventLog(path: path, access: .read)
            let before = Machine.memory("RssAnon")
            var state = Sums<String>()
            try log.reader().fold(Care.ByChild.self, into: &state)
            let own = Machine.memory("RssAnon")
            return Row(
                name: "9",
                work:
                    "memory of a fold over \(count) events: before, after (peak with the map \(Int(Machine.memory("VmHWM"))))",
                unit: "MiB", base: .init(before), own: .init(own),
                reach: "of the state, not the log")
        }
    }
}

/// The reader that one would write by hand for `EntryClosed`.
private enum HandReader {
    /// The row of `names` that is the kind, in a log with events of this kind only.
    private static let kind: UInt16 = 1
    /// The number of the table `events`, which checksums begin with.
    private static let table: UInt64 = 2

    /// True if the checksum behind a row fits and its parts lie inside it. See `docs/format.md`.
    @inline(__always)
    static func isWhole(_ bytes: UnsafeRawBufferPointer, _ key: UInt64) -> Bool {
        let count = bytes.count - 8
        guard count >= 32,
            count >= 32 + Int(unsafe bytes.loadUnaligned(fromByteOffset: 30, as: UInt16.self))
        else { return false }
        let seed = mixed(table ^ first, key ^ second)
        var (even, odd) = (seed, seed ^ second)
        var offset = 0
        while offset + 32 <= count {
            even = mixed(unsafe word(bytes, offset) ^ first, unsafe word(bytes, offset + 8) ^ even)
            odd = mixed(
                unsafe word(bytes, offset + 16) ^ second, unsafe word(bytes, offset + 24) ^ odd)
            offset += 32
        }
        while offset < count {
            even = mixed(
                unsafe tail(bytes, offset, count) ^ first,
                unsafe tail(bytes, offset + 8, count) ^ even)
            offset += 16
        }
        return unsafe mixed(even ^ UInt64(count), odd ^ first) == word(bytes, count)
    }

    private static let first: UInt64 = 0xA076_1D64_78BD_642F
    private static let second: UInt64 = 0xE703_7ED1_A0B4_28DB

    @inline(__always)
    private static func mixed(_ a: UInt64, _ b: UInt64) -> UInt64 {
        let product = a.multipliedFullWidth(by: b)
        return product.high ^ product.low
    }

    @inline(__always)
    private static func word(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
        unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
    }

    /// The word at an offset of a row of at least eight bytes, zeros behind its end.
    @inline(__always)
    private static func tail(
        _ bytes: UnsafeRawBufferPointer, _ offset: Int, _ count: Int
    ) -> UInt64 {
        if offset + 8 <= count { return unsafe word(bytes, offset) }
        guard offset < count else { return 0 }
        return unsafe word(bytes, count - 8) >> (8 * UInt64(offset + 8 - count))
    }

    /// True for an event of the kind, of which nothing lies apart.
    @inline(__always)
    static func isEntry(_ bytes: UnsafeRawBufferPointer) -> Bool {
        unsafe bytes.loadUnaligned(fromByteOffset: 16, as: UInt16.self) == kind && bytes[29] == 0
    }

    @inline(__always)
    static func entry(_ bytes: UnsafeRawBufferPointer) -> Care.EntryClosed {
        var at = 32 + Int(unsafe bytes.loadUnaligned(fromByteOffset: 30, as: UInt16.self))
        var entry = Care.EntryClosed()
        entry.childId = unsafe text(bytes, &at)
        entry.entryId = unsafe text(bytes, &at)
        entry.sort = Care.Sort(rawValue: unsafe bytes[at]) ?? .other
        at += 1
        entry.startedAtUs = unsafe integer(bytes, &at)
        entry.durationS = unsafe integer(bytes, &at)
        entry.amountUl = unsafe integer(bytes, &at)
        at += 1
        if unsafe bytes[at - 1] == 1 { entry.note = unsafe text(bytes, &at) }
        return entry
    }

    @inline(__always)
    private static func text(_ bytes: UnsafeRawBufferPointer, _ at: inout Int) -> String {
        let count = Int(unsafe count(bytes, &at))
        defer { at += count }
        return unsafe String(
            decoding: UnsafeRawBufferPointer(rebasing: bytes[at..<at + count]), as: UTF8.self)
    }

    @inline(__always)
    private static func integer(_ bytes: UnsafeRawBufferPointer, _ at: inout Int) -> Int64 {
        let bits = unsafe count(bytes, &at)
        return Int64(bitPattern: bits >> 1) ^ -Int64(bitPattern: bits & 1)
    }

    @inline(__always)
    private static func count(_ bytes: UnsafeRawBufferPointer, _ at: inout Int) -> UInt64 {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while true {
            let byte = unsafe bytes[at]
            at += 1
            value |= UInt64(byte & 127) << shift
            if byte < 128 { return value }
            shift += 7
        }
    }
}
