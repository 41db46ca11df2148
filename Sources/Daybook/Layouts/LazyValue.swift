import Synchronization

/// A value that is computed at its first use and then cached.
@usableFromInline final class LazyValue<Value: Sendable>: Sendable {
    /// Computes the value.
    private let make: @Sendable () -> Value
    /// True once `made` has its final value.
    private let isMade = Atomic<Bool>(false)
    /// Guards the only write of `made`.
    private let lock = Mutex<Void>(())
    /// The computed value; `nil` before its first use.
    nonisolated(unsafe) private var made: Value?

    init(_ make: @escaping @Sendable () -> Value) {
        self.make = make
    }

    /// The value, which the first access computes.
    ///
    /// Two threads may compute the value; the first result is kept.
    var value: Value {
        if isMade.load(ordering: .acquiring), let made = unsafe made { return made }
        let value = make()
        return lock.withLock { _ in
            if let made = unsafe made { return made }
            unsafe made = value
            isMade.store(true, ordering: .releasing)
            return value
        }
    }

    /// A copy without a cached value, which shares no computed object with the original.
    var unshared: LazyValue { LazyValue(make) }
}
