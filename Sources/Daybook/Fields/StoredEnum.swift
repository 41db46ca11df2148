import Synchronization

/// An enum whose cases are numbers in stored events, and names in JSON and other texts.
///
///     public enum Condition: UInt8, StoredEnum { case good, worn, damaged }
///
/// Numbers count from 0 in the order of the cases. New cases are added at the end. A case is never
/// moved or renamed, because events store its number, and files contain its name.
public protocol StoredEnum: FieldValue, RawRepresentable<UInt8>, CaseIterable {
    /// The names of the cases, in the order of their numbers; by default the names in Swift.
    static var names: [String] { get }
}

extension StoredEnum {
    /// The names of the cases in Swift, by default.
    public static var names: [String] { StoredEnumNames.names(of: Self.self) }

    /// The name of the case in JSON.
    public var name: String { Self.names[Int(rawValue)] }

    /// Creates the case with a name; `nil` if there is no such case.
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

/// A cache of the names of stored enums' cases, because Swift takes half a microsecond per name.
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
