import Daybook
import DaybookCryptography
import DaybookLibC

/// The clocks of a machine at a moment.
struct MachineTime: Hashable, Sendable {
    /// The wall clock, which a user can set.
    var wall: Instant
    /// The id of the machine's start, 16 bytes; zeros if the system gives none.
    var boot: [UInt8]
    /// Microseconds since the machine's start, including sleep.
    var sinceBoot: Int64

    /// The clocks now.
    static var now: MachineTime {
        MachineTime(wall: .now, boot: currentBoot, sinceBoot: sinceBootUs())
    }

    /// Returns the microseconds since the machine's start.
    static func sinceBootUs() -> Int64 {
        var time = timespec()
        #if canImport(Darwin)
            _ = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        #else
            _ = unsafe clock_gettime(CLOCK_BOOTTIME, &time)
        #endif
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
    }

    /// The id of the machine's start.
    private static let currentBoot: [UInt8] = {
        #if canImport(Darwin)
            var text = [UInt8](repeating: 0, count: 64)
            var size = text.count
            guard unsafe sysctlbyname("kern.bootsessionuuid", &text, &size, nil, 0) == 0 else {
                return [UInt8](repeating: 0, count: 16)
            }
        #else
            let text = (try? WholeFile.read("/proc/sys/kernel/random/boot_id")) ?? []
        #endif
        let digits = String(decoding: text.prefix(36), as: UTF8.self).filter { $0 != "-" }
        let bytes = Hexadecimal.bytes(digits) ?? []
        return bytes.count == 16 ? bytes : [UInt8](repeating: 0, count: 16)
    }()
}

/// The last answer of the store to a replica with keys: the row `contact` of `meta`.
///
/// A replica that cannot reach its store may have missed an erasure, so after seven days it shows
/// no texts. Clocks can be set, so the longest elapsed time of any clock counts, and once the seven
/// days are over, only an answer of the store makes texts readable again.
struct ContactNote: StoredRow, Hashable {
    static var tableName: String { "meta" }

    /// The replica's secret, 16 random bytes, which proves its reports to the store.
    var replica: [UInt8] = RandomBytes.fresh(16)
    /// The store's clock when it answered last.
    var storeClock = Instant(microseconds: 0)
    /// The machine's clocks at that moment.
    var machine: MachineTime
    /// The latest time that the machine's wall clock has shown since.
    var latestWall: Instant
    /// The wall time of the last report to the store.
    var reportedAt = Instant(microseconds: .min)
    /// The position of the last erasure that was reported to the store.
    var reportedThrough: UInt64 = 0
    /// True once seven days have passed without an answer; only an answer makes texts readable
    /// again.
    var isOver: Bool

    /// The longest time without an answer, in microseconds: seven days.
    static let longestSilenceUs: Int64 = 7 * Instant.dayUs
    static let byteCount = 16 + 8 + 8 + 16 + 8 + 8 + 8 + 8 + 1

    /// A note of a replica whose store has not answered yet.
    init(begunAt machine: MachineTime) {
        self.machine = machine
        latestWall = machine.wall
        isOver = true
    }

    init(decoding bytes: RawSpan) throws(CorruptRecord) {
        guard bytes.byteCount == Self.byteCount else {
            throw .size("contact", bytes.byteCount, expected: Self.byteCount)
        }
        let copy = bytes.copied()
        replica = Array(copy[..<16])
        storeClock = Instant(microseconds: bytes.integer(at: 16))
        machine = MachineTime(
            wall: Instant(microseconds: bytes.integer(at: 24)), boot: Array(copy[32..<48]),
            sinceBoot: bytes.integer(at: 48))
        latestWall = Instant(microseconds: bytes.integer(at: 56))
        reportedAt = Instant(microseconds: bytes.integer(at: 64))
        reportedThrough = bytes.integer(at: 72)
        let flag: UInt8 = bytes.integer(at: 80)
        guard flag <= 1 else {
            throw .invalid(field: "contact", found: "\(flag)", expected: "0 or 1")
        }
        isOver = flag == 1
    }

    /// The stored row without its checksum.
    var bytes: [UInt8] {
        var bytes = replica
        bytes.append(littleEndian: storeClock.microseconds)
        bytes.append(littleEndian: machine.wall.microseconds)
        bytes += machine.boot
        bytes.append(littleEndian: machine.sinceBoot)
        bytes.append(littleEndian: latestWall.microseconds)
        bytes.append(littleEndian: reportedAt.microseconds)
        bytes.append(littleEndian: reportedThrough)
        bytes.append(isOver ? 1 : 0)
        return bytes
    }

    /// Records an answer of the store.
    mutating func renew(_ storeClock: Instant, at now: MachineTime) {
        self.storeClock = storeClock
        machine = now
        latestWall = now.wall
        isOver = false
    }

    /// Returns the time that is left to show texts, in microseconds; `nil` if none is.
    func restUs(at now: MachineTime) -> Int64? {
        guard !isOver else { return nil }
        var elapsed = max(
            now.wall.microseconds &- machine.wall.microseconds,
            latestWall.microseconds &- machine.wall.microseconds)
        if now.boot == machine.boot, now.boot.contains(where: { $0 != 0 }) {
            elapsed = max(elapsed, now.sinceBoot - machine.sinceBoot)
        } else {
            // The machine was started since. Its wall clock alone tells for how long it was off, and
            // was set back if it shows less than it did.
            guard now.wall >= latestWall else { return nil }
            elapsed = max(elapsed, now.sinceBoot)
        }
        let rest = Self.longestSilenceUs - elapsed
        return rest > 0 && elapsed >= 0 ? rest : nil
    }

    /// Records the clocks' values, so that setting a clock back gains no time.
    ///
    /// - Returns: false if the note need not be written.
    mutating func look(at now: MachineTime) -> Bool {
        let wasOver = isOver
        if restUs(at: now) == nil { isOver = true }
        let isLater = now.wall.microseconds > latestWall.microseconds &+ 60_000_000
        if isLater { latestWall = now.wall }
        return isOver != wasOver || isLater
    }
}
