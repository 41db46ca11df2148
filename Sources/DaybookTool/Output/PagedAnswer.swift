/// Command whose answer for people may be longer than a screen, and is shown in a pager.
package protocol PagedAnswer {
    /// True if the answer goes through the pager; false if it never ends or is a file.
    var isPaged: Bool { get }
}

extension PagedAnswer {
    /// True by default.
    package var isPaged: Bool { true }
}

extension AuditCommand: PagedAnswer {}
extension BisectCommand: PagedAnswer {}
extension BlameCommand: PagedAnswer {}
extension CompareCommand: PagedAnswer {}
extension HistoryCommand: PagedAnswer {}
extension LateCommand: PagedAnswer {}
extension ListCommand: PagedAnswer {}
extension OrderSafetyCommand: PagedAnswer {}
extension ReportCommand: PagedAnswer {}
extension SchemaCommand: PagedAnswer {}
extension StateCommand: PagedAnswer {}
extension TraceCommand: PagedAnswer {}
extension TransitionsCommand: PagedAnswer {}
extension TrialCommand: PagedAnswer {}
extension WhatIfCommand: PagedAnswer {}

extension LogCommand: PagedAnswer {
    /// False with `--follow`, whose answer never ends.
    package var isPaged: Bool { !follow }
}
