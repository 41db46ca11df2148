import CDaybookLMDB

/// A reader of the file, in any process.
public struct ActiveReader: Hashable, Sendable {
    /// Id of the process, in its own namespace.
    public var processID: Int32
    /// Number of the transaction that committed the state being read.
    public var state: UInt64
}

extension Environment {
    /// Returns the name of a reader's command; `nil` if the system does not tell it.
    ///
    /// A process of another namespace may have the number of one that does not read this file.
    public func commandName(of reader: ActiveReader) -> String? {
        ProcessInformation.hasMapped(binding.dataFile.inode, reader.processID)
            ? ProcessInformation.commandName(of: reader.processID) : nil
    }

    /// Returns the readers with an open transaction, in no order; none if it is read unlocked.
    public func activeReaders() -> [ActiveReader] {
        // LMDB lists the readers only as lines of text: process, thread and transaction.
        final class Lines { var text = "" }
        let lines = Lines()
        let context = Unmanaged.passUnretained(lines).toOpaque()
        _ = mdb_reader_list(
            handle,
            { (message, context) in
                guard let message, let context else { return 0 }
                Unmanaged<Lines>.fromOpaque(context).takeUnretainedValue().text +=
                    String(cString: message)
                return 0
            }, context)
        return lines.text.split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ")
            guard words.count == 3, let process = Int32(words[0]), let state = UInt64(words[2])
            else { return nil }
            return ActiveReader(processID: process, state: state)
        }
    }
}

extension PageMap {
    /// Returns the size of the pages that are free in this state, but not for writers as long as an
    /// earlier state is read.
    public func bytesKept(for state: UInt64) throws(LMDBError) -> Int {
        guard state < transaction else { return 0 }
        var count = 0
        try forEachFreePage(from: 2, to: meta.lastPage + 1) { (_, freer) in
            if freer >= state, freer < transaction { count += 1 }
        }
        return count * pageSize
    }
}
