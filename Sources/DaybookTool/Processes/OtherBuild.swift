import Daybook
import DaybookLog

/// Another build of `replay`, asked what it makes of events.
struct OtherBuild {
    let program: String

    /// Refuses a program that is not a build of `replay`.
    func check() throws {
        let ended = try run(["--version"])
        let parts =
            String(decoding: ended.output, as: UTF8.self)
            .split(whereSeparator: \.isNewline).first?.split(separator: ".") ?? []
        guard ended.code == 0, parts.count == 3, parts.allSatisfy({ Int($0) != nil }) else {
            throw Failure(.usage, "--against \(program): is no build of \(ReplayTool.name)")
        }
    }

    private func run(_ arguments: [String]) throws -> ChildProcess.Ended {
        // The logs that it reads are made here, and are not the head file's.
        try ChildProcess.run(
            program, arguments, environment: [LogOptions.headVariable: ""],
            isQuiet: true)
    }

    /// `true` if the other build makes another state of an entity from a log of these events alone.
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

    private func otherState(
        of projection: ProjectionDescription, _ key: String, _ rules: RuleSet, _ path: String
    ) throws -> String? {
        let ended = try run([
            "state", projection.name, key, "--rules", rules.name, "--json", "--log", path,
        ])
        // It ends with 1 where it knows of no such entity.
        switch ended.code {
        case 1: return nil
        case 0:
            do throws(InputError) {
                return try JSONParser.parse(ended.output)["state"]?.canonicalText
            } catch {
                throw Failure(.usage, "--against \(program): answers no JSON: \(error.message)")
            }
        default:
            throw Failure(
                .usage,
                "--against \(program): 'state' ended with \(ended.code)")
        }
    }
}

extension RecordedEvent {
    /// To be appended as a fact; its personal texts are sealed already, and lie elsewhere.
    fileprivate var asNew: NewEvent {
        NewEvent(
            kind: kind, tags: tags, occurredAt: envelope.occurredAt, zone: zone,
            offsetS: envelope.offsetS, payload: payload)
    }
}
