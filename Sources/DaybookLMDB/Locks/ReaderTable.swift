import CDaybookLMDB
import DaybookLibC

#if os(Linux)
    /// The table of readers in the lock file of LMDB 0.9, mapped separately from LMDB's own map.
    final class ReaderTable: @unchecked Sendable {
        // The memory is shared with LMDB and with other processes, and changed by atomic operations
        // under LMDB's mutex alone.
        private let start: UnsafeMutablePointer<daybook_readers>
        private let byteCount: Int
        private let descriptor: CInt
        /// Number under which slots are taken; 0 for none.
        private var number: Int32 = 0

        /// Maps a lock file that LMDB has opened.
        ///
        /// - Returns: `nil` if its table has another form than on Linux with LMDB's own mutexes.
        init?(of lockFile: CInt, _ handle: OpaquePointer) throws(LMDBError) {
            descriptor = lockFile
            byteCount = try FileMap.size(of: lockFile)
            let map = mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_SHARED, lockFile, 0)
            guard let map, map != MAP_FAILED else { throw LMDBError(rawValue: errno) }
            start = map.assumingMemoryBound(to: daybook_readers.self)
            guard start.pointee.format == daybook_lock_format, agrees(with: handle)
            else { return nil }
        }

        deinit { munmap(start, byteCount) }

        /// True if the table has as many slots, and as new a state, as LMDB reads from it.
        private func agrees(with handle: OpaquePointer) -> Bool {
            var info = MDB_envinfo()
            // Other processes may commit and register readers in between.
            for _ in 0..<100 {
                let before = counters
                mdb_env_info(handle, &info)
                let after = counters
                // A commit writes its meta page before it tells the table.
                if before.count <= info.me_numreaders, info.me_numreaders <= after.count,
                    before.state <= info.me_last_txnid, info.me_last_txnid <= after.state + 1,
                    Int(info.me_maxreaders) == daybook_reader_limit(byteCount)
                {
                    return true
                }
            }
            return false
        }

        /// The number of the newest transaction, and that of the slots in use.
        private var counters: (state: Int, count: UInt32) {
            (daybook_newest_state(start), daybook_reader_count(start))
        }

        /// Gives back all slots of a number whose byte this process has locked.
        func clear(_ number: Int32) {
            daybook_readers_clear(start, daybook_reader_limit(byteCount), number)
        }

        /// Returns the table, in which slots are then taken with a number that no process has.
        func withOtherNumber() throws(LMDBError) -> ReaderTable {
            number = try ProcessNumber.lockOther(in: descriptor)
            clear(number)
            return self
        }

        /// Takes a free slot, in which nothing is read yet.
        func take() throws(LMDBError) -> ReaderSlot {
            var slot: UnsafeMutablePointer<daybook_reader>?
            try check(daybook_reader_take(start, daybook_reader_limit(byteCount), number, &slot))
            guard let slot else { throw .readersFull }
            return ReaderSlot(table: self, slot: slot)
        }

        /// Registers the newest state in a slot, and returns the number of its transaction.
        fileprivate func begin(_ slot: UnsafeMutablePointer<daybook_reader>) -> Int {
            daybook_reader_begin(start, slot)
        }
    }

    struct ReaderSlot {
        fileprivate let table: ReaderTable
        fileprivate let slot: UnsafeMutablePointer<daybook_reader>

        func begin() -> Int { table.begin(slot) }

        func end() { daybook_reader_end(slot) }

        func free() { daybook_reader_free(slot) }
    }
#else
    /// The table of readers, which has another form on this system; there are no PID namespaces.
    struct ReaderTable {
        init?(of lockFile: CInt, _ handle: OpaquePointer) throws(LMDBError) { return nil }

        func clear(_ number: Int32) {}

        func withOtherNumber() throws(LMDBError) -> ReaderTable { self }

        func take() throws(LMDBError) -> ReaderSlot { throw .numberTaken }
    }

    struct ReaderSlot {
        func begin() -> Int { 0 }

        func end() {}

        func free() {}
    }
#endif
