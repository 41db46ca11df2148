package import Daybook

extension Assistant {
    /// A link or a Siri intent asked a device for an action.
    package struct ActionReceived: EventPayload, PlainRecord {
        package static let kind: EventKind = "assistant.action-received.v1"
        var actionId = ""
        package var device = ""
        package var path = Path.none
        /// Feature of the link in lower case, such as `formula`; may be any text.
        var feature: SealableText?
        /// Words that the user spoke or typed.
        package var query: PersonalText?
        /// Note for the entry.
        package var memo: PersonalText?
        /// Type of diaper as written in the link, such as `pee`.
        var diaperType: SealableText?
        var amountMl: Int64?
        var durationMin: Int64?
        /// Mass of food in grams.
        var grams: Int64?
        package var dose: Int64?
        /// Name, in lower case, of the app that sent the request, such as `siri`.
        package var source = "assistant"
        var linkBytes: Int64 = 0
        /// Place in the app that the action leads to.
        var route = Route.none
        /// Values for an entry, as read from the link.
        package var reading = ActionValues()
        package var babyId: String?
        /// Id of the entry that the action recorded at once, if any.
        package var entryId: String?
        package var by: Author?
        package var rules = Rules.standard
        package var tags: [Tag] {
            [actionTag(actionId), deviceTag(device)] + (babyId.map { [BabyCare.tag($0)] } ?? [])
        }

        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("actionId", &actionId, "device", &device, "path", &path, "feature", &feature)
            try field("query", &query, "memo", &memo, "diaperType", &diaperType)
            try field("amountMl", &amountMl, .values(amountsMl))
            try field("durationMin", &durationMin, .values(durationsMin))
            try field("grams", &grams, .values(massesG))
            try field("dose", &dose, .values(doses))
            try field("source", &source)
            try field("linkBytes", &linkBytes, .values(0...Int64(ActionLink.maxBytes)))
            try field("route", &route, "reading", &reading, "babyId", &babyId)
            try field("entryId", &entryId, "by", &by, "rules", &rules)
        }

        package func sentence(_ wording: Wording) -> String {
            let effect: String? =
                switch route {
                case .none: nil
                case .chat: "sent to the chat"
                case .form: "form opened"
                case .record: "recorded at once"
                }
            return wording.list(
                after: "request from \(source.onOneLine.clipped(to: 40))", wording.quoted(query),
                reading.sentence(wording), wording.quoted(memo), effect)
        }
    }

    /// Opens a link such as `babyai://assistant/query?feature=formula&amount_ml=120`.
    ///
    /// A link to another scheme, host or path is ignored. A complete action is recorded as an entry
    /// at once; otherwise it leads to a form or the chat, or waits for a baby.
    struct OpenLink: ActionCommand {
        static let name = "assistant.open-link"
        var actionId = ""
        var device = ""
        var link = ""
        /// Id of the active baby; `nil` while none is known, so that the action waits.
        var babyId: String?
        /// Id for the recorded entry; `nil` means the id of the action.
        var entryId: String?
        var by: Author?
        var rules = Rules.standard
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("actionId", &actionId, "device", &device, "link", &link, "babyId", &babyId)
            try field("entryId", &entryId, "by", &by, "rules", &rules)
        }

        func payload() throws(Refusal) -> Payload? { try ActionLink.read(link, rules: rules) }
    }
}

extension Assistant.ActionReceived {
    /// Creates the event from the content of a link and its interpretation.
    init(_ payload: Assistant.Payload, _ interpretation: Assistant.Interpretation) {
        self.init(
            path: payload.path, feature: payload.feature.map { SealableText($0) },
            query: payload.query.map { PersonalText($0) },
            memo: payload.memo.map { PersonalText($0) },
            diaperType: payload.diaperType.map { SealableText($0) },
            amountMl: payload.amountMl, durationMin: payload.durationMin, grams: payload.grams,
            dose: payload.dose, source: payload.source, linkBytes: payload.linkBytes,
            route: interpretation.route, reading: interpretation.reading)
    }
}

/// A command that asks a device for an action, such as opening a link.
protocol ActionCommand: Command, PlainRecord where Model == Assistant.ActionContext {
    /// Id of the action.
    var actionId: String { get }
    /// Id of the device.
    var device: String { get }
    /// Id of the active baby; `nil` while none is known.
    var babyId: String? { get }
    /// Id for the recorded entry; `nil` means the id of the action.
    var entryId: String? { get }
    /// User who gives the command, if known.
    var by: Author? { get }
    /// Rule set by which the action is interpreted: Daybook's own or the original app's.
    var rules: Rules { get }

    /// Reads the content of the link or intent; returns `nil` if the content asks for nothing.
    func payload() throws(Refusal) -> Assistant.Payload?
}

extension ActionCommand {
    var query: Query { query(knowing: Assistant.ActionContext.State()) }

    func query(knowing context: Assistant.ActionContext.State) -> Query {
        let own = Query.any(of: Assistant.kinds, Assistant.deviceTag(device))
        do throws(Refusal) {
            guard let action = try interpretedAction(),
                let entry = entry(action.interpretation, .epoch)
            else { return own }
            return own.union(entry.boundary.query(context.care))
        } catch {
            return own
        }
    }

    func decide(
        _ context: Assistant.ActionContext.State, now: Instant
    ) throws(Refusal) -> [Assistant.ActionContext.Event] {
        // A repetition of the device's last action records nothing.
        guard let action = try interpretedAction(), context.lastAction.actionId != actionId else {
            return []
        }
        var received = Assistant.ActionReceived(action.payload, action.interpretation)
        (received.actionId, received.device) = (actionId, device)
        (received.by, received.rules) = (by, rules)
        received.babyId = babyId
        let care = try entry(action.interpretation, now)?.decide(context.care, now: now) ?? []
        received.entryId = care.compactMap(\.entryId).first
        return [.assistant(.actionReceived(received))] + care.map { .care($0) }
    }

    /// Returns the action's content and interpretation; `nil` if the action asks for nothing.
    private func interpretedAction() throws(Refusal) -> (
        payload: Assistant.Payload, interpretation: Assistant.Interpretation
    )? {
        guard let payload = try payload() else { return nil }
        return (payload, try Assistant.Interpretation(payload, rules: rules))
    }

    /// Returns the care command that records the action's entry; `nil` if the action records no
    /// entry or no baby is known.
    private func entry(
        _ interpretation: Assistant.Interpretation, _ now: Instant
    ) -> Assistant.EntryOfAction? {
        guard let babyId else { return nil }
        return Assistant.EntryOfAction(
            interpretation, entryId: entryId ?? actionId, babyId: babyId, by: by, rules: rules,
            at: now)
    }
}
