public import Daybook
public import DaybookLog

/// The history of one entity: its events, each with the changes that it made.
public struct History: Sendable {
    private let reading: ProjectionReading
    private let projection: ProjectionDescription
    /// Any id of the entity.
    private let key: String
    private let rules: RuleSet

    public init(
        of projection: ProjectionDescription, _ key: String, _ rules: RuleSet,
        in reading: ProjectionReading
    ) {
        self.reading = reading
        self.projection = projection
        self.key = key
        self.rules = rules
    }

    /// Passes each event with its changes to `body`, in the order of the log.
    ///
    /// - Throws: `QuestionError.unknownEntity` if the entity has no events.
    public func forEach(_ body: (Timeline.Step) throws(LogError) -> Void) throws {
        var timeline = Timeline(of: projection, rules: rules)
        let walk = try reading.entities.walk(of: projection, key)
        try reading.entities.forEachRecorded(along: walk) { (event, _) throws(LogError) in
            let step = try folding { () throws(FoldError) in try timeline.advance(with: event) }
            try body(step)
            return true
        }
        if timeline.isEmpty { throw reading.noEventsError(projection, key) }
    }

    /// Returns the fields in which an event states its reason, such as `reason` or `cause`.
    package func reasons(of event: RecordedEvent) throws(LogError) -> [FlatFields.Leaf] {
        let names: Set = ["reason", "cause", "detail", "message", "trigger", "basis"]
        guard let description = reading.catalogue.events[event.kind] else { return [] }
        var failure: LogError?
        let leaves: [FlatFields.Leaf]
        do throws(CorruptPayload) {
            leaves = try unsafe description.leaves(event.payload.contents.bytes) { field in
                do throws(LogError) {
                    return try reading.log.people.text(at: event.position, field: field)
                } catch {
                    failure = error
                    return nil
                }
            }
        } catch {
            // Cannot happen, because the fold has read the payload before.
            return []
        }
        if let failure { throw failure }
        return leaves.filter { names.contains($0.path) && $0.value != "null" }
    }
}
