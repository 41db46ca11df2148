import Daybook

/// The integers about people of one event, which are sealed and encrypted together.
///
/// For each, by ascending offset: how many bytes of the stored payload lie between the mark before
/// and its own, as LEB128, then its bytes as they were in the payload.
struct SealedNumbers {
    /// Number of the field that they count as among the personal texts of the event.
    static let ordinal = UInt32.max

    private(set) var bytes: [UInt8] = []
    /// Offset behind the last mark.
    private var end = 0

    /// Adds an integer in its binary form.
    ///
    /// - Parameter offset: that of its mark in the stored payload.
    mutating func append(_ integer: ArraySlice<UInt8>, at offset: Int) {
        var gap = offset - end
        while gap > 127 {
            bytes.append(UInt8(truncatingIfNeeded: gap) | 128)
            gap >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: gap))
        bytes += integer
        end = offset + ErasedMark.byteCount
    }

    /// Takes the integers out again, one after another.
    struct Reader {
        private let bytes: [UInt8]
        private var index: Int
        private var end = 0

        /// - Parameter start: where they begin in `bytes`.
        init(_ bytes: [UInt8], from start: Int = 0) {
            self.bytes = bytes
            index = start
        }

        /// The offset of the next mark in the stored payload, and the bytes that belong there;
        /// `nil` at the end.
        mutating func next() throws(CorruptRecord) -> (offset: Int, integer: ArraySlice<UInt8>)? {
            guard index < bytes.count else { return nil }
            var gap = 0
            // Enough for a payload of any size.
            for (place, byte) in try take(5).enumerated() { gap |= Int(byte & 127) << (7 * place) }
            let offset = end + gap
            end = offset + ErasedMark.byteCount
            return (offset, try take(10))
        }

        /// The next LEB128, whose last byte is its first without the high bit.
        private mutating func take(_ most: Int) throws(CorruptRecord) -> ArraySlice<UInt8> {
            let rest = bytes[index...].prefix(most)
            guard let last = rest.firstIndex(where: { $0 < 128 }) else {
                throw .parts(offset: end)
            }
            index = last + 1
            return bytes[rest.startIndex...last]
        }
    }
}
