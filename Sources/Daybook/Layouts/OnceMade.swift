import Synchronization

/// Value that is computed at its first use and then cached.
final class OnceMade<Value: Sendable>: Sendable {
    private let make: @Sendable () -> Value
    /// The value; `nil` before its first use.
    private let made = Mutex<Value?>(nil)

    init(_ make: @escaping @Sendable () -> Value) {
        self.make = make
    }

    var value: Value {
        if let value = made.withLock({ $0 }) { return value }
        // Computed outside the lock: two threads may compute the value, and the first result is
        // kept.
        let value = make()
        return made.withLock { made in
            made = made ?? value
            return made ?? value
        }
    }
}
