import Daybook

extension Running {
    /// The state of a run, from its start to its end or its removal.
    package enum RunState: UInt8, StoredEnum {
        case idle, running, paused
        /// Ended, with final figures.
        case completed
        /// Ended, and not included in the history.
        case discarded
        /// Removed from the history after completion.
        case cancelled
        var isActive: Bool { self == .running || self == .paused }
    }

    static let lifecycle = Lifecycle<RunState>(
        "run", field: "state",
        [
            .begins(RunStarted.self, .running),
            .stays(LocationsRecorded.self, in: .running, .paused),
            .step(RunPaused.self, from: .running, .paused, to: .paused),
            .step(RunResumed.self, from: .paused, to: .running),
            .step(RunCompleted.self, from: .running, .paused, to: .completed),
            .stays(RunSaved.self, in: .completed),
            .stays(RunSaveFailed.self, in: .completed),
            .stays(RunCropped.self, in: .completed),
            .stays(CopyRecorded.self, in: .completed),
            .step(RunDiscarded.self, from: .running, .paused, .completed, to: .discarded),
            .step(RunCancelled.self, from: .completed, to: .cancelled),
            .step(RunRestored.self, from: .cancelled, to: .completed),
        ])

    /// The way in which a run was recorded.
    package enum RunMode: UInt8, StoredEnum {
        case solo, matching
        /// A run that was recorded by another app or device and imported as a whole.
        case imported
        /// A run entered by hand, without places, such as one on a treadmill or without a phone.
        case manual

        /// The mode if a command names none: `solo`.
        package static var absent: RunMode? { .solo }
    }
}

extension Refusal {
    static func runExists(_ runId: String) -> Refusal {
        Refusal("runExists", "the id '\(runId)' already belongs to another run")
    }

    static func runNotFound(_ runId: String) -> Refusal {
        Refusal("runNotFound", "there is no run '\(runId)'")
    }

    static func runNotActive(_ run: Running.Run) -> Refusal {
        Refusal(
            "runNotActive", "run '\(run.runId)' is \(run.state.name); expected running or paused")
    }

    static func runNotCompleted(_ run: Running.Run) -> Refusal {
        Refusal(
            "runNotCompleted", "run '\(run.runId)' is \(run.state.name); expected a completed run")
    }

    static func runSaved(_ runId: String) -> Refusal {
        Refusal("runSaved", "run '\(runId)' is already saved or imported; cancel the run instead")
    }
}
