public import EventSourcing

extension Running {
    /// What can happen to a run, and to who runs it.
    public enum Event: DecidedEvents {
        case runnerProfileChanged(RunnerProfileChanged)
        case runStarted(RunStarted)
        case locationsRecorded(LocationsRecorded)
        case runPaused(RunPaused)
        case runResumed(RunResumed)
        case runCompleted(RunCompleted)
        case runSaved(RunSaved)
        case runSaveFailed(RunSaveFailed)
        case runDiscarded(RunDiscarded)
        case runCancelled(RunCancelled)
        case runRestored(RunRestored)

        public static let kinds: [StoredKind<Event>] = [
            StoredKind(Event.runnerProfileChanged),
            StoredKind(Event.runStarted),
            StoredKind(Event.locationsRecorded),
            StoredKind(Event.runPaused),
            StoredKind(Event.runResumed),
            StoredKind(Event.runCompleted),
            StoredKind(Event.runSaved),
            StoredKind(Event.runSaveFailed),
            StoredKind(Event.runDiscarded),
            StoredKind(Event.runCancelled),
            StoredKind(Event.runRestored),
        ]

        public var payload: any EventPayload {
            switch self {
            case .runnerProfileChanged(let payload): payload
            case .runStarted(let payload): payload
            case .locationsRecorded(let payload): payload
            case .runPaused(let payload): payload
            case .runResumed(let payload): payload
            case .runCompleted(let payload): payload
            case .runSaved(let payload): payload
            case .runSaveFailed(let payload): payload
            case .runDiscarded(let payload): payload
            case .runCancelled(let payload): payload
            case .runRestored(let payload): payload
            }
        }

        /// The run it is about; `nil` for a profile.
        var runId: String? {
            switch self {
            case .runnerProfileChanged: nil
            case .runStarted(let payload): payload.runId
            case .locationsRecorded(let payload): payload.runId
            case .runPaused(let payload): payload.runId
            case .runResumed(let payload): payload.runId
            case .runCompleted(let payload): payload.runId
            case .runSaved(let payload): payload.runId
            case .runSaveFailed(let payload): payload.runId
            case .runDiscarded(let payload): payload.runId
            case .runCancelled(let payload): payload.runId
            case .runRestored(let payload): payload.runId
            }
        }
    }
}
