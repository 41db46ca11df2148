import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#endif

/// Functions that run closures on several threads at once.
package enum Threads {
    /// The stack size of each started thread, 8 MiB; most systems give the main thread the same.
    private static let stackSize = 8 << 20

    /// Calls `body` in parallel with each number from 0 to `count` - 1, and waits for all calls.
    ///
    /// The call with 0, and each for which the system cannot start a thread, runs on the calling
    /// thread. Dispatch is not used: it traps if it cannot get two more file descriptors.
    package static func perform(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
        guard count > 0 else { return }
        perform(beside: count - 1, { body($0 + 1) }, { body(0) })
    }

    /// Calls `body` on separate threads with each number from 0 to `count` - 1, calls `callerBody`
    /// on the calling thread meanwhile, and waits for all calls.
    ///
    /// If the system cannot start a thread, its call of `body` runs on the calling thread first.
    package static func perform(
        beside count: Int, _ body: @escaping @Sendable (Int) -> Void, _ callerBody: () -> Void
    ) {
        var threads: [pthread_t] = []
        for index in 0..<count {
            if let thread = start({ body(index) }) {
                threads.append(thread)
            } else {
                body(index)
            }
        }
        callerBody()
        for thread in threads { _ = pthread_join(thread, nil) }
    }

    /// Calls `body` with each index, and waits for all calls.
    ///
    /// A core that is free makes the next call, so that one long call does not delay the others.
    package static func forEach(in indices: [Int], _ body: @escaping @Sendable (Int) -> Void) {
        let remaining = Mutex(indices[...])
        perform(min(coreCount, indices.count)) { _ in
            while let index = remaining.withLock({ $0.popFirst() }) { body(index) }
        }
    }

    /// Returns the results of `body` for the numbers from 0 to `count` - 1, computed in parallel.
    package static func map<Result: Sendable>(
        _ count: Int, _ body: @escaping @Sendable (Int) -> Result
    ) -> [Result] {
        let results = Mutex([Result?](repeating: nil, count: count))
        perform(count) { index in
            let result = body(index)
            results.withLock { $0[index] = result }
        }
        return results.withLock { $0.compactMap(\.self) }
    }

    /// Returns the results of `body` for stretches of the numbers below `count`, one after the other,
    /// computed in parallel if there are many numbers.
    ///
    /// Threads that share reference counts wait for each other, so `body` should use objects of its
    /// own.
    package static func joined<Result: Sendable>(
        _ count: Int, _ body: @escaping @Sendable (Range<Int>) -> [Result]
    ) -> [Result] {
        let stretches = max(1, min(coreCount, count / 1_024))
        let results = map(stretches) { body(count * $0 / stretches..<count * ($0 + 1) / stretches) }
        return results.count == 1 ? results[0] : Array(results.joined())
    }

    /// Number of online processor cores; 1 if the process's address space is limited.
    ///
    /// Each thread reserves some 70 MiB of address space, which a limit may not allow.
    package static var coreCount: Int {
        guard addressSpaceLimit == nil else { return 1 }
        return max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    }

    /// Number of bytes of the machine's memory, or fewer if the process's address space is limited.
    package static var memoryByteCount: Int {
        let (bytes, overflows) = max(0, sysconf(Int32(_SC_PHYS_PAGES)))
            .multipliedReportingOverflow(by: max(1, sysconf(Int32(_SC_PAGESIZE))))
        return min(overflows ? .max : bytes, addressSpaceLimit ?? .max)
    }

    /// Largest size of the process's address space in bytes; `nil` without a limit.
    private static var addressSpaceLimit: Int? {
        var limit = rlimit()
        #if canImport(Glibc)
            let isRead = unsafe getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0
        #else
            let isRead = unsafe getrlimit(RLIMIT_AS, &limit) == 0
        #endif
        return isRead && limit.rlim_cur != rlim_t.max ? Int(clamping: limit.rlim_cur) : nil
    }

    /// A number of the calling thread, which no other thread has while it runs; never 0.
    package static var current: UInt {
        #if canImport(Glibc)
            pthread_self()
        #elseif canImport(Android)
            UInt(bitPattern: pthread_self())
        #else
            unsafe UInt(bitPattern: pthread_self())
        #endif
    }

    /// Calls `body` on a thread that nobody waits for; returns `false` if the system starts none.
    @discardableResult package static func detach(_ body: @escaping @Sendable () -> Void) -> Bool {
        guard let thread = start(body) else { return false }
        pthread_detach(thread)
        return true
    }

    /// The body of a thread, boxed so that a C pointer can refer to it.
    private final class Work: Sendable {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) { self.body = body }

        /// Runs the body in the box that a C pointer refers to, and releases the box.
        static func run(_ work: UnsafeMutableRawPointer) {
            unsafe Unmanaged<Work>.fromOpaque(work).takeRetainedValue().body()
        }
    }

    /// Starts a thread that calls `body` and must be joined or detached; `nil` if that fails.
    private static func start(_ body: @escaping @Sendable () -> Void) -> pthread_t? {
        var attributes = pthread_attr_t()
        unsafe pthread_attr_init(&attributes)
        defer { unsafe pthread_attr_destroy(&attributes) }
        unsafe pthread_attr_setstacksize(&attributes, stackSize)
        let work = unsafe Unmanaged.passRetained(Work(body))
        #if canImport(Darwin)
            var thread: pthread_t?
            let error = unsafe pthread_create(
                &thread, &attributes,
                { (work) in
                    unsafe Work.run(work)
                    return nil
                }, work.toOpaque())
        #else
            var thread = pthread_t()
            let error = unsafe pthread_create(
                &thread, &attributes,
                { (work) in
                    if let work = unsafe work { unsafe Work.run(work) }
                    return nil
                }, work.toOpaque())
        #endif
        guard error == 0 else {
            unsafe work.release()
            return nil
        }
        return thread
    }
}

/// A mutex with a condition variable.
@safe package final class Monitor: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    package init() {
        unsafe pthread_mutex_init(mutex, nil)
        unsafe pthread_cond_init(condition, nil)
    }

    deinit {
        unsafe pthread_cond_destroy(condition)
        unsafe pthread_mutex_destroy(mutex)
        unsafe condition.deallocate()
        unsafe mutex.deallocate()
    }

    package func lock() { unsafe pthread_mutex_lock(mutex) }
    package func unlock() { unsafe pthread_mutex_unlock(mutex) }

    /// Releases the mutex until another thread calls `wakeAll`, and then acquires it again.
    package func wait() { unsafe pthread_cond_wait(condition, mutex) }

    /// Waits like `wait()`, until `deadline` on the wall clock. Returns `false` at the deadline.
    package func wait(until deadline: timespec) -> Bool {
        var deadline = deadline
        return unsafe pthread_cond_timedwait(condition, mutex, &deadline) != ETIMEDOUT
    }

    /// Waits like `wait()`, but at most for `duration` or about a second; then returns `false`.
    @discardableResult package func wait(atMost duration: Duration) -> Bool {
        let (seconds, fraction) = duration.components
        var deadline = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &deadline)
        // The wall clock may be set meanwhile, so callers loop and check a monotonic clock.
        deadline.tv_sec += min(Int(clamping: seconds), 1)
        deadline.tv_nsec += seconds > 0 ? 0 : Int(fraction / 1_000_000_000)
        if deadline.tv_nsec >= 1_000_000_000 {
            deadline.tv_sec += 1
            deadline.tv_nsec -= 1_000_000_000
        }
        return wait(until: deadline)
    }

    package func wakeAll() { unsafe pthread_cond_broadcast(condition) }
}
