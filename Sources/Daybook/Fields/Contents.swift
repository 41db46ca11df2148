/// Views of texts and arrays in place, on every release that has `Span` itself.
///
/// The library's own (`Array.span`, `String.utf8Span`, `UTF8Span`) need macOS 26 and its siblings.
/// They are used where they are there, which the compiler knows without asking on other systems.
extension Array {
    /// The elements in place.
    @inlinable
    package var contents: Span<Element> {
        @_lifetime(borrow self)
        get {
            if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
                return span
            }
            return contentsBefore26
        }
    }

    /// The same, as earlier releases have it.
    ///
    /// The storage of an array is one block that lives as long as the array is borrowed. Arrays of
    /// objects that Objective-C made would be another matter; the package has none.
    @usableFromInline
    package var contentsBefore26: Span<Element> {
        @_lifetime(borrow self)
        get {
            let elements = unsafe withUnsafeBufferPointer { unsafe $0 }
            return unsafe _overrideLifetime(Span(_unsafeElements: elements), borrowing: self)
        }
    }
}

extension String {
    /// True for a text that is marked as one of bytes below 128 alone.
    @inlinable
    package var isKnownASCII: Bool {
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else {
            return false
        }
        return utf8Span.isKnownASCII
    }

    /// Shows the text's UTF-8 in place.
    @inlinable
    package func withUTF8Bytes<Result, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
            return try body(utf8Span.span)
        }
        return try withUTF8BytesBefore26(body)
    }

    /// The same, as earlier releases have it.
    @usableFromInline
    package func withUTF8BytesBefore26<Result, Failure: Error>(
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

    /// A copy of bytes that are UTF-8; `nil` for others.
    @inlinable
    package init?(copyingUTF8 bytes: Span<UInt8>) {
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

    /// The same, as earlier releases have it.
    @usableFromInline
    package init?(copyingUTF8Before26 bytes: Span<UInt8>) {
        let text = unsafe bytes.withUnsafeBufferPointer { buffer in
            unsafe String(validating: buffer, as: UTF8.self)
        }
        guard let text else { return nil }
        self = text
    }
}

extension Span<UInt8> {
    /// True for bytes below 128 alone.
    @inlinable @inline(__always)
    package var isASCII: Bool {
        unsafe withUnsafeBytes { bytes in
            guard bytes.count >= 8 else { return unsafe bytes.allSatisfy { $0 < 0x80 } }
            // Eight bytes at a time; the last eight may overlap those before them.
            var word: UInt64 = 0
            var offset = 0
            while offset + 8 <= bytes.count {
                word |= unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                offset += 8
            }
            word |= unsafe bytes.loadUnaligned(
                fromByteOffset: bytes.count - 8, as: UInt64.self)
            return word & 0x8080_8080_8080_8080 == 0
        }
    }
}
