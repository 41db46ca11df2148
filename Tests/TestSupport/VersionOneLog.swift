import LMDB

/// Makes logs as programs of format version 1 wrote them.
public enum VersionOneLog {
    /// Writes the rows of a log, which must not be open, into a new file: without checksums, and
    /// without the index.
    public static func write(_ path: String, from newer: String) throws {
        let layouts: [(name: String, layout: Table.Layout)] = [
            ("meta", .bytes), ("events", .records), ("commits", .records), ("keys", .bytes),
            ("tags", .bytes), ("kinds", .integers), ("names", .integers), ("personal", .bytes),
            ("snapshots", .bytes), ("checkpoints", .bytes),
        ]
        let source = try Environment(path: newer)
        let transaction = try ReadTransaction(in: source)
        let environment = try Environment(path: path)
        let tables = try environment.open(layouts)
        var writing = try WriteTransaction(in: environment)
        for (table, (name, layout)) in zip(tables, layouts) {
            var broken: LMDBError?
            if layout == .bytes {
                broken = try transaction.scan(Table(reading: name, layout)) {
                    (key: RawSpan, value) throws(LMDBError) in
                    var bytes = withoutChecksum(value)
                    // The format's number is the one row of four bytes.
                    if value.byteCount == 4 { bytes = [1, 0, 0, 0] }
                    try writing.put(bytes.span.bytes, for: key, in: table)
                    return true
                }
            } else {
                broken = try transaction.scan(Table(reading: name, layout)) {
                    (key: UInt64, value) throws(LMDBError) in
                    try writing.put(withoutChecksum(value).span.bytes, for: key, in: table)
                    return true
                }
            }
            if let broken { throw broken }
        }
        try writing.commit()
    }

    private static func withoutChecksum(_ value: RawSpan) -> [UInt8] {
        value.withUnsafeBytes { Array($0.dropLast(8)) }
    }
}
