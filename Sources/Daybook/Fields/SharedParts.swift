/// A value that may grow large, of which two versions share what is the same in both.
public protocol SharedParts: FieldValue {
    /// The number of its parts.
    var count: Int { get }

    /// True where it shares everything with the other, which is then equal.
    func isShared(with other: Self) -> Bool

    /// True where the parts alone take more than so many bytes; looks at no more of them than that.
    func isLonger(than byteCount: Int) -> Bool

    /// The leaves that differ, found without looking at what is shared.
    ///
    /// Neither is empty.
    static func changes(from before: Self, to after: Self, path: String) -> [FieldChange]
}

extension SharedParts {
    func isSharedAny(with other: any SharedParts) -> Bool {
        (other as? Self).map(isShared) ?? false
    }

    /// The binary form.
    var bytes: [UInt8] { BinaryWriter.bytes(self) }

    /// True where the binary form has at most so many bytes.
    func fits(in byteCount: Int) -> Bool {
        !isLonger(than: byteCount) && bytes.count <= byteCount
    }
}
