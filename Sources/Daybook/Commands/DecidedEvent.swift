extension EventPayload {
    /// Returns an event with this payload, and with the time and time zone of a context.
    public func event(in context: CommandContext) -> NewEvent {
        event(occurredAt: context.now, zone: context.zone, offsetS: context.offsetS)
    }
}

extension Refusal {
    /// Code of the refusal if an id in a command makes an invalid tag.
    package static let invalidTag = "invalidTag"

    /// Returns the refusal of a command because no log can store the decided event.
    static func unstorable(_ event: NewEvent, _ reason: String) -> Refusal {
        Refusal(event.tags.allSatisfy(\.isValid) ? "unstorable" : invalidTag, reason)
    }

    /// Code of the refusal if a decided event has a value outside the limits of its field.
    package static let outOfLimit = "outOfLimit"

    /// Returns the refusal of a command because a value of the decided event is outside its limits.
    static func outOfLimit(_ value: OutOfLimit, of kind: EventKind) -> Refusal {
        Refusal(outOfLimit, "the event \(kind) has a value outside its limits: \(value)")
    }
}

extension EventPayload {
    /// Returns an event as `event(in:)` does, or refuses it if over a limit or not storable.
    ///
    /// - Parameter layout: the layout of this payload's type, by which limits are checked sooner.
    package func decidedEvent(
        in context: CommandContext, _ layout: PayloadLayout? = nil
    ) throws(Refusal) -> NewEvent {
        let event = event(in: context)
        // The payload's type names the field with the value.
        if layout?.showsLimitsKept(by: event.payload, event.personal) != true,
            let value = outOfLimits.first
        {
            throw .outOfLimit(value, of: Self.kind)
        }
        if let reason = event.unstorableReason { throw .unstorable(event, reason) }
        return event
    }
}
