import DaybookLibC
import Synchronization

/// Descriptors that a forked child closes at once.
///
/// A child shares the open file descriptions of its parent. Without this, locks on them would be
/// held for as long as the child lives, even after the parent has ended. Programs started with
/// `posix_spawn` share none, since all descriptors are closed on execution.
enum ForkedChild {
    private static let capacity = 1_024
    /// Descriptors to close; -1 marks a free slot.
    ///
    /// The child reads them without a lock, because no other thread runs in it.
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

    /// Remembers a descriptor. Descriptors beyond the capacity stay open in the child.
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
