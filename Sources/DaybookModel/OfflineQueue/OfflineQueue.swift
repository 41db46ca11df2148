import Daybook

/// The area of writes about a baby's entries that a device keeps until the server accepts them.
///
/// A write is queued if no user is signed in with Google, the baby has no server id, or no answer
/// came. The queue is sent in order, one write at a time and in one run at a time. The id of a
/// write is the idempotency key of every attempt, so that a write whose answer was lost is not
/// applied twice. A write that the server rejects is parked until a person decides; later writes
/// about its entry are parked too, so that they keep their order, and the queue continues with the
/// other writes. A write belongs to the user who made it, and is never sent as another user.
///
/// Source: S4 (offline store, `flushOfflineMutations`); its mobile code if the document is silent.
enum OfflineQueue: Area, Projection {
    static let name = "offline-queue"
    static let rules: [RuleSet] = [.source]

    /// The events of the queue, and those of its device that determine what may be sent.
    enum Event: DecidedEvents {
        case step(Step), session(Session.Event), onboarding(Household.DeviceOnboarding.Event)
        case idReplaced(Household.IdReplaced), appLaunched(Launch.AppLaunched)

        static let kinds: [StoredKind<Event>] =
            Step.kinds.map { $0.widened(step) }
            + Session.Event.kinds.map { $0.widened(session) }
            + Household.DeviceOnboarding.Event.kinds.map { $0.widened(onboarding) }
            + [StoredKind(idReplaced), StoredKind(appLaunched)]

        var payload: any EventPayload {
            switch self {
            case .step(let event): event.payload
            case .session(let event): event.payload
            case .onboarding(let event): event.payload
            case .idReplaced(let event): event
            case .appLaunched(let event): event
            }
        }
    }

    static let commands = [
        CommandDescription(QueueMutation.self), CommandDescription(StartSync.self),
        CommandDescription(DispatchNext.self), CommandDescription(RecordAnswer.self),
        CommandDescription(RetryMutation.self), CommandDescription(DropMutation.self),
        CommandDescription(CompactQueue.self),
    ]
    static let projections = [
        ProjectionDescription(
            "queue", noun: "device", following: ["entry"],
            "The unsent and parked writes of a device, and the reason why sending stopped",
            OfflineQueue.self
        ).following("baby", renamedAs: "profile"),
        ProjectionDescription(
            "mutation", noun: "mutation",
            "One write of the offline queue: its attempts and its status", MutationHistory.self),
    ]
    static let machines = [MutationHistory.lifecycle.machine]
    static let flows = [FlowDescription("offline-queue", QueueFlow.self)]
    static let audits = [
        QueueAudit.description,
        AuditDescription(
            "offline-queue-steps", "Q6", MutationHistory.lifecycle, of: MutationHistory.self,
            noun: "mutation"
        ) { $0.status },
    ]
    static let people: PersonNouns = ["baby": "baby", "user": "user"]

    /// The events of the queue itself, without those of its device.
    enum Step: DecidedEvents {
        case queued(MutationQueued), dispatched(MutationDispatched)
        case acknowledged(MutationAcknowledged), rejected(MutationRejected)
        case retried(MutationRetried), dropped(MutationDropped), compacted(MutationsCompacted)
        case syncStarted(SyncStarted), syncFinished(SyncFinished)

        static let kinds = [
            StoredKind(queued), StoredKind(dispatched), StoredKind(acknowledged),
            StoredKind(rejected), StoredKind(retried), StoredKind(dropped), StoredKind(compacted),
            StoredKind(syncStarted), StoredKind(syncFinished),
        ]
    }

    static func deviceTag(_ device: String) -> Tag { Tag("device", device) }
    static func mutationTag(_ mutationId: String) -> Tag { Tag("mutation", mutationId) }

    /// Returns the tags of an event about a write: its device, the write, its baby and its entry.
    static func tags(
        _ device: String, _ mutationId: String, entry entryId: String? = nil,
        baby babyId: String? = nil
    ) -> [Tag] {
        let entry = entryId.flatMap { $0.isEmpty ? nil : Tag("entry", $0) }
        let baby = babyId.flatMap { $0.isEmpty ? nil : Tag("baby", $0) }
        return [deviceTag(device), mutationTag(mutationId)] + [baby, entry].compactMap(\.self)
    }

    /// True if a device, and not the server, assigned this id of an entry or a baby.
    static func isLocal(_ id: String) -> Bool { id.hasPrefix("local-") || id.hasPrefix("offline_") }
}

/// A command on the queue of one device.
///
/// The command depends on all events of the device, and on all ids of the entries and babies that
/// it concerns. The ids of other writes in the queue do not matter, so that a long queue costs no
/// more than a short one.
protocol QueueCommand: Command, PlainRecord where Model == OfflineQueue {
    var device: String { get }
    /// Returns the tags of the entries and babies that the command concerns, by any of their ids.
    func entityTags(_ state: OfflineQueue.State) -> [Tag]
}

extension QueueCommand {
    /// Returns no tags, by default.
    func entityTags(_ state: OfflineQueue.State) -> [Tag] { [] }
    var query: Query { query(knowing: OfflineQueue.State()) }

    func query(knowing state: OfflineQueue.State) -> Query {
        let device = events(of: OfflineQueue.deviceTag(device))
        let tags = state.tagsOfReplacements(entityTags(state))
        return tags.isEmpty ? device : device.union(.any(of: [Household.IdReplaced.kind], tags))
    }
}
