import Synchronization

/// A value that is computed at its first use and then cached.
final class LazyValue<Value: Sendable>: Sendable {
    /// Computes the value.
    private let make: @Sendable () -> Value
    /// The computed value; `nil` before its first use.
    private let cachedValue = Mutex<Value?>(nil)

    init(_ make: @escaping @Sendable () -> Value) {
        self.make = make
    }

    /// The value, which the first access computes.
    var value: Value {
        if let value = cachedValue.withLock({ $0 }) { return value }
        // Computed outside the lock: two threads may compute the value, and the first result is
        // kept.
        let value = make()
        return cachedValue.withLock { cached in
            cached = cached ?? value
            return cached ?? value
        }
    }
}
