import Synchronization

/// A value that is computed at its first use and then cached.
final class LazyValue<Value: Sendable>: Sendable {
    /// Computes the value.
    private let make: @Sendable () -> Value
    /// The computed value; empty before its first use.
    private let cache = AtomicLazyReference<Box>()

    /// A computed value, as an object that can be stored atomically.
    private final class Box: Sendable {
        let value: Value

        init(_ value: Value) { self.value = value }
    }

    init(_ make: @escaping @Sendable () -> Value) {
        self.make = make
    }

    /// The value, which the first access computes.
    ///
    /// Two threads may compute the value; the first result is kept.
    var value: Value { (cache.load() ?? cache.storeIfNil(Box(make()))).value }

    /// A copy without a cached value, which shares no computed object with the original.
    var unshared: LazyValue { LazyValue(make) }
}
