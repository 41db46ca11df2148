import Synchronization

/// An enum whose cases are numbers in stored events, and names in JSON and other texts.
///
///     public enum Condition: UInt8, StoredEnum { case good, worn, damaged }
///
/// The cases are numbered from 0 in their order. New cases are added at the end. A case must never
/// be moved or renamed, because events contain its number and files its name.
public protocol StoredEnum: FieldValue, Hashable, RawRepresentable<UInt8>, CaseIterable {
    /// The names of the cases in JSON, in the order of their numbers; by default their Swift names.
    static var names: [String] { get }
}

extension StoredEnum {
    public static var names: [String] { StoredEnumNames.names(of: Self.self) }

    /// The name of the case in JSON.
    public var name: String { Self.names[Int(rawValue)] }

    /// Creates the case with a name; `nil` if there is no such case.
    public init?(name: String) {
        guard let index = Self.names.firstIndex(of: name) else { return nil }
        self.init(rawValue: UInt8(index))
    }

    @inlinable public static var blank: Self { Self(rawValue: 0).caseOrTrap }

    @inlinable public static func visit<Visitor: FieldVisitor>(
        _ visitor: inout Visitor, _ value: inout Self
    ) throws(Visitor.Failure) {
        try visitor.storedEnum(&value)
    }
}

extension Optional where Wrapped: StoredEnum {
    /// The case looked up by the number 0, which every stored enum has; traps if there is none.
    @inlinable var caseOrTrap: Wrapped {
        guard let self else { preconditionFailure("\(Wrapped.self) has no case numbered 0") }
        return self
    }
}

/// A cache of the Swift names of enum cases, because Swift takes half a microsecond to find one.
private enum StoredEnumNames {
    /// The names of the cases of each enum used so far, by the enum's type.
    private static let cache = Mutex<[ObjectIdentifier: [String]]>([:])

    /// Returns the Swift names of an enum's cases, in the order of their numbers.
    static func names<Value: StoredEnum>(of type: Value.Type) -> [String] {
        let id = ObjectIdentifier(type)
        return cache.withLock { cache in
            if let names = cache[id] { return names }
            let names = Value.allCases.map { String(describing: $0) }
            cache[id] = names
            return names
        }
    }
}
