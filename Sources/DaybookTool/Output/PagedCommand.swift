/// Command whose answer for people may be longer than a screen, and is shown in a pager.
package protocol PagedCommand {
    /// True if the answer goes through the pager; false for an answer that never ends or is a file.
    var isPaged: Bool { get }
}

extension PagedCommand {
    /// True by default.
    package var isPaged: Bool { true }
}

extension AuditCommand: PagedCommand {}
extension BisectCommand: PagedCommand {}
extension BlameCommand: PagedCommand {}
extension CompareCommand: PagedCommand {}
extension HistoryCommand: PagedCommand {}
extension LateCommand: PagedCommand {}
extension ListCommand: PagedCommand {}
extension OrderSafetyCommand: PagedCommand {}
extension ReportCommand: PagedCommand {}
extension SchemaCommand: PagedCommand {}
extension StateCommand: PagedCommand {}
extension TraceCommand: PagedCommand {}
extension TransitionsCommand: PagedCommand {}
extension TrialCommand: PagedCommand {}
extension WhatIfCommand: PagedCommand {}

extension LogCommand: PagedCommand {
    /// False with `--follow`, whose answer never ends.
    package var isPaged: Bool { !follow }
}
