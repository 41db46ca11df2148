import CivilTime
import EventSourcing

/// The copies that should be back at a moment.
struct Overdue: Record {
    var on = Instant.epoch
    static var blank: Self { Self() }

    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("on", &on)
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

    static let description = ReportDescription("overdue", "What should be back", Answer.self) {
        (report: Overdue, events, context) throws(ReportError) in
        let members = try Loans.state(after: events).copies.compactMapValues { copy in
            let isLate = copy.due.map { report.on.microseconds(since: $0) > context.rules.grace }
            return isLate == true ? copy.member : nil
        }
        return Answer(count: Int64(members.count), members: members)
    }
}
