import Daybook

/// The personal integers of one event, which are encrypted together as one personal text.
///
/// In the stored payload, a placeholder of two bytes replaces each integer. The binary form
/// contains for each integer, by ascending offset: the number of payload bytes between the previous
/// placeholder (or the start) and its own placeholder, in LEB128, then the integer's bytes from the
/// original payload.
struct SealedNumbers {
    /// The index that stands for the integers among the personal texts of an event.
    static let ordinal = UInt32.max

    /// The binary form of all integers that were added.
    private(set) var bytes: [UInt8] = []
    /// The offset in the stored payload after the last integer's placeholder.
    private var endOfLastPlaceholder = 0

    /// Adds an integer, given by its bytes in the original payload.
    ///
    /// - Parameter offset: the offset of the integer's placeholder in the stored payload.
    mutating func append(_ integer: ArraySlice<UInt8>, at offset: Int) {
        var gap = offset - endOfLastPlaceholder
        while gap > 127 {
            bytes.append(UInt8(truncatingIfNeeded: gap) | 128)
            gap >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: gap))
        bytes += integer
        endOfLastPlaceholder = offset + ErasedMark.byteCount
    }

    /// A reader of the binary form, which returns the integers one after another.
    struct Reader {
        /// The position of the event that has the integers.
        private let position: UInt64
        private let bytes: [UInt8]
        /// The offset of the next integer in `bytes`.
        private var index: Int
        /// The offset in the stored payload after the last integer's placeholder.
        private var endOfLastPlaceholder = 0

        /// Creates a reader of the integers.
        ///
        /// - Parameter start: the offset at which the binary form begins in `bytes`.
        init(_ bytes: [UInt8], from start: Int = 0, ofEventAt position: UInt64) {
            self.position = position
            self.bytes = bytes
            index = start
        }

        /// Returns the offset of the next integer's placeholder in the stored payload, and the
        /// bytes of the integer; `nil` after the last integer.
        mutating func next() throws(LogError) -> (offset: Int, integer: ArraySlice<UInt8>)? {
            guard index < bytes.count else { return nil }
            var gap = 0
            // Five bytes are enough for a payload of any size.
            for (place, byte) in try readLEB128(5).enumerated() {
                gap |= Int(byte & 127) << (7 * place)
            }
            let offset = endOfLastPlaceholder + gap
            endOfLastPlaceholder = offset + ErasedMark.byteCount
            return (offset, try readLEB128(10))
        }

        /// Reads the bytes of a LEB128 number, which ends with the first byte without the high bit.
        ///
        /// - Parameter most: the maximum number of bytes in a valid number.
        private mutating func readLEB128(_ most: Int) throws(LogError) -> ArraySlice<UInt8> {
            let rest = bytes[index...].prefix(most)
            guard let last = rest.firstIndex(where: { $0 < 128 }) else {
                throw .corrupt(
                    table: "events", key: position, .parts(offset: endOfLastPlaceholder))
            }
            index = last + 1
            return bytes[rest.startIndex...last]
        }
    }
}
