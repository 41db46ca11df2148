import Daybook
import DaybookLog

/// Another build of `replay`, whose states are compared with the states of this build.
struct OtherBuild {
    let program: String

    /// Throws an error if the program is not a build of `replay`.
    func check() throws {
        let ended = try run(["--version"])
        let parts =
            String(decoding: ended.output, as: UTF8.self)
            .split(whereSeparator: \.isNewline).first?.split(separator: ".") ?? []
        guard ended.code == 0, parts.count == 3, parts.allSatisfy({ Int($0) != nil }) else {
            throw Failure(
                .usage, "--against \(program): the program is not a build of \(Program.name)")
        }
    }

    /// Runs a command of the other build, without a head file.
    private func run(_ arguments: [String]) throws -> ChildProcess.Termination {
        // The logs that the build reads are temporary, and the head file does not belong to them.
        try ChildProcess.run(
            program, arguments, environment: [LogOptions.headVariable: ""], isQuiet: true)
    }

    /// True if the other build folds the events to another state of the entity than this build.
    func differs(
        on projection: ProjectionDescription, _ key: String, _ rules: RuleSet,
        _ events: [RecordedEvent], _ catalogue: Catalogue
    ) throws -> Bool {
        let folder = try TemporaryFolder()
        let path = folder.path(of: "log")
        let own = try ownState(of: projection, key, rules, events, catalogue, path)
        let found = try otherState(of: projection, key, rules, path)
        return own != found
    }

    /// Appends the events to a new log, and returns the entity's state in this build; `nil` if the
    /// entity has no state.
    private func ownState(
        of projection: ProjectionDescription, _ key: String, _ rules: RuleSet,
        _ events: [RecordedEvent], _ catalogue: Catalogue, _ path: String
    ) throws -> String? {
        let last = events.last?.envelope.recordedAt ?? Instant(microseconds: 0)
        let log = try EventLog(path: path, access: .create, clock: { last })
        if !events.isEmpty { _ = try log.append(AppendRequest(events.map(\.asNew))) }
        let reader = try EntityReader(log, catalogue)
        let state = try reader.state(along: reader.walk(of: projection, key), rules)
        return state.isEmpty ? nil : try JSONParser.parse(state.fold.json.utf8).canonicalText
    }

    /// Returns the entity's state in the other build, as canonical JSON; `nil` if it has none.
    private func otherState(
        of projection: ProjectionDescription, _ key: String, _ rules: RuleSet, _ path: String
    ) throws -> String? {
        let ended = try run([
            "state", projection.name, key, "--rules", rules.name, "--json", "--log", path,
        ])
        // Code 1 means that the log has no such entity.
        switch ended.code {
        case 1: return nil
        case 0:
            do throws(InputError) {
                return try JSONParser.parse(ended.output)["state"]?.canonicalText
            } catch {
                throw Failure(
                    .usage,
                    "--against \(program): the output of its command 'state' is not JSON: "
                        + "\(error.message)")
            }
        default:
            throw Failure(
                .usage, "--against \(program): its command 'state' exited with code \(ended.code)")
        }
    }
}

extension RecordedEvent {
    /// The event as a new event, without its personal texts, which only its own log decrypts.
    fileprivate var asNew: NewEvent {
        NewEvent(
            kind: kind, tags: tags, occurredAt: envelope.occurredAt, zone: zone,
            offsetS: envelope.offsetS, payload: payload)
    }
}
