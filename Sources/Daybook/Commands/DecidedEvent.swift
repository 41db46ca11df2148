extension EventPayload {
    /// The event that a decision in this context makes of the payload.
    public func event(in context: CommandContext) -> NewEvent {
        NewEvent(
            self, occurredAt: context.now, zone: context.zone, offsetS: context.offsetS)
    }
}

extension Refusal {
    /// The refusal of a command whose ids make a tag that no log can hold.
    package static let invalidTag = "invalidTag"

    /// Refuses an event that no log can hold.
    static func unstorable(_ event: NewEvent, _ reason: String) -> Refusal {
        Refusal(event.tags.allSatisfy(\.isValid) ? "unstorable" : invalidTag, reason)
    }

    /// The refusal of a command that makes an event with a value outside the limit of its field.
    package static let outOfLimit = "outOfLimit"

    static func outOfLimit(_ value: OutOfLimit, of kind: EventKind) -> Refusal {
        Refusal(outOfLimit, "\(kind) beyond its limits: \(value)")
    }
}

extension EventPayload {
    /// The event that a decision in this context makes of the payload.
    ///
    /// - Throws: for a value outside the limit of its field, as facts are refused, and for an event
    ///   that no log can hold.
    package func decidedEvent(in context: CommandContext) throws(Refusal) -> NewEvent {
        if let value = outOfLimits.first { throw .outOfLimit(value, of: Self.kind) }
        let event = event(in: context)
        if let reason = event.unstorable { throw .unstorable(event, reason) }
        return event
    }
}
