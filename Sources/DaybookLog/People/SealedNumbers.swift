import Daybook

/// The personal integers of one event, which are sealed and encrypted together.
///
/// In the stored payload, a mark of two bytes replaces each integer. For each integer, by ascending
/// offset: the number of bytes in the stored payload between the previous mark (or the start) and
/// its own mark, as LEB128, then the integer's bytes from the original payload.
struct SealedNumbers {
    /// The field number of the integers among the personal texts of the event.
    static let ordinal = UInt32.max

    /// The binary form of all integers added so far.
    private(set) var bytes: [UInt8] = []
    /// The offset after the last mark, in the stored payload.
    private var end = 0

    /// Adds an integer in its binary form.
    ///
    /// - Parameter offset: the offset of the integer's mark in the stored payload.
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

    /// A reader that returns the integers one after another.
    struct Reader {
        private let bytes: [UInt8]
        /// The offset of the next integer in `bytes`.
        private var index: Int
        /// The offset after the last mark, in the stored payload.
        private var end = 0

        /// - Parameter start: the offset of the integers in `bytes`.
        init(_ bytes: [UInt8], from start: Int = 0) {
            self.bytes = bytes
            index = start
        }

        /// Returns the offset of the next mark in the stored payload and the integer's bytes; `nil`
        /// at the end.
        mutating func next() throws(CorruptRecord) -> (offset: Int, integer: ArraySlice<UInt8>)? {
            guard index < bytes.count else { return nil }
            var gap = 0
            // Five bytes are enough for a payload of any size.
            for (place, byte) in try readLEB128(5).enumerated() {
                gap |= Int(byte & 127) << (7 * place)
            }
            let offset = end + gap
            end = offset + ErasedMark.byteCount
            return (offset, try readLEB128(10))
        }

        /// Reads a LEB128 number, which ends with the first byte without the high bit.
        ///
        /// - Parameter most: the maximum number of bytes.
        private mutating func readLEB128(_ most: Int) throws(CorruptRecord) -> ArraySlice<UInt8> {
            let rest = bytes[index...].prefix(most)
            guard let last = rest.firstIndex(where: { $0 < 128 }) else {
                throw .parts(offset: end)
            }
            index = last + 1
            return bytes[rest.startIndex...last]
        }
    }
}
