import Synchronization

/// A value that is made when it is first needed, and kept.
final class OnceMade<Value: Sendable>: Sendable {
    private let make: @Sendable () -> Value
    private let made = Mutex<Value?>(nil)

    init(_ make: @escaping @Sendable () -> Value) {
        self.make = make
    }

    var value: Value {
        if let value = made.withLock({ $0 }) { return value }
        // Made outside the lock: two threads may make it, and one of both is kept.
        let value = make()
        return made.withLock { made in
            made = made ?? value
            return made ?? value
        }
    }
}
