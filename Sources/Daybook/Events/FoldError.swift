/// The reason why an event could not be folded.
public enum FoldError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The payload of an event cannot be read.
    case corrupt(Position, EventKind, CorruptPayload)
    /// An event has a version of its kind that the fold does not know; a newer program wrote it.
    case unknownKind(Position, EventKind)

    public var description: String {
        switch self {
        case .corrupt(let position, let kind, let cause):
            "the payload of event \(position) (\(kind)) cannot be read: \(cause)"
        case .unknownKind(let position, let kind):
            "event \(position) has the kind \(kind), which only a newer program knows"
        }
    }
}

/// Evaluates `body`, which reads an event's payload; its errors get the event's position and kind.
@inline(__always)
package func mappingPayloadErrors<Result: ~Copyable>(
    of event: RecordedEvent, _ body: @autoclosure () throws(CorruptPayload) -> Result
) throws(FoldError) -> Result {
    do throws(CorruptPayload) {
        return try body()
    } catch {
        throw .corrupt(event.position, event.kind, error)
    }
}
