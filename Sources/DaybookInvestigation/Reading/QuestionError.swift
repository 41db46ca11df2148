public import Daybook

/// The reason that a question over a log has no answer.
public enum QuestionError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The question makes no sense for this catalogue or log.
    case invalid(String)
    /// The question names a position that the log does not have, up to the moment it is asked of.
    case noSuchPosition(UInt64, through: Position)
    /// The log has no event of the entity, up to the moment it is asked of.
    case unknownEntity(noun: String, key: String, through: Position)
    /// The log holds nothing that answers the question.
    case unanswered(String)
    /// The answer would be made again after each of too many events.
    case tooManyEvents(Int)

    public var description: String {
        switch self {
        case .invalid(let message), .unanswered(let message): message
        case .noSuchPosition(_, let through):
            "there is no such position: the log ends at position \(through)"
        case .unknownEntity(let noun, let key, let through):
            "no event of \(noun) '\(key)' up to position \(through)"
        case .tooManyEvents(let count):
            "the report would be made again after each of \(count.counted("event"))"
        }
    }
}

extension QuestionError {
    /// The reason why a report has no answer, as that of the question that asks it.
    ///
    /// - Throws: `FoldError` for an event that cannot be read.
    init(_ error: ReportError) throws(FoldError) {
        switch error {
        case .fold(let error): throw error
        case .unanswerable(let reason): self = .unanswered(reason)
        case .invalid(let argument, let reason): self = .invalid("\(argument): \(reason)")
        case .input, .zone, .noZones: self = .invalid("\(error)")
        }
    }
}
