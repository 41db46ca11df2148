#if canImport(Darwin)
    import CoreFoundation
#else
    @_spi(_Unicode) import Swift
#endif

extension String {
    /// The text in Unicode normalisation form C, in which equivalent texts have equal bytes.
    package var nfc: String { isASCII ? self : composed }

    /// True if the text is in Unicode normalisation form C.
    package var isNFC: Bool { isASCII || utf8.elementsEqual(composed.utf8) }

    /// True if all characters are ASCII, so that the text is the same in every normalisation form.
    package var isASCII: Bool { isKnownASCII || utf8.allSatisfy { $0 < 0x80 } }

    /// The text in Unicode normalisation form C, computed even if the text is in that form already.
    private var composed: String {
        #if canImport(Darwin)
            // Apple's SDK does not offer the standard library's normalisation.
            let text = CFStringCreateMutable(nil, 0)
            let units = Array(utf16)
            unsafe CFStringAppendCharacters(text, units, units.count)
            CFStringNormalize(text, .C)
            let count = CFStringGetLength(text)
            var composed = [UniChar](repeating: 0, count: count)
            unsafe CFStringGetCharacters(text, CFRange(location: 0, length: count), &composed)
            return String(decoding: composed, as: UTF16.self)
        #else
            var scalars = String.UnicodeScalarView()
            scalars.append(contentsOf: _nfc)
            return String(scalars)
        #endif
    }
}
