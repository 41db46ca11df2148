/// A collection of many elements, whose versions share the memory of unchanged elements.
///
/// Comparisons skip the shared elements, called parts.
public protocol SharedParts: FieldValue {
    /// The number of elements.
    var count: Int { get }

    /// True if both values share the memory of all parts; if not, they may still be equal.
    func isShared(with other: Self) -> Bool

    /// True if the binary form of the parts has over `byteCount` bytes; visits no more than needed.
    func isLonger(than byteCount: Int) -> Bool
}

/// A collection with shared parts whose versions are compared without visiting these parts.
package protocol ComparedParts: SharedParts {
    /// Returns the innermost fields that differ between two values, without visiting shared parts.
    ///
    /// Neither value may be empty. `path` is that of both values, and `redaction` hides values.
    static func changes(
        from before: Self, to after: Self, path: String, _ redaction: Redaction?
    ) -> [FieldChange]
}

extension SharedParts {
    /// True if `other` has the same type and shares the memory of all parts with this value.
    func isShared(withAny other: any SharedParts) -> Bool {
        (other as? Self).map(isShared) ?? false
    }

    /// The value in binary form.
    var bytes: [UInt8] { BinaryWriter.bytes(self) }

    /// True if the binary form of the value has at most `byteCount` bytes.
    func fits(in byteCount: Int) -> Bool { !isLonger(than: byteCount) && bytes.count <= byteCount }
}
