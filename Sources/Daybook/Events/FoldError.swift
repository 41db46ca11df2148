/// The reason why an event could not be folded.
public enum FoldError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The payload of an event cannot be read.
    case corrupt(Position, EventKind, CorruptPayload)
    /// An event has a version of its kind that this program does not know; a newer one wrote it.
    case unknownKind(Position, EventKind)

    public var description: String {
        switch self {
        case .corrupt(let position, let kind, let cause):
            "the payload of event \(position) (\(kind)) cannot be read: \(cause)"
        case .unknownKind(let position, let kind):
            "event \(position) has the kind \(kind), which this program does not know; read the "
                + "log with a newer version of the program"
        }
    }
}

/// Evaluates `body`, which reads the event's payload; errors get the event's position and kind.
@inline(__always) package func mappingPayloadErrors<Result: ~Copyable>(
    of event: RecordedEvent, _ body: @autoclosure () throws(CorruptPayload) -> Result
) throws(FoldError) -> Result {
    do throws(CorruptPayload) {
        return try body()
    } catch {
        throw .corrupt(event.position, event.kind, error)
    }
}
