package import Daybook
import DaybookLMDB

// Reads for an overview of a log, which need no payloads, texts and people's names.
extension LogContents {
    /// Calls `body` with each commit that begins in a range of positions, in order.
    ///
    /// - Parameter body: gets the position of the commit's first event, the person number of its
    ///   actor, 0 for none, and the UTF-8 of its device, valid only inside `body`.
    package func forEachCommitOutline(
        in range: ClosedRange<UInt64>,
        _ body: (UInt64, UInt32, RawSpan) throws(LogError) -> Void
    ) throws(LogError) {
        let transaction = try log.file.beginReading()
        try transaction.scanRows(log.file.tables.commits, from: range.lowerBound) {
            (first: UInt64, row) throws(LogError) in
            guard first <= range.upperBound else { return false }
            let outline = try CommitOutline(row, at: first)
            try body(first, outline.actor, row.extracting(outline.device))
            return true
        }
    }

    /// Calls `body` with the header of each event of a range, in order.
    ///
    /// - Parameter body: gets the header and the UTF-8 of the noun of the event's first tag, which
    ///   is empty without tags, and valid only inside `body`.
    /// - Throws: `.corrupt` if an event of the range is missing.
    package func forEachOutline(
        in range: ClosedRange<UInt64>, _ body: (EventHeader, RawSpan) throws(LogError) -> Void
    ) throws(LogError) {
        let transaction = try log.file.beginReading()
        try log.file.tables.scanEvents(range, in: transaction) {
            (position, bytes) throws(LogError) in
            let header = try EventHeader(bytes, at: position)
            try body(header, bytes.extracting(try header.firstNounRange(in: bytes, at: position)))
            return true
        }
    }

    /// Returns the event kind in a row of the table `names`.
    ///
    /// - Throws: `.corrupt` with the position of an event of this kind if there is no such kind.
    package func kind(
        inRow row: UInt16, ofEventAt position: UInt64
    ) throws(LogError) -> EventKind {
        let names = try log.file.names(in: try log.file.beginReading())
        return try names.kind(row, at: position)
    }
}

extension EventHeader {
    /// Returns the byte range of the noun of a stored event's first tag; empty without tags.
    fileprivate func firstNounRange(
        in bytes: RawSpan, at position: UInt64
    ) throws(LogError) -> Range<Int> {
        let start = Self.byteCount + 1
        guard tagCount > 0 else { return start - 1..<start - 1 }
        guard start <= payloadOffset else {
            throw .corrupt(table: "events", key: position, invalidTags)
        }
        let end = start + Int(bytes.integer(at: start - 1, as: UInt8.self))
        guard end <= payloadOffset else {
            throw .corrupt(table: "events", key: position, invalidTags)
        }
        var colon = start
        while colon < end, bytes.integer(at: colon, as: UInt8.self) != UInt8(ascii: ":") {
            colon += 1
        }
        return start..<colon
    }
}
