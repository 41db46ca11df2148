import DaybookLibC

/// Random bytes of the system, which are fetched 256 at a time.
///
/// A call of the kernel costs more than the bytes. No byte is handed out twice; a value must not be
/// used after a fork, because the child would get the same bytes as its parent.
public struct RandomBytes: ~Copyable {
    /// The largest number of bytes that `getentropy` fills in one call.
    private static let fetchedByteCount = 256
    private var bytes = [UInt8](repeating: 0, count: fetchedByteCount)
    /// The number of `bytes` that have been handed out.
    private var usedCount = fetchedByteCount

    /// Creates a value that fetches its first bytes when they are needed.
    public init() {}

    /// Appends random bytes to `target`.
    public mutating func append(_ count: Int, to target: inout [UInt8]) {
        var missing = count
        while missing > 0 {
            if usedCount == bytes.count {
                Self.fill(&bytes)
                usedCount = 0
            }
            let next = min(missing, bytes.count - usedCount)
            target.append(contentsOf: bytes[usedCount..<usedCount + next])
            usedCount += next
            missing -= next
        }
    }

    /// Returns at most 256 random bytes, fetched for this call.
    public static func fresh(_ count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        fill(&bytes)
        return bytes
    }

    /// Replaces at most 256 bytes by random ones.
    private static func fill(_ bytes: inout [UInt8]) {
        #if canImport(Darwin)
            bytes.withUnsafeMutableBytes { arc4random_buf($0.baseAddress, $0.count) }
        #else
            let result = bytes.withUnsafeMutableBytes { getentropy($0.baseAddress, $0.count) }
            // Fails only on a system without a source of random bytes.
            guard result == 0 else { preconditionFailure("the system gives no random bytes") }
        #endif
    }
}
