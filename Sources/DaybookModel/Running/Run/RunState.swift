public import Daybook

extension Running {
    /// The progress of a run.
    public enum RunState: UInt8, StoredEnum {
        case idle
        case running
        case paused
        case completed
        case discarded
        case cancelled

        /// True for a running or paused run.
        public var isActive: Bool { self == .running || self == .paused }
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
            .step(RunDiscarded.self, from: .running, .paused, .completed, to: .discarded),
            .step(RunCancelled.self, from: .completed, to: .cancelled),
            .step(RunRestored.self, from: .cancelled, to: .completed),
        ])

    /// The origin of a run.
    public enum RunMode: UInt8, StoredEnum {
        /// A run alone.
        case solo
        /// A run with others.
        case matching
        /// A run recorded elsewhere and imported complete.
        case imported
        /// A run entered by hand, without places, such as one on a treadmill or without a phone.
        case manual

        public static var absent: RunMode? { .solo }
    }
}

extension Refusal {
    static func runExists(_ runId: String) -> Refusal {
        Refusal("runExists", "there is a run '\(runId)' already")
    }

    static func runNotFound(_ runId: String) -> Refusal {
        Refusal("runNotFound", "there is no run '\(runId)'")
    }

    static func runNotActive(_ run: Running.Run) -> Refusal {
        Refusal(
            "runNotActive",
            "run '\(run.runId)' is \(run.state.name), and neither running nor paused")
    }

    static func runNotCompleted(_ run: Running.Run) -> Refusal {
        Refusal("runNotCompleted", "run '\(run.runId)' is \(run.state.name), not completed")
    }

    static func runSaved(_ runId: String) -> Refusal {
        Refusal("runSaved", "run '\(runId)' is already saved; cancel the run instead")
    }
}
