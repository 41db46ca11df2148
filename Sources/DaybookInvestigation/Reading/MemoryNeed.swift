/// The memory that a command may need for what it keeps of a log or a file.
///
/// Every command reads a log page by page, and the pages do not count: the system takes them back
/// when it needs them. Some commands also keep a state for each entity.
package struct MemoryNeed: Equatable, Sendable {
    /// Description of what is kept, such as `up to 600,000 entities`.
    let kept: String
    /// Largest number of bytes that are kept.
    package let byteCount: Int

    /// Need up to which nothing is said, in bytes.
    private static let smallByteCount = 200_000_000

    /// Creates the need of a command that keeps at most `count` things of `byteCount` bytes each.
    package init(_ kept: String, count: Int, byteCount: Int) {
        self.kept = kept
        let (product, overflows) = count.multipliedReportingOverflow(by: byteCount)
        self.byteCount = overflows ? .max : product
    }

    /// Returns the sentence to show before the command starts; `nil` if there is no reason for one.
    ///
    /// - Parameters:
    ///   - available: the memory that the process can use, in bytes.
    ///   - isWatched: true if a person sees the sentence at once, who then need not wonder.
    package func sentence(available: Int, isWatched: Bool) -> String? {
        guard byteCount > Self.smallByteCount else { return nil }
        let need = "this keeps \(kept) in memory, about \(Self.text(byteCount))"
        guard byteCount < available / 2 else {
            return need + "; the machine has \(Self.text(available))"
        }
        return isWatched ? need : nil
    }

    /// Returns a number of bytes in gigabytes with one decimal.
    private static func text(_ byteCount: Int) -> String {
        let tenths = byteCount / 100_000_000
        return "\(tenths / 10).\(tenths % 10) GB"
    }
}
