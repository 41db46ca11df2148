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

/// A table of the Swift names of enum cases, because Swift takes half a microsecond to find one.
///
/// It has no lock: an entry never changes, and stays in its chain once it is there.
@safe private enum StoredEnumNames {
    /// The names of the cases of one enum.
    private final class Entry: Sendable {
        let id: ObjectIdentifier
        let names: [String]
        /// The next entry of the chain.
        let next: Entry?

        init(_ id: ObjectIdentifier, _ names: [String], before next: Entry?) {
            self.id = id
            self.names = names
            self.next = next
        }
    }

    /// The first entry of a chain, which is never freed.
    private typealias Chain = Atomic<Unmanaged<Entry>?>

    private static let chainCount: UInt = 256
    /// The chains, by the address of an enum's type.
    nonisolated(unsafe) private static let chains: UnsafeMutablePointer<Chain> = {
        let chains = UnsafeMutablePointer<Chain>.allocate(capacity: Int(chainCount))
        for index in 0..<Int(chainCount) { unsafe (chains + index).initialize(to: Chain(nil)) }
        return unsafe chains
    }()

    /// Returns the Swift names of an enum's cases, in the order of their numbers.
    static func names<Value: StoredEnum>(of type: Value.Type) -> [String] {
        let id = ObjectIdentifier(type)
        // The addresses of types are multiples of eight.
        let chain = unsafe chains + Int(UInt(bitPattern: id) / 8 % chainCount)
        var first = unsafe chain.pointee.load(ordering: .acquiring)
        var entry = unsafe first?.takeUnretainedValue()
        while let found = entry {
            if found.id == id { return found.names }
            entry = found.next
        }
        let names = Value.allCases.map { String(describing: $0) }
        while true {
            let next = unsafe first?.takeUnretainedValue()
            let new = unsafe Unmanaged.passRetained(Entry(id, names, before: next))
            let result = unsafe chain.pointee.compareExchange(
                expected: first, desired: new, ordering: .acquiringAndReleasing)
            guard unsafe !result.exchanged else { return names }
            unsafe new.release()
            unsafe first = result.original
        }
    }
}
