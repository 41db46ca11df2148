/// A value with many parts, such as a list, whose versions share the memory of unchanged parts.
public protocol SharedParts: FieldValue {
    /// The number of parts.
    var count: Int { get }

    /// True if both values share all parts; they are then equal.
    ///
    /// False does not mean that the values differ.
    func isShared(with other: Self) -> Bool

    /// True if the parts take more than `byteCount` bytes in binary form.
    ///
    /// Visits only as many parts as needed to exceed `byteCount`.
    func isLonger(than byteCount: Int) -> Bool

    /// Returns the innermost fields that differ, without visiting shared parts.
    ///
    /// Neither value may be empty.
    ///
    /// - Parameter path: the path of both values.
    static func changes(from before: Self, to after: Self, path: String) -> [FieldChange]
}

extension SharedParts {
    /// True if `other` has the same type, and shares all parts with this value.
    func isSharedAny(with other: any SharedParts) -> Bool {
        (other as? Self).map(isShared) ?? false
    }

    /// The value in binary form.
    var bytes: [UInt8] { BinaryWriter.bytes(self) }

    /// True if the binary form has at most `byteCount` bytes.
    func fits(in byteCount: Int) -> Bool {
        !isLonger(than: byteCount) && bytes.count <= byteCount
    }
}
