import DaybookLibC
import Synchronization

/// The list of descriptors that a forked child closes at once.
///
/// A child shares the open file descriptions of its parent. If it kept them open, locks on them
/// would be held for as long as the child lives, even after the parent has ended. Programs started
/// with `posix_spawn` share no descriptions, since all descriptors are closed on execution.
enum ForkedChild {
    private static let capacity = 1_024
    /// The listed descriptors; -1 marks a free slot. The child reads them without a lock, because
    /// no other thread runs in it.
    private nonisolated(unsafe) static let slots: UnsafeMutablePointer<CInt> = {
        let slots = UnsafeMutablePointer<CInt>.allocate(capacity: capacity)
        slots.initialize(repeating: -1, count: capacity)
        return slots
    }()
    private static let slotsLock = Mutex(())

    /// True if a handler closes the descriptors in every forked child. The first use installs it.
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

    /// Adds a descriptor to the list. If the list is full, the descriptor stays open in the child.
    static func add(_ descriptor: CInt) {
        guard isInstalled else { return }
        slotsLock.withLock { _ in
            for index in 0..<capacity where slots[index] < 0 {
                slots[index] = descriptor
                return
            }
        }
    }

    /// Removes from the list a descriptor that this process is about to close.
    static func remove(_ descriptor: CInt) {
        slotsLock.withLock { _ in
            for index in 0..<capacity where slots[index] == descriptor { slots[index] = -1 }
        }
    }
}
