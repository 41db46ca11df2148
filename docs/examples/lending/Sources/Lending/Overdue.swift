import Daybook

/// The copies that should be back at a moment.
struct Overdue: Report {
    typealias Model = Loans
    static let name = "overdue"
    static let summary = "What should be back"
    var on = Instant.epoch
    static var blank: Self { Self() }
    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("on", &on)
    }

    func answer(_ loans: Loans, _ context: ReportContext) -> Answer {
        let members = loans.copies.compactMapValues { copy in
            let isLate = copy.due.map { on.microseconds(since: $0) > context.rules.grace }
            return isLate == true ? copy.member : nil
        }
        return Answer(count: Int64(members.count), members: members)
    }

    struct Answer: Record {
        var count: Int64 = 0
        /// Members by the copy that each should return.
        var members: [String: String] = [:]
        static var blank: Self { Self() }
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("count", &count, "members", &members)
        }
    }
}
