import Daybook

/// Copies of a library: who has them, and until when.
public enum Lending: Area {
    public static let name = "lending"
    public static let events = Loans.Event.kinds.map(\.description)
    public static let commands = [
        CommandDescription(Borrow.self), CommandDescription(CopyReturned.self),
    ]
    public static let projections = [
        ProjectionDescription("copy", noun: "copy", "Where a copy is", Copy.self),
        ProjectionDescription("member", noun: "member", "What a member borrowed", Loans.self),
        ProjectionDescription(
            "punctuality", noun: "member", "How often a member was late", Punctuality.self,
            under: .lenient, LenientPunctuality.self),
    ]
    public static let reports = [ReportDescription(Overdue.self)]
    public static let machines = [Copy.lifecycle.machine]
    public static let audits = [
        AuditDescription("copies", "L1", Copy.lifecycle, of: Copy.self, noun: "copy", \.status)
    ]
    public static let rules: [RuleSet] = [.lenient]
    public static let people: PersonNouns = ["member": "member"]
}
