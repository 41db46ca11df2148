/// The old and the new encryption key of a person who loses only some texts.
struct KeyChange {
    /// The key that the erasure overwrites in the file.
    var old: PersonKey
    /// The new key; `nil` if no slot is reserved for it yet.
    var new: PersonKey?
    /// The slot of the new key; 0 if none is reserved yet.
    var newSlot: UInt32 = 0
}
