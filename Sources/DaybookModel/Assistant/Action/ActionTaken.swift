package import Daybook

extension Assistant {
    /// A device handled its waiting action for a baby.
    package struct ActionTaken: EventPayload, PlainRecord {
        package static let kind: EventKind = "assistant.action-taken.v1"
        var actionId = ""
        package var device = ""
        package var babyId = ""
        package var entryId: String?
        package var by: Author?
        package var rules = Rules.standard
        package var tags: [Tag] { [actionTag(actionId), deviceTag(device), BabyCare.tag(babyId)] }
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("actionId", &actionId, "device", &device, "babyId", &babyId)
            try field("entryId", &entryId, "by", &by, "rules", &rules)
        }

        package func sentence(_ wording: Wording) -> String {
            entryId == nil ? "request handled" : "request handled: entry recorded"
        }
    }

    /// Handles the last action of a device, as the app does when it starts or learns of a baby.
    ///
    /// An action is handled once. Under `rules: source` it is handled again at each request, as in
    /// the app.
    struct TakeAction: Command, PlainRecord {
        typealias Model = ActionContext
        static let name = "assistant.take-action"
        var device = ""
        /// Id of the active baby; `nil` leaves the action waiting.
        var babyId: String?
        /// Id of the entry to record; the action's id by default.
        var entryId: String?
        /// Link of the action, as the app stored it; required if the action records an entry with a
        /// memo or the name of a medication. The log stores these two texts encrypted, and the
        /// command cannot decrypt them.
        var link: String?
        var by: Author?
        var rules = Rules.standard
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("device", &device, "babyId", &babyId, "entryId", &entryId, "link", &link)
            try field("by", &by, "rules", &rules)
        }

        var query: Query { query(knowing: ActionContext.State()) }

        func query(knowing context: ActionContext.State) -> Query {
            let own = Query.any(of: Assistant.kinds, deviceTag(device))
            do throws(Refusal) {
                guard let entry = try entry(context.lastAction, .epoch) else { return own }
                return own.union(entry.boundary.query(context.care))
            } catch {
                return own
            }
        }

        func decide(
            _ context: ActionContext.State, now: Instant
        ) throws(Refusal) -> [ActionContext.Event] {
            let last = context.lastAction
            guard let babyId, last.receivedCount > 0 else { return [] }
            guard rules == .source || lifecycle.allows(ActionTaken.self, in: last.status) else {
                return []
            }
            let care = try entry(last, now)?.decide(context.care, now: now) ?? []
            let taken = ActionTaken(
                actionId: last.actionId, device: device, babyId: babyId,
                entryId: care.compactMap(\.entryId).first, by: by, rules: rules)
            return [.assistant(.actionTaken(taken))] + care.map { .care($0) }
        }

        /// Returns the care command for the entry of a waiting action; `nil` if the action records
        /// no entry.
        private func entry(
            _ last: Assistant.State, _ now: Instant
        ) throws(Refusal) -> EntryOfAction? {
            guard let babyId else { return nil }
            return EntryOfAction(
                try interpretation(last), entryId: entryId ?? last.actionId, babyId: babyId,
                by: by, rules: rules, at: now)
        }

        /// Returns the interpretation of the waiting action, with the memo and the medication's
        /// name that `link` gives; throws a refusal if the link belongs to another action.
        private func interpretation(_ last: Assistant.State) throws(Refusal) -> Interpretation {
            guard let link else {
                guard last.route != .record || !last.reading.hasText else {
                    throw Refusal(
                        "textsSealed",
                        "the action '\(last.actionId)' has a memo or a medication, which the log "
                            + "stores encrypted; pass the URL that asked for it as 'link'")
                }
                return Interpretation(last.route, last.reading)
            }
            let payload = try ActionLink.read(link, rules: rules) ?? Payload()
            let interpretation = try Interpretation(payload, rules: rules)
            guard interpretation.route == last.route, interpretation.reading == last.reading,
                payload.linkBytes == last.linkBytes
            else {
                throw Refusal(
                    "otherLink",
                    "'link' is not the link that asked for the action '\(last.actionId)'")
            }
            return interpretation
        }
    }
}

extension Assistant.Interpretation {
    /// Creates an interpretation without a memo and without the name of a medication.
    fileprivate init(_ route: Assistant.Route, _ reading: Assistant.ActionValues) {
        self.route = route
        self.reading = reading
    }
}
