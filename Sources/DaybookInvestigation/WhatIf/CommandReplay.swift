public import Daybook
import DaybookLog

/// The result of a command that is decided again on an altered history.
public struct CommandReplay: Equatable, Sendable, CustomStringConvertible {
    /// The new result of the command.
    public enum Outcome: Equatable, Sendable {
        case same
        /// The command would now cause events of these kinds.
        case events([EventKind])
        case nothing
        case refused(Daybook.Refusal)
        /// An earlier command with the same idempotency key would now be accepted; this command
        /// would only repeat the earlier result.
        case repeated
    }

    /// Number of the command's line in the file, from 1.
    public var line: Int
    public var name: String
    /// Position of the command's first recorded event; `nil` if the command caused none.
    public var first: Position?
    /// Kinds of the events that the log recorded for the command.
    public var kinds: [EventKind]
    /// The result of deciding the command again, compared with the recorded result.
    public var outcome: Outcome

    /// True if the result is the same as before.
    public var isSame: Bool { outcome == .same }

    /// Position of the command's last recorded event; `nil` if the command caused none.
    public var last: Position? { first.map { Position($0.rawValue + UInt64(kinds.count) - 1) } }

    public var description: String {
        let was =
            if let first, let last {
                first == last ? "of \(first)" : "of \(first) to \(last)"
            } else {
                "which recorded no event"
            }
        let would =
            switch outcome {
            case .same: "would come out the same"
            case .events(let new):
                "would give " + new.map(\.name).joined(separator: ", ")
                    + (new == kinds ? " with other values or times" : "")
            case .nothing: "would record nothing"
            case .refused(let refused): "would be refused: \(refused.message) (\(refused.code))"
            case .repeated: "would repeat an earlier command with the same idempotency key"
            }
        return "line \(line), \(name) \(was): \(would)"
    }
}

/// A command of a file, with its place in the log.
private struct PlacedCommand {
    var line: Int
    var name: String
    /// Idempotency key of the command; `nil` if the line has none.
    var key: String?
    var decision: any PendingDecision
    /// Events that the log recorded for the command, in their newest schema versions; empty without
    /// a commit.
    var recordedEvents: [RecordedEvent]
    /// Position after which the command is decided.
    var after: Position
    /// Time at which the log recorded the command, or of the event before it without a commit.
    var recordedAt: Instant?
}

extension HistoryChanges {
    /// Decides earlier commands again, each on the altered history up to its place in the log.
    ///
    /// Commands whose events an explicit change affects are not decided again; these events stay as
    /// changed.
    ///
    /// - Parameters:
    ///   - lines: the lines of the commands as parsed, each with its bytes.
    ///   - reader: parses each line again; the present time is the time at which the first event
    ///     of the commit happened.
    /// - Throws: `InputError` for a line whose place in the log cannot be determined.
    public mutating func decideAgain(
        _ lines: [(line: AppendLine, bytes: [UInt8])], _ reader: AppendLineReader
    ) throws -> [CommandReplay] {
        let touched = history.removedPositions
        let given = try commands(lines, reader).filter { command in
            !command.recordedEvents.contains { touched.contains($0.position) }
        }
        var answers: [CommandReplay] = []
        var accepted: Set<String> = []
        // A stable sort: commands at one position keep the order of the file.
        let inOrder = given.enumerated().sorted { ($0.1.after, $0.0) < ($1.1.after, $1.0) }
        for (_, command) in inOrder {
            let outcome = try decide(again: command, &accepted)
            answers.append(
                CommandReplay(
                    line: command.line, name: command.name,
                    first: command.recordedEvents.first?.position,
                    kinds: command.recordedEvents.map(\.kind), outcome: outcome))
        }
        return answers
    }

    /// Decides a command again, and puts its new events in place; `accepted` has the keys so far.
    private mutating func decide(
        again command: PlacedCommand, _ accepted: inout Set<String>
    ) throws -> CommandReplay.Outcome {
        if let key = command.key, accepted.contains(key) {
            command.recordedEvents.forEach { omit($0) }
            return command.recordedEvents.isEmpty ? .same : .repeated
        }
        let would = try decide(command.decision, after: command.after)
        if command.recordedEvents.isEmpty {
            let was = try decide(command.decision, after: command.after, on: AlteredHistory())
            if was == would, !would.hasEvents { return .same }
        }
        if would.hasEvents, let key = command.key { accepted.insert(key) }
        switch would {
        case .events(let events):
            if !events.isEmpty, try isSame(events, as: command.recordedEvents) { return .same }
            command.recordedEvents.forEach { omit($0) }
            for event in events {
                place(event, after: command.after, recordedAt: command.recordedAt)
            }
            return events.isEmpty ? .nothing : .events(events.map(\.kind))
        case .refused(let refused):
            command.recordedEvents.forEach { omit($0) }
            return .refused(refused)
        }
    }

    /// True if decided events equal recorded events, including their personal texts. Personal texts
    /// are compared in plain text, because each encrypted text has a different salt.
    private func isSame(_ events: [NewEvent], as recorded: [RecordedEvent]) throws -> Bool {
        guard events.count == recorded.count else { return false }
        for (new, old) in zip(events, recorded) {
            guard new.kind == old.kind, new.tags == old.tags, new.zone == old.zone,
                new.occurredAt == old.envelope.occurredAt, new.offsetS == old.envelope.offsetS,
                let description = reading.catalogue.events[old.kind]
            else { return false }
            let texts = try description.personalTexts(of: old, in: reading.log)
            // A value that is erased cannot be compared.
            let (given, kept) = try comparablePayloads(new, old, description)
            let json = try description.json(given) { field in
                guard texts[field] != nil, new.personal.indices.contains(Int(field)) else {
                    return nil
                }
                return new.personal[Int(field)].text
            }
            guard try json == description.json(kept, { texts[$0] }) else { return false }
        }
        return true
    }

    /// Returns the payloads of the new and the recorded event in a form that can be compared.
    ///
    /// If the recorded event has lost personal names or integers by erasure, both payloads are
    /// returned without them.
    private func comparablePayloads(
        _ new: NewEvent, _ old: RecordedEvent, _ description: EventDescription
    ) throws -> ([UInt8], [UInt8]) {
        let parts = try unsafe description.parts(old.payload.contents.bytes)
        guard parts.count < new.parts.count else { return (new.payload, old.payload) }
        return (
            PayloadPart.erasing(new.parts, in: new.payload),
            PayloadPart.erasing(parts, in: old.payload)
        )
    }

    /// Returns the commands of the lines, each with its place in the log. The place is the commit
    /// with the command's idempotency key, or else the position `after` of the line.
    private func commands(
        _ lines: [(line: AppendLine, bytes: [UInt8])], _ reader: AppendLineReader
    ) throws -> [PlacedCommand] {
        // Only commands are decided; events are not.
        let lines = lines.filter { if case .command = $0.line.body { true } else { false } }
        for (line, _) in lines {
            guard line.idempotency != nil || line.after != nil else {
                throw InputError(
                    "a command needs an idempotency key or a position in 'after', by which its "
                        + "place in the log is found", line: line.number, field: "key")
            }
            if let after = line.after, after > reading.through.rawValue {
                throw InputError(
                    "there is no position \(after): the log ends at position "
                        + "\(reading.through), or is read only up to there", line: line.number,
                    field: "after")
            }
        }
        let commitsByKey = try commitsByKey(lines.map(\.line))
        var commands: [PlacedCommand] = []
        // Last position of the previous line's commit, or the previous line's `after`.
        var reached = Position.origin
        for (index, (line, bytes)) in lines.enumerated() {
            let owner = line.idempotency.flatMap { commitsByKey[$0.key] }
            // Once a key has a commit, later lines with the key repeat its result.
            if let owner, index > owner.index { continue }
            let commit = index == owner?.index ? owner?.commit : nil
            if let command = try placedCommand(line, bytes, commit, reader, &reached) {
                commands.append(command)
            }
        }
        return commands
    }

    /// Returns the commit of each idempotency key, and the index of the line that caused the
    /// commit.
    ///
    /// If several lines have the same key, a line with the request that the commit answered is
    /// chosen, preferably one with the time of the commit's first event.
    private func commitsByKey(
        _ lines: [AppendLine]
    ) throws -> [String: (index: Int, commit: RecordedCommit)] {
        var commitsByKey: [String: (index: Int, commit: RecordedCommit, rank: Int)] = [:]
        for (index, line) in lines.enumerated() {
            guard let asked = line.idempotency,
                let commit = try reading.log.commits.ofKey(asked.key)
            else { continue }
            var rank = 0
            if try reading.log.wasAsked(asked) {
                let first = try reading.log.reader(
                    .all, ReadWindow(from: commit.first, through: commit.first)
                ).collect().first
                rank = first?.envelope.occurredAt == line.time ? 2 : 1
            }
            if rank > commitsByKey[asked.key]?.rank ?? -1 {
                commitsByKey[asked.key] = (index, commit, rank)
            }
        }
        return commitsByKey.mapValues { ($0.index, $0.commit) }
    }

    /// Returns the command of a line with its place in the log.
    ///
    /// - Parameter reached: the last position of the previous command; set to the last position of
    ///   this one.
    /// - Returns: `nil` if the command came after the last position that is read.
    private func placedCommand(
        _ line: AppendLine, _ bytes: [UInt8], _ commit: RecordedCommit?,
        _ reader: AppendLineReader, _ reached: inout Position
    ) throws -> PlacedCommand? {
        let log = reading.log
        var line = line
        var recorded: [RecordedEvent] = []
        if let commit {
            reached = commit.last
            recorded = try log.reader(.all, ReadWindow(from: commit.first, through: commit.last))
                .collect().map(reading.catalogue.upcast)
        } else if let after = line.after {
            reached = Position(UInt64(after))
        }
        guard reached <= reading.through else { return nil }
        let after = commit.map { Position($0.first.rawValue - 1) } ?? reached
        let recordedAt =
            try commit?.recordedAt ?? log.commits.at(max(after, Position(1)))?.recordedAt
        // A line without a time gets the time at which its events happened.
        if let now = recorded.first?.envelope.occurredAt ?? recordedAt {
            line = try reader.read(bytes, line: line.number, now: now)
        }
        guard case .command(let decision) = line.body else { return nil }
        return PlacedCommand(
            line: line.number, name: line.name, key: line.idempotency?.key, decision: decision,
            recordedEvents: recorded, after: after, recordedAt: recordedAt)
    }
}

extension Daybook.Outcome {
    /// True if the command is accepted and causes events.
    fileprivate var hasEvents: Bool {
        if case .events(let events) = self { !events.isEmpty } else { false }
    }
}

extension EventLog {
    /// True if the commit with the idempotency key answered the same request.
    fileprivate func wasAsked(_ asked: AppendRequest.Idempotency) throws -> Bool {
        do throws(AppendError) { return try receipt(for: asked) != nil } catch .keyReused {
            return false
        }
    }
}
