public import Daybook

/// The reason why a question about a log has no answer.
public enum QuestionError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The question does not fit the catalogue or the log; the message says why.
    case invalid(String)
    /// The log has no such position up to `through`, the last position that the question covers.
    case noSuchPosition(UInt64, through: Position)
    /// The log has no event of the entity up to `through`, the question's last position.
    case unknownEntity(noun: String, key: String, through: Position)
    /// The log contains no answer to the question; the message says why.
    case unanswered(String)
    /// A report would have to be computed after each of this many events, which is too many.
    case tooManyEvents(Int)

    public var description: String {
        switch self {
        case .invalid(let message), .unanswered(let message): message
        case .noSuchPosition(let position, let through):
            "there is no position \(position): the log ends at position \(through), or is read "
                + "only up to there"
        case .unknownEntity(let noun, let key, let through):
            "the log has no event of \(noun) '\(key)' up to position \(through)"
        case .tooManyEvents(let count):
            "the log is too long to compute the report after each of \(count.counted("event"))"
        }
    }
}

extension QuestionError {
    /// Converts the error of a report; throws `FoldError` if an event cannot be read.
    init(_ error: ReportError) throws(FoldError) {
        switch error {
        case .fold(let error): throw error
        case .unanswerable(let reason): self = .unanswered(reason)
        case .invalid(let argument, let reason): self = .invalid("\(argument): \(reason)")
        case .input, .zone, .noZones: self = .invalid("\(error)")
        }
    }
}
