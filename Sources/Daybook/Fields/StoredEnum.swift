import Synchronization

/// One of a closed set of names, stored as its number.
///
///     public enum Condition: UInt8, StoredEnum { case good, worn, damaged }
///
/// Numbers count from 0 in the order of the cases. A case is added at the end and never moved or
/// renamed: its number is what an event holds, its name what people and files say.
public protocol StoredEnum: FieldValue, RawRepresentable<UInt8>, CaseIterable {
    /// The stored name of each case; those of the cases in Swift by default.
    static var names: [String] { get }
}

extension StoredEnum {
    public static var names: [String] { StoredEnumNames.names(of: Self.self) }

    /// The name of the case in JSON.
    public var name: String { Self.names[Int(rawValue)] }

    public init?(name: String) {
        guard let index = Self.names.firstIndex(of: name) else { return nil }
        self.init(rawValue: UInt8(index))
    }

    @inlinable public static var blank: Self { Self(rawValue: 0).orTrap }

    @inlinable
    public static func visit<Visitor: FieldVisitor>(
        _ visitor: inout Visitor, _ value: inout Self
    ) throws(Visitor.Failure) {
        try visitor.storedEnum(&value)
    }
}

extension Optional where Wrapped: StoredEnum {
    /// The case numbered 0, which every stored enum has.
    @inlinable var orTrap: Wrapped {
        guard let self else { preconditionFailure("\(Wrapped.self) has no case numbered 0") }
        return self
    }
}

/// The names of the cases of every stored enum that was asked for, since Swift takes half a
/// microsecond to name a case.
private enum StoredEnumNames {
    private static let known = Mutex<[ObjectIdentifier: [String]]>([:])

    static func names<Value: StoredEnum>(of type: Value.Type) -> [String] {
        let id = ObjectIdentifier(type)
        return known.withLock { known in
            if let names = known[id] { return names }
            let names = Value.allCases.map { String(describing: $0) }
            known[id] = names
            return names
        }
    }
}
