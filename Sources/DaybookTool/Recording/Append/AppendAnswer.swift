import Daybook
import DaybookLog

struct AppendAnswer: Answer {
    static let name = "append"
    static let summary = "A line of standard input: the commit that it became, if any."

    /// Number of the line, from 1.
    var line: Int64 = 0
    /// Position of the commit's first event; `nil` if the line caused no event.
    var firstPosition: Position?
    var lastPosition: Position?
    var recordedAt: Instant?
    /// True if an earlier request with the same idempotency key was already appended.
    var isRepeated = false
    var refusal: RefusalPart?

    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field(
            "line", &line, "first", &firstPosition, "last", &lastPosition, "recordedAt", &recordedAt
        )
        try field("repeated", &isRepeated)
        try field.optionalField("refused", &refusal)
    }
}

extension AppendAnswer {
    /// Creates the answer to the line with a number.
    init(_ number: Int, _ receipt: Receipt?, refused: Daybook.Refusal?) {
        self.init(
            line: Int64(number), firstPosition: receipt?.first, lastPosition: receipt?.last,
            recordedAt: receipt?.recordedAt, isRepeated: receipt?.isRepeated ?? false,
            refusal: refused.map {
                RefusalPart(code: $0.code, message: $0.message, position: $0.position)
            })
    }
}
