import Daybook

extension BabyCare {
    /// Rules that the audit checks: B1 to B14 on entries and authors, R1 to R4 on reports.
    static let auditRules = [
        AuditRule("B1", "A second entry of a kind was open at the same time"),
        AuditRule("B2", "An entry ends before it starts"),
        AuditRule("B3", "An event is not allowed in the state of its entry"),
        AuditRule("B4", "The previous values in an event differ from the entry before it"),
        AuditRule(
            "B5",
            "An entry was restored that was not cancelled, or to a state other than the previous "
                + "one"),
        AuditRule("B6", "A sleep is longer than 24 hours"),
        AuditRule("B7", "Two entries of the same kind overlap"),
        AuditRule("B8", "An entry is a duplicate of another"),
        AuditRule("B9", "The declared length of a sleep differs from its times"),
        AuditRule("B10", "An entry starts after it was recorded"),
        AuditRule("B11", "A local id was never replaced by a server's"),
        AuditRule("B12", "The author's role does not allow the event"),
        AuditRule("B13", "An imported sleep was never finished"),
        AuditRule("B14", "An entry has impossible times or amounts; reports exclude it"),
        AuditRule("R1", "The parts of a sleep by day do not add up to the whole"),
        AuditRule("R2", "The days of a week do not add up to the week"),
        AuditRule("R3", "A published report differs when recomputed"),
        AuditRule("R4", "A published report used other transitions of its time zone"),
    ]

    /// Audit of entries and reports; it reads the events that publish reports before all others.
    static let careAudit = AuditDescription(
        "baby-care", auditRules, kindsReadAhead: [ReportIssued.kind, Household.IdReplaced.kind]
    ) { CareAudit($0) }
}
