import CDaybookLMDB
import DaybookLibC
import Synchronization

/// A registered reader of one thread at a time, which keeps a state's pages from being reused.
enum Reader: @unchecked Sendable {
    case transaction(OpaquePointer)
    /// A slot of the table of readers, taken with a number that is not the process's own.
    case slot(ReaderSlot)

    /// Registers the newest state, unless LMDB has, and returns the number of its transaction.
    func registerState() -> Int {
        switch self {
        case .transaction(let transaction): mdb_txn_id(transaction)
        case .slot(let slot): slot.begin()
        }
    }

    /// Ends a read; the reader keeps its slot.
    func reset() {
        switch self {
        case .transaction(let transaction): mdb_txn_reset(transaction)
        case .slot(let slot): slot.end()
        }
    }

    func free() {
        switch self {
        case .transaction(let transaction): mdb_txn_abort(transaction)
        case .slot(let slot): slot.free()
        }
    }
}

/// The readers of a process in the table of LMDB's lock file.
///
/// LMDB takes a slot under the number of its process, and locks the byte at this offset of the lock
/// file, so that other processes can tell whether the slot's owner is alive. Process numbers repeat
/// between PID namespaces, such as those of containers, and the second process of a number gets no
/// lock. It then registers itself as LMDB does, but under a number above all process numbers.
final class Readers: Sendable {
    private let descriptor: CInt
    /// The longest time to wait for another process that takes a slot.
    private let wait: Duration
    /// The table, if the process takes its slots itself; `nil` if LMDB does.
    private let table: ReaderTable?
    /// True if LMDB cannot take a slot, and the table has a form in which Daybook cannot either.
    private let isNumberTaken: Bool
    /// The readers that read nothing now, and whose slots are used again.
    private let idle = Mutex<[Reader]>([])
    /// Admits one thread at a time to the lock of the table.
    private let turn = Mutex(())

    /// Largest number of idle readers that keep their slots.
    private static let idleLimit = 64
    /// The byte of the lock file that Daybook's processes lock while they change the table.
    static let turnByte = OpenFileLock.Range(start: 1 << 61, length: 1)

    /// Locks the number of the process, or another one, and clears the slots of dead processes.
    init(_ handle: OpaquePointer, lockFile: CInt, wait: Duration) throws(LMDBError) {
        descriptor = lockFile
        self.wait = wait
        guard lockFile >= 0 else {
            (table, isNumberTaken) = (nil, false)
            return
        }
        let shared = try ReaderTable(of: lockFile, handle)
        let hasNumber = try ProcessNumber.lockOwn(in: lockFile)
        if hasNumber { shared?.clear(getpid()) }
        table = hasNumber ? nil : try shared?.withOtherNumber()
        isNumberTaken = !hasNumber && table == nil
        try clearDead(handle)
    }

    private func takeIdle() -> Reader? { idle.withLock { $0.popLast() } }

    /// Begins a read: takes an idle reader, or a slot for a new one.
    func begin(_ handle: OpaquePointer) throws(LMDBError) -> Reader {
        if let reader = takeIdle() {
            guard case .transaction(let transaction) = reader else { return reader }
            let code = mdb_txn_renew(transaction)
            if code != MDB_SUCCESS { reader.free() }
            try check(code)
            return reader
        }
        guard !isNumberTaken else { throw .numberTaken }
        return try inTurn { () throws(LMDBError) -> Reader in
            if let table { return .slot(try table.take()) }
            var transaction: OpaquePointer?
            try check(mdb_txn_begin(handle, nil, UInt32(MDB_RDONLY), &transaction))
            guard let transaction else { throw LMDBError(rawValue: ENOMEM) }
            return .transaction(transaction)
        }
    }

    /// Ends a read, and keeps the reader for the next one.
    func end(_ reader: Reader) {
        reader.reset()
        let isKept = idle.withLock { idle in
            guard idle.count < Self.idleLimit else { return false }
            idle.append(reader)
            return true
        }
        if !isKept { reader.free() }
    }

    /// Gives back the slots of the idle readers, before LMDB closes the file.
    func close() {
        while let reader = takeIdle() { reader.free() }
    }

    /// Clears the slots of dead processes. LMDB skips those of the process's own number, which
    /// another process may have had.
    func clearDead(_ handle: OpaquePointer) throws(LMDBError) {
        if let table, try ProcessNumber.lockOwn(in: descriptor) { table.clear(getpid()) }
        try inTurn { () throws(LMDBError) in
            var count: CInt = 0
            try check(mdb_reader_check(handle, &count))
        }
    }

    /// Calls `body`, which may wait for LMDB's mutex of the table, while no other process of Daybook
    /// does.
    ///
    /// The mutex is robust: the kernel compares the number of a thread that dies while it waits for
    /// the mutex with the number of the mutex's holder, and takes the holder for dead if they are
    /// equal. They may be equal between PID namespaces. So at most one process is at the mutex.
    private func inTurn<Result: Sendable>(
        _ body: () throws(LMDBError) -> Result
    ) throws(LMDBError) -> Result {
        guard descriptor >= 0 else { return try body() }
        return try turn.withLock { (_) throws(LMDBError) -> Result in
            var pause = RetryWait(limit: wait)
            while try !OpenFileLock.acquire(.exclusive, Self.turnByte, of: descriptor) {
                guard pause.sleep() else { throw .readersBusy }
            }
            defer { OpenFileLock.release(Self.turnByte, of: descriptor) }
            return try body()
        }
    }
}

/// The bytes of a lock file whose locks say which numbers of readers are alive.
enum ProcessNumber {
    /// Numbers above those of processes, which are below 2²² on all systems.
    private static let others: ClosedRange<Int32> = 1 << 22 + 1...Int32.max - 1

    /// Locks the byte of this process's number, as LMDB does, until a descriptor of the file is
    /// closed.
    ///
    /// - Returns: false if another process has this number, in another PID namespace.
    static func lockOwn(in descriptor: CInt) throws(LMDBError) -> Bool {
        var lock = flock()
        lock.l_type = Int16(F_WRLCK)
        lock.l_whence = Int16(SEEK_SET)
        lock.l_start = off_t(getpid())
        lock.l_len = 1
        guard retrying({ fcntl(descriptor, F_SETLK, &lock) }) != 0 else { return true }
        guard errno == EAGAIN || errno == EACCES else { throw LMDBError(rawValue: errno) }
        return false
    }

    /// Locks the byte of a number no process has, until the open file's last descriptor closes.
    static func lockOther(in descriptor: CInt) throws(LMDBError) -> Int32 {
        for _ in 0..<1_000 {
            let number = Int32.random(in: others)
            let byte = OpenFileLock.Range(start: Int64(number), length: 1)
            if try OpenFileLock.acquire(.exclusive, byte, of: descriptor) { return number }
        }
        throw .readersFull
    }
}
