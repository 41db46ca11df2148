extension RawSpan {
    /// True if all bytes are below 128.
    var isASCII: Bool {
        var offset = 0
        while offset + 8 <= byteCount {
            if integer(at: offset, as: UInt64.self) & 0x8080_8080_8080_8080 != 0 { return false }
            offset += 8
        }
        while offset < byteCount {
            if integer(at: offset, as: UInt8.self) > 127 { return false }
            offset += 1
        }
        return true
    }
}
