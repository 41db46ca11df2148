extension Sampler {
    /// Returns a generated event without tags; the later its position, the later its `recordedAt`.
    public mutating func event(
        _ number: UInt64, _ kind: EventKind, _ sample: (inout Sampler) -> [UInt8]
    ) -> RecordedEvent {
        let envelope = Envelope(
            position: Position(number),
            occurredAt: Instant(microseconds: Self.earliestUs + Int64(below(100_000)) * 1_000_000),
            recordedAt: Instant(microseconds: Self.earliestUs + Int64(number) * 1_000_000),
            offsetS: [0, 32_400, -18_000][below(3)])
        return RecordedEvent(
            envelope: envelope, kind: kind, tags: [], zone: "", payload: sample(&self))
    }
}
