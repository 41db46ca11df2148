extension EventPayload {
    /// Returns an event with this payload, and with the time and origin of a context.
    public func event(in context: CommandContext) -> NewEvent {
        NewEvent(
            self, occurredAt: context.now, zone: context.zone, offsetS: context.offsetS)
    }
}

extension Refusal {
    /// The code of the refusal of a command whose ids make an invalid tag.
    package static let invalidTag = "invalidTag"

    /// Returns the refusal of a command that decides an event which no log can store.
    static func unstorable(_ event: NewEvent, _ reason: String) -> Refusal {
        Refusal(event.tags.allSatisfy(\.isValid) ? "unstorable" : invalidTag, reason)
    }

    /// The code of the refusal of a command whose event has a value outside the limit of its field.
    package static let outOfLimit = "outOfLimit"

    /// Returns the refusal of a command whose event has a value outside the limit of its field.
    static func outOfLimit(_ value: OutOfLimit, of kind: EventKind) -> Refusal {
        Refusal(outOfLimit, "\(kind) has a value outside its limits: \(value)")
    }
}

extension EventPayload {
    /// Returns an event with this payload, and with the time and origin of a context.
    ///
    /// - Throws: a refusal if a value is outside the limit of its field, or if no log can store the
    ///   event.
    package func decidedEvent(in context: CommandContext) throws(Refusal) -> NewEvent {
        if let value = outOfLimits.first { throw .outOfLimit(value, of: Self.kind) }
        let event = event(in: context)
        if let reason = event.unstorable { throw .unstorable(event, reason) }
        return event
    }
}
