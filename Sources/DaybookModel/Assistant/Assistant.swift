package import Daybook

/// Actions that a voice assistant or another app asks for: links, and Siri's intents.
///
/// A link becomes at most one action, which opens the chat, opens a form, or records an entry at
/// once. While no baby is known, the last action waits; it is handled once.
///
/// Source: S4 (assistant bridge, URL scheme, App Intents, Siri and Bixby) and the code of its app.
package enum Assistant: Area, Projection {
    package static let name = "assistant"
    package static let rules: [RuleSet] = [.source]

    /// Events of the actions of a device.
    package enum Event: DecidedEvents {
        case actionReceived(ActionReceived), actionTaken(ActionTaken)
        package static let kinds = [StoredKind(actionReceived), StoredKind(actionTaken)]
    }

    /// The status of the last action of a device.
    package enum Status: UInt8, StoredEnum {
        /// The action waits for a baby, or for the app to fetch it.
        case waiting
        /// The action was handled for a baby.
        case handled
    }

    static let lifecycle = Lifecycle<Status>(
        "assistant", field: "status",
        [
            .step(ActionReceived.self, from: nil, .waiting, .handled, to: .waiting, .handled),
            .step(ActionTaken.self, from: .waiting, to: .handled),
        ])

    /// The last action of a device, and counts of all its actions.
    package struct State: PlainRecord {
        package var device = ""
        /// Status of the last action: waiting or handled.
        package var status = Status.waiting
        var actionId = ""
        /// Path of the last action's link.
        package var path = Path.none
        /// Place in the app that the last action leads to.
        var route = Route.none
        /// App that asked for the last action, such as `assistant` or `siri`.
        package var source = ""
        /// Values that the last action gives for an entry.
        package var reading = ActionValues()
        package var babyId: String?
        /// Id of the entry that the last action recorded, if any.
        package var entryId: String?
        var receivedCount: Int64 = 0
        /// Number of times that an action was handled after it had waited.
        var takenCount: Int64 = 0
        /// Number of waiting actions that a later action replaced.
        var replacedCount: Int64 = 0
        /// Length of the link in bytes, to recognise the link although its texts are encrypted.
        var linkBytes: Int64 = 0
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("device", &device, "status", &status)
            try field.unlessBlank("actionId", &actionId)
            try field("path", &path, "route", &route)
            try field.unlessBlank("source", &source)
            try field("reading", &reading, "babyId", &babyId, "entryId", &entryId)
            try field("received", &receivedCount, "taken", &takenCount, "replaced", &replacedCount)
            try field.internalField("linkBytes", &linkBytes)
        }
    }

    package static func evolve(_ state: inout State, with event: Event, _ envelope: Envelope) {
        switch event {
        case .actionReceived(let action):
            if state.receivedCount > 0, state.status == .waiting { state.replacedCount += 1 }
            state.receivedCount += 1
            state.device = action.device
            state.actionId = action.actionId
            (state.path, state.route) = (action.path, action.route)
            (state.source, state.reading) = (action.source, action.reading)
            state.linkBytes = action.linkBytes
            (state.babyId, state.entryId) = (action.babyId, action.entryId)
            state.status = action.babyId == nil ? .waiting : .handled
        case .actionTaken(let taken):
            state.device = taken.device
            state.status = .handled
            state.takenCount += 1
            (state.babyId, state.entryId) = (taken.babyId, taken.entryId)
        }
    }

    package static let commands = [
        CommandDescription(OpenLink.self), CommandDescription(TakeAction.self),
        CommandDescription(SendCommand.self), CommandDescription(LogFormula.self),
        CommandDescription(LogDiaper.self),
    ]
    package static let projections = [
        ProjectionDescription(
            "assistant", noun: "device",
            "The last action that a device was asked for, and what became of it", Assistant.self)
    ]
    package static let machines = [lifecycle.machine]
    package static let audits = [
        AuditDescription(
            "assistant", "A1", lifecycle, of: Assistant.self, noun: "device", \.status),
        ActionAudit.description,
    ]
    /// Owners of personal texts: an action owns its texts until a baby is known, then the baby
    /// does.
    package static let people = PersonNouns(["baby": "baby"], owners: ["action": "baby"])
    static func deviceTag(_ device: String) -> Tag { Tag("device", device) }
    static func actionTag(_ actionId: String) -> Tag { Tag("action", actionId) }
}
