import DaybookLMDB

extension Failure {
    package func end() -> Never {
        var message = message
        // Pages that a writer has reused look like damage.
        if code == .log, OpenedLogs.isOvertaken { message = "\(LMDBError.changedWhileReading)" }
        if !message.isEmpty { StandardError.message(message) }
        endProcess(code.rawValue)
    }
}
