import CivilTime
import EventSourcing
import EventStorage
import Playback

/// What a command comes to when it is decided again.
struct CommandAgain: CustomStringConvertible {
    enum Outcome: Equatable {
        /// The events that are recorded; or none, and none are.
        case same
        case events([EventKind])
        /// Nothing to do, where there was.
        case nothing
        case refused(EventSourcing.Outcome.Refused)
    }

    var line: Int
    var name: String
    /// Of its commit; `nil` where it left none.
    var positions: ClosedRange<UInt64>?
    var outcome: Outcome

    var isSame: Bool { outcome == .same }

    var description: String {
        let was =
            switch positions {
            case nil: "which left no event"
            case let all? where all.count == 1: "of \(all.lowerBound)"
            case let all?: "of \(all.lowerBound) to \(all.upperBound)"
            }
        let would =
            switch outcome {
            case .same: "would come out the same"
            case .events(let kinds):
                "would give " + kinds.map(\.name).joined(separator: ", ")
                    + (positions == nil ? "" : " with other values or times")
            case .nothing: "would have nothing to do"
            case .refused(let refused): "would be refused: \(refused.message) (\(refused.code))"
            }
        return "line \(line), \(name) \(was): \(would)"
    }

    var json: String {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("line", Int64(line))
            writer.member("command", name)
            writer.member("first", positions.map { Int64($0.lowerBound) })
            writer.member("last", positions.map { Int64($0.upperBound) })
            switch outcome {
            case .same: writer.member("would", "be the same")
            case .events(let kinds): writer.member("events", kinds.map(\.name))
            case .nothing: writer.member("events", [String]())
            case .refused(let refused):
                writer.member("refused") { writer in
                    writer.member("code", refused.code)
                    writer.member("message", refused.message)
                }
            }
        }
        return writer.text
    }
}

/// A command of a file, and where it stands in the log.
private struct GivenCommand {
    var line: Int
    var name: String
    var decision: any PendingDecision
    /// Its events, in their newest layouts; none where it left no commit.
    var recorded: [RecordedEvent]
    /// It is decided behind this position.
    var after: Position
    var recordedAt: Instant?
}

extension HistoryChanges {
    /// Decides commands again that were given once, each on the history as it has become by then.
    ///
    /// Events that a change names are left as the change has them, with the commands that led to
    /// them.
    mutating func decideAgain(linesOf path: String) throws -> [CommandAgain] {
        let touched = Set(history.touched)
        let given = try commands(linesOf: path).filter { command in
            !command.recorded.contains { touched.contains($0.position) }
        }
        var answers: [CommandAgain] = []
        // A sort that keeps the order of the file among equals.
        let inOrder = given.enumerated().sorted { ($0.1.after, $0.0) < ($1.1.after, $1.0) }
        for (_, command) in inOrder {
            let outcome = try decide(again: command)
            answers.append(
                CommandAgain(
                    line: command.line, name: command.name,
                    positions: command.recorded.first.map {
                        $0.position
                            .rawValue...($0.position.rawValue
                            + UInt64(command.recorded.count) - 1)
                    }, outcome: outcome))
        }
        return answers
    }

    private mutating func decide(again command: GivenCommand) throws -> CommandAgain.Outcome {
        let outcome = try decide(command.decision, after: command.after)
        switch outcome {
        case .events(let events):
            if try isSame(events, as: command.recorded) { return .same }
            command.recorded.forEach { leaveOut($0) }
            for event in events {
                place(event, after: command.after, recordedAt: command.recordedAt)
            }
            return events.isEmpty ? .nothing : .events(events.map(\.kind))
        case .refused(let refused):
            if command.recorded.isEmpty { return .same }
            command.recorded.forEach { leaveOut($0) }
            return .refused(refused)
        }
    }

    /// Personal texts are compared as texts: every seal has a salt of its own.
    private func isSame(_ events: [NewEvent], as recorded: [RecordedEvent]) throws -> Bool {
        guard events.count == recorded.count else { return false }
        for (new, old) in zip(events, recorded) {
            guard new.kind == old.kind, new.tags == old.tags, new.zone == old.zone,
                new.occurredAt == old.envelope.occurredAt,
                new.offsetS == old.envelope.offsetS
            else { return false }
            guard let description = reading.catalogue.events[old.kind] else { return false }
            let texts = try description.personalTexts(of: old, in: reading.log)
            let json = try description.json(new.payload) { field in
                // What is erased cannot be compared.
                texts[field] == nil ? nil : new.personal[Int(field)].text
            }
            guard try json == description.json(old.payload, { texts[$0] }) else { return false }
        }
        return true
    }

    /// The commands of a file, each with the commit that stands under its key.
    private func commands(linesOf path: String) throws -> [GivenCommand] {
        let reader = AppendLineReader(catalogue: reading.catalogue)
        var commands: [GivenCommand] = []
        // Behind what the line before led to.
        var reached = Position.origin
        var keys: Set<String> = []
        try reader.forEachLine(of: path) { line, bytes in
            guard line.idempotency != nil || line.after != nil else {
                throw InputError(
                    "is missing: by it the commit is found that the command led to",
                    line: line.number, field: "key")
            }
            // A key that comes again was answered with what the first came to.
            if let key = line.idempotency?.key, !keys.insert(key).inserted { return }
            if let command = try given(line, bytes, reader, &reached) { commands.append(command) }
        }
        return commands
    }

    /// - Returns: `nil` for a fact, which nobody decided, and for what came after the moment.
    private func given(
        _ line: AppendLine, _ bytes: [UInt8], _ reader: AppendLineReader,
        _ reached: inout Position
    ) throws -> GivenCommand? {
        let log = reading.log
        var line = line
        let commit = try line.idempotency.flatMap { try log.commit(ofKey: $0.key) }
        var recorded: [RecordedEvent] = []
        if let commit {
            reached = commit.last
            recorded = try log.events(
                after: Position(commit.first.rawValue - 1), through: commit.last
            ).map(reading.catalogue.upcast)
        } else if let after = line.after {
            reached = Position(UInt64(after))
        }
        guard reached <= reading.through else { return nil }
        let after = commit.map { Position($0.first.rawValue - 1) } ?? reached
        let recordedAt =
            try commit?.recordedAt ?? log.commit(at: max(after, Position(1)))?.recordedAt
        // A line without a time was given when its events happened.
        if let now = recorded.first?.envelope.occurredAt ?? recordedAt {
            line = try reader.read(bytes, line: line.number, now: now)
        }
        guard case .command(let decision) = line.body else { return nil }
        return GivenCommand(
            line: line.number, name: line.name, decision: decision, recorded: recorded,
            after: after,
            recordedAt: recordedAt)
    }
}
