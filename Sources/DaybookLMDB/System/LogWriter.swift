import DaybookLibC

/// The process that is writing a log while another process or thread waits for the log.
public struct LogWriter: Hashable, Sendable, CustomStringConvertible {
    /// Process id of the writer; 0 or negative if it is not known.
    public let processID: Int32
    /// Seconds since the write began; 0 if the start is not known.
    public let secondsHeld: UInt32
    /// Seconds that the caller has waited for the writer.
    public let secondsWaited: UInt32
    /// True if the writer runs in another container, whose process ids are separate.
    public let isInOtherNamespace: Bool

    init(
        processID: Int32, secondsHeld: UInt32, secondsWaited: UInt32,
        isInOtherNamespace: Bool = false
    ) {
        self.processID = processID
        self.secondsHeld = secondsHeld
        self.secondsWaited = secondsWaited
        self.isInOtherNamespace = isInOtherNamespace
    }

    public var description: String {
        let start = "\(process) has been writing the log for \(secondsHeld) s"
        return "\(start); waited \(secondsWaited) s"
    }

    /// The writing process as a phrase, with its command name if that is known.
    private var process: String {
        guard processID > 0 else { return "another process" }
        if isInOtherNamespace { return "process \(processID) of another container" }
        if processID == getpid() { return "another thread of this process" }
        guard let name = ProcessInformation.commandName(of: processID) else {
            return "process \(processID)"
        }
        return "process \(processID) (\(name))"
    }
}
