/// Command whose answer for people may be longer than a screen.
package protocol PagedAnswer {
    /// True if the answer goes through the pager; false if it never ends or is a file.
    var isPaged: Bool { get }
}

extension PagedAnswer {
    package var isPaged: Bool { true }
}

extension AuditCommand: PagedAnswer {}
extension Bisect: PagedAnswer {}
extension BlameCommand: PagedAnswer {}
extension Compare: PagedAnswer {}
extension HistoryCommand: PagedAnswer {}
extension Late: PagedAnswer {}
extension ListCommand: PagedAnswer {}
extension OrderSafetyCommand: PagedAnswer {}
extension ReportCommand: PagedAnswer {}
extension Schema: PagedAnswer {}
extension State: PagedAnswer {}
extension TraceCommand: PagedAnswer {}
extension Transitions: PagedAnswer {}
extension TrialCommand: PagedAnswer {}
extension WhatIf: PagedAnswer {}

extension Log: PagedAnswer {
    package var isPaged: Bool { !follow }
}
