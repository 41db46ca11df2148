public import Daybook

extension BabyCare {
    public static let auditRules = [
        AuditRule("B1", "A second entry of a kind was open at the same time"),
        AuditRule("B2", "An entry ends before it starts"),
        AuditRule("B3", "Something was done to an entry that its state does not allow"),
        AuditRule("B4", "What an event says stood there before did not stand there"),
        AuditRule("B5", "An entry was restored that was not cancelled, or to another state"),
        AuditRule("B6", "A sleep is longer than 24 hours"),
        AuditRule("B7", "Two entries of the same kind overlap"),
        AuditRule("B8", "An entry stands there twice"),
        AuditRule("B9", "The declared length of a sleep is not its length"),
        AuditRule("B10", "An entry starts after it was recorded"),
        AuditRule("B11", "A local id was never replaced by a server's"),
        AuditRule("B12", "The writer had no role that allows it"),
        AuditRule("B13", "An imported sleep was never finished"),
        AuditRule("B14", "An entry has times or amounts that cannot be; reports leave it out"),
        AuditRule("R1", "The parts of a sleep by day do not add up to the whole"),
        AuditRule("R2", "The days of a week do not add up to the week"),
        AuditRule("R3", "A report that was handed out would be another one"),
        AuditRule("R4", "A report that was handed out rests on another release of tzdata"),
    ]

    static let careAudit = AuditDescription(
        "baby-care", auditRules, ahead: [ReportIssued.kind]
    ) { CareAudit($0) }
}
