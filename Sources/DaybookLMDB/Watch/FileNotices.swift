import DaybookLibC

/// Waits until a file may have changed.
///
/// On Linux the kernel reports writes by any process (inotify), so that waiting costs no time of
/// the processor. Elsewhere, and if the kernel has no watch to give, the wait is a short sleep.
/// The caller looks at the file after each wait, so a report too many does no harm.
struct FileNotices: ~Copyable {
    /// Longest time between two looks at a file whose changes the kernel does not report.
    private static let sleepMicroseconds: UInt32 = 2_000
    /// Longest time between two looks at any file, in milliseconds. Some file systems report no
    /// writes, and the name of the file may lead elsewhere.
    private static let longestWaitMilliseconds: CInt = 100
    /// Descriptor of the kernel's reports; -1 to sleep instead.
    private let descriptor: CInt

    init(_ path: String) {
        #if canImport(Glibc)
            descriptor = Self.watch(path)
        #else
            descriptor = -1
        #endif
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Returns after the file may have changed.
    func wait() {
        guard descriptor >= 0 else {
            usleep(Self.sleepMicroseconds)
            return
        }
        var reports = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&reports, 1, Self.longestWaitMilliseconds) > 0 else { return }
        // What the reports say does not matter, so they are only removed.
        var bytes = [UInt8](repeating: 0, count: 4_096)
        while read(descriptor, &bytes, bytes.count) == bytes.count {}
    }

    #if canImport(Glibc)
        /// Returns a descriptor with the kernel's reports about a file; -1 if there can be none.
        private static func watch(_ path: String) -> CInt {
            let descriptor = inotify_init1(CInt(IN_NONBLOCK) | CInt(IN_CLOEXEC))
            guard descriptor >= 0 else { return -1 }
            let changes = IN_MODIFY | IN_ATTRIB | IN_MOVE_SELF | IN_DELETE_SELF
            guard inotify_add_watch(descriptor, path, UInt32(changes)) >= 0 else {
                close(descriptor)
                return -1
            }
            return descriptor
        }
    #endif
}
