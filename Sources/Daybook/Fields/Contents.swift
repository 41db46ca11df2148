/// Views of the memory of texts and arrays, on every system release that has `Span`.
///
/// The views of the standard library (`Array.span`, `String.utf8Span`, `UTF8Span`) need macOS 26 or
/// another Apple system of the same year, and are used if available. On systems that are not
/// Apple's, the views are always available, so the compiler omits the check.
extension Array {
    /// A view of the elements, without a copy.
    @inlinable package var contents: Span<Element> {
        @_lifetime(borrow self)
        get {
            if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
                return span
            }
            return contentsBefore26
        }
    }

    /// A view of the elements, without a copy, for releases before macOS 26.
    ///
    /// The elements of an array lie in one block of memory, which lives as long as the array is
    /// borrowed. Arrays of Objective-C objects are an exception, but the package has none.
    @usableFromInline package var contentsBefore26: Span<Element> {
        @_lifetime(borrow self)
        get {
            let elements = unsafe withUnsafeBufferPointer { unsafe $0 }
            return unsafe _overrideLifetime(Span(_unsafeElements: elements), borrowing: self)
        }
    }
}

extension String {
    /// True if all bytes of the text are known to be below 128; false may also mean unknown.
    @inlinable package var isKnownASCII: Bool {
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else {
            return false
        }
        return utf8Span.isKnownASCII
    }

    /// Calls `body`, which throws no error, with the UTF-8 bytes of the text.
    @inlinable package func withUTF8Bytes<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
        var text = self
        return text.withUTF8 { body(unsafe Span(_unsafeElements: $0)) }
    }

    /// Calls `body` with the UTF-8 bytes of the text, without a copy if possible.
    ///
    /// `utf8Span` is not used, because optimised code of Swift 6.3 may free the stack copy of a
    /// text of up to 15 bytes while a function still reads the span of the text.
    @inlinable package func withUTF8Bytes<Result, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var text = self
        return try text.withUTF8 { bytes in
            do throws(Failure) {
                return Swift.Result<Result, Failure>.success(
                    try body(unsafe Span(_unsafeElements: bytes)))
            } catch {
                return .failure(error)
            }
        }.get()
    }

    /// Creates a text from a copy of its UTF-8 bytes; `nil` if the bytes are not valid UTF-8.
    @inlinable package init?(copyingUTF8 bytes: Span<UInt8>) {
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
            if bytes.isASCII {
                self.init(copying: unsafe UTF8Span(unchecked: bytes, isKnownASCII: true))
                return
            }
            // Three times as fast as String(validating:as:).
            guard let valid = try? UTF8Span(validating: bytes) else { return nil }
            self.init(copying: valid)
        } else {
            self.init(copyingUTF8Before26: bytes)
        }
    }

    /// Creates a text as `init(copyingUTF8:)` does, for releases before macOS 26.
    @usableFromInline package init?(copyingUTF8Before26 bytes: Span<UInt8>) {
        let text = unsafe bytes.withUnsafeBufferPointer { buffer in
            unsafe String(validating: buffer, as: UTF8.self)
        }
        guard let text else { return nil }
        self = text
    }

    /// True if the UTF-8 of the text sorts before that of `other`, alike in every locale.
    @usableFromInline package func precedesByBytes(_ other: String) -> Bool {
        withUTF8Bytes { own in other.withUTF8Bytes { own.precedes($0) } }
    }
}

extension Span<UInt8> {
    /// True if all bytes are below 128.
    @inlinable @inline(__always) package var isASCII: Bool {
        unsafe withUnsafeBytes { bytes in
            guard bytes.count >= 8 else { return unsafe bytes.allSatisfy { $0 < 0x80 } }
            // Eight bytes at a time; the last eight bytes may overlap the bytes before them.
            var word: UInt64 = 0
            var offset = 0
            while offset + 8 <= bytes.count {
                word |= unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                offset += 8
            }
            word |= unsafe bytes.loadUnaligned(fromByteOffset: bytes.count - 8, as: UInt64.self)
            return word & 0x8080_8080_8080_8080 == 0
        }
    }

    /// True if the bytes are valid UTF-8.
    package var isUTF8: Bool {
        if isASCII { return true }
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
            return (try? UTF8Span(validating: self)) != nil
        }
        return String(copyingUTF8Before26: self) != nil
    }

    /// True if the bytes sort before the bytes of `other`, compared byte by byte.
    func precedes(_ other: Span<UInt8>) -> Bool {
        unsafe withUnsafeBytes { own in
            unsafe other.withUnsafeBytes { other in
                let count = min(own.count, other.count)
                var offset = 0
                // Compares eight bytes at a time as a number whose first byte is the highest.
                while offset + 8 <= count {
                    let a = unsafe own.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                    let b = unsafe other.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                    guard a == b else { return a.bigEndian < b.bigEndian }
                    offset += 8
                }
                while offset < count {
                    guard unsafe own[offset] == other[offset] else {
                        return unsafe own[offset] < other[offset]
                    }
                    offset += 1
                }
                return own.count < other.count
            }
        }
    }
}

extension Array {
    /// Returns the elements sorted by the UTF-8 bytes of the text that `text` returns for each.
    ///
    /// Elements with equal texts keep their order. This is faster than a sort that compares whole
    /// texts: it compares the eight bytes after the common prefix of all texts, which usually
    /// differ.
    @inlinable package func sortedByBytes(of text: (Element) -> String) -> [Element] {
        guard let first = self.first.map(text) else { return [] }
        let start = first.withUTF8Bytes { bytes in
            reduce(bytes.count) { start, element in
                text(element).withUTF8Bytes { $0.commonPrefixCount(with: bytes, atMost: start) }
            }
        }
        var keys = indices.map { index in
            (word: text(self[index]).withUTF8Bytes { $0.word(from: start) }, index: index)
        }
        keys.sort { a, b in
            guard a.word == b.word else { return a.word < b.word }
            let (first, second) = (text(self[a.index]), text(self[b.index]))
            if first.precedesByBytes(second) { return true }
            return a.index < b.index && !second.precedesByBytes(first)
        }
        return keys.map { self[$0.index] }
    }
}

extension Span<UInt8> {
    /// Returns the number of bytes at the start that both spans share, at most `limit`.
    @usableFromInline func commonPrefixCount(with other: Span<UInt8>, atMost limit: Int) -> Int {
        let end = Swift.min(limit, count, other.count)
        var index = 0
        while index < end, self[index] == other[index] { index += 1 }
        return index
    }

    /// Returns the eight bytes from `start` as a big-endian integer, with zeros for missing bytes.
    @usableFromInline func word(from start: Int) -> UInt64 {
        var word: UInt64 = 0
        for index in start..<start + 8 {
            word = word << 8 | (index < count ? UInt64(self[index]) : 0)
        }
        return word
    }
}

extension [UInt8] {
    /// Appends the decimal digits of a number, after a minus sign if it is negative.
    @inlinable package mutating func appendDecimal(_ number: Int64) {
        append(addingCapacity: 20) { $0.append(decimal: number) }
    }
}

extension OutputSpan<UInt8> {
    /// Appends bytes, for which there must be room.
    @inlinable @inline(__always) package mutating func append(contentsOf bytes: Span<UInt8>) {
        precondition(bytes.count <= freeCapacity)
        unsafe withUnsafeMutableBufferPointer { room, count in
            let rest = unsafe UnsafeMutableRawBufferPointer(
                rebasing: UnsafeMutableRawBufferPointer(room)[count...])
            unsafe bytes.withUnsafeBytes { unsafe rest.copyMemory(from: $0) }
            count += bytes.count
        }
    }
}

extension RawSpan {
    /// True if both spans contain the same bytes.
    @inlinable @inline(__always) package func isEqual(to other: RawSpan) -> Bool {
        guard byteCount == other.byteCount else { return false }
        var offset = 0
        while offset + 8 <= byteCount {
            let word = unsafe unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self)
            guard
                unsafe word == other.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self)
            else { return false }
            offset += 8
        }
        while offset < byteCount {
            let byte = unsafe unsafeLoad(fromByteOffset: offset, as: UInt8.self)
            guard unsafe byte == other.unsafeLoad(fromByteOffset: offset, as: UInt8.self) else {
                return false
            }
            offset += 1
        }
        return true
    }
}
