public import EventSourcing

extension Running {
    /// What can be asked of a run.
    public enum Command: Sendable {
        case changeProfile(ChangeProfile)
        case start(Start)
        case recordLocations(RecordLocations)
        case pause(Pause)
        case resume(Resume)
        case stop(Stop)
        case save(Save)
        case failSave(FailSave)
        case discard(Discard)
        case cancel(Cancel)
        case restore(Restore)
        case importTrack(ImportTrack)
    }

    public static func query(for command: Command) -> Query {
        switch command {
        case .changeProfile(let body): profileQuery(body.userId)
        case .start(let body):
            Query(runItem(body.runId), Query.Item(kinds: runKinds, tags: [slotTag(body.userId)]))
        case .recordLocations(let body): Query(runItem(body.runId))
        case .pause(let body): Query(runItem(body.runId))
        case .resume(let body): Query(runItem(body.runId))
        case .stop(let body): Query(runItem(body.runId))
        case .save(let body): Query(runItem(body.runId))
        case .failSave(let body): Query(runItem(body.runId))
        case .discard(let body): Query(runItem(body.runId))
        case .cancel(let body): Query(runItem(body.runId))
        case .restore(let body): Query(runItem(body.runId))
        case .importTrack(let body):
            Query(runItem(body.runId), profileItem(body.userId))
        }
    }

    /// Once the run has told its runner, what a stop needs of the profile.
    public static func query(for command: Command, knowing state: State) -> Query {
        let query = query(for: command)
        guard case .stop(let body) = command, let run = state.runs[body.runId],
            let items = query.items, !run.userId.isEmpty
        else { return query }
        return Query(items: items + [profileItem(run.userId)]) ?? query
    }

    static func runItem(_ runId: String) -> Query.Item {
        Query.Item(kinds: runKinds, tags: [tag(runId)])
    }

    static func profileItem(_ userId: String) -> Query.Item {
        Query.Item(kinds: [RunnerProfileChanged.kind], tags: [userTag(userId)])
    }

    /// What is known of a runner.
    public static func profileQuery(_ userId: String) -> Query { Query(profileItem(userId)) }
}
