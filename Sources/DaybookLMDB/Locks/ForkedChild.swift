import DaybookLibC
import Synchronization

/// Descriptors that a forked child closes at once.
///
/// A child shares the open file descriptions of its parent, so that locks on them would outlive the
/// parent for as long as the child lives. Programs started with `posix_spawn` share none, since all
/// descriptors are closed on execution.
enum ForkedChild {
    private static let capacity = 1_024
    /// -1 where free. Read without a lock by the child, in which no other thread runs.
    private nonisolated(unsafe) static let slots: UnsafeMutablePointer<CInt> = {
        let slots = UnsafeMutablePointer<CInt>.allocate(capacity: capacity)
        slots.initialize(repeating: -1, count: capacity)
        return slots
    }()
    private static let turn = Mutex(())

    private static let isInstalled: Bool = {
        _ = slots
        return pthread_atfork(
            nil, nil,
            {
                for index in 0..<ForkedChild.capacity where ForkedChild.slots[index] >= 0 {
                    close(ForkedChild.slots[index])
                    ForkedChild.slots[index] = -1
                }
            }) == 0
    }()

    /// Remembers a descriptor; beyond a thousand they are left to the child.
    static func closes(_ descriptor: CInt) {
        guard isInstalled else { return }
        turn.withLock { _ in
            for index in 0..<capacity where slots[index] < 0 {
                slots[index] = descriptor
                return
            }
        }
    }

    /// Forgets a descriptor, before this process closes it.
    static func forgets(_ descriptor: CInt) {
        turn.withLock { _ in
            for index in 0..<capacity where slots[index] == descriptor { slots[index] = -1 }
        }
    }
}
