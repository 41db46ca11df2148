import DaybookLMDB

extension Failure {
    /// Prints the message and ends the process with the code.
    package func end() -> Never {
        var message = message
        // Pages that a writer has reused look like damage.
        if code == .log, OpenedLogs.isOvertaken { message = "\(LMDBError.changedWhileReading)" }
        if !message.isEmpty { StandardError.message(message) }
        endProcess(code.rawValue)
    }
}
