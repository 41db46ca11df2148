import Daybook
import Synchronization

/// The conditions of a filter on the events of one kind.
final class FilteredKind: Sendable {
    /// The kind as its events are recorded.
    let kind: EventKind
    /// Description of the kind, or of its newest schema version if the catalogue has only that;
    /// `nil` without both.
    let description: EventDescription?
    /// The test of payloads, and the description of the kind whose payloads are tested.
    let test: (PayloadCondition.Test, EventDescription)?
    /// True if payloads have the field `by`, a user's name.
    let hasAuthor: Bool
    /// True if payloads have the field `device`, a text.
    let hasDevice: Bool

    /// Returns the conditions; `nil` if no event of the kind meets them.
    init?(_ kind: EventKind, _ filter: EventFilter, _ catalogue: Catalogue) {
        guard filter.kinds.isEmpty || filter.kinds.contains(kind) else { return nil }
        self.kind = kind
        let newest = catalogue.newest(kind)
        description = catalogue.events[kind] ?? newest.flatMap { catalogue.events[$0] }
        let tests = filter.condition?.tests ?? [:]
        let tested = tests[kind] == nil ? newest ?? kind : kind
        if let test = tests[tested], let known = catalogue.events[tested] {
            self.test = (test, known)
        } else {
            test = nil
        }
        let isRead = filter.actor != nil || filter.device != nil
        let fields = isRead ? description?.fields ?? [] : []
        hasAuthor = fields.contains { $0.name == "by" && $0.form.hasPrefix("person") }
        hasDevice = fields.contains { $0.name == "device" && $0.form.hasPrefix("text") }
        if filter.condition != nil, test == nil { return nil }
    }
}

/// The conditions of a filter by kind, each made at the first event of the kind.
final class FilteredKinds: Sendable {
    private let filter: EventFilter
    private let catalogue: Catalogue
    private let kinds = Mutex<[EventKind: FilteredKind?]>([:])

    init(_ filter: EventFilter, _ catalogue: Catalogue) {
        self.filter = filter
        self.catalogue = catalogue
    }

    /// The conditions on events of a kind; `nil` if none meets them.
    subscript(_ kind: EventKind) -> FilteredKind? {
        kinds.withLock { kinds in
            if let known = kinds[kind] { return known }
            let found = FilteredKind(kind, filter, catalogue)
            kinds[kind] = .some(found)
            return found
        }
    }
}
