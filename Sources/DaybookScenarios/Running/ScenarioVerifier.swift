import Daybook
import DaybookInput

/// Compares the outcome of a finished simulation with the checks of its scenario.
struct ScenarioVerifier {
    let simulation: ScenarioSimulation
    /// Position of the last event of `given`.
    let givenHead: Position
    let catalogue: Catalogue
    let zones: ZoneSource?
    private var scenario: Scenario { simulation.scenario }
    private var eventsOfWhen: ArraySlice<RecordedEvent> {
        simulation.events.dropFirst(Int(givenHead.rawValue))
    }

    /// Returns all failures: failed steps, unexpected refusals and failed checks.
    func failures() -> [ScenarioFailure] {
        var failures = simulation.stepFailures.map { failure in
            ScenarioFailure(
                place: failure.step.label, line: failure.step.line, field: "",
                expected: failure.expected, actual: failure.actual, through: simulation.head)
        }
        failures += unexpectedRefusals()
        for check in scenario.then { failures += self.failures(of: check) }
        return failures
    }

    /// Returns all events of the log with their payloads as JSON.
    func recordedEvents() -> [ScenarioEvent] {
        simulation.events.map {
            ScenarioEvent(
                recorded: $0, payloadJSON: payloadJSON($0),
                fields: catalogue.events[$0.kind]?.fields ?? []
            )
        }
    }

    /// Returns the payload of an event as JSON, with its personal texts.
    private func payloadJSON(_ event: RecordedEvent) -> String {
        let texts = simulation.personalTexts[event.position] ?? []
        do throws(CorruptPayload) {
            return try catalogue.events[event.kind]?.json(event.payload) {
                Int($0) < texts.count ? texts[Int($0)] : nil
            } ?? "{}"
        } catch {
            return JSONWriter.text("\(error)")
        }
    }

    /// Parses the JSON of an event, state or report; returns the error as a text if it is
    /// malformed.
    private func parse(_ json: String) -> Tree {
        do throws(InputError) {
            return try JSONParser.parse(json.utf8)
        } catch {
            // This happens if a record of an area has two fields of the same name; every check of
            // the record then fails with this text.
            return Tree(.text("not JSON: \(error.message)"), line: 1)
        }
    }

    /// Returns a failure for each refused command that no check expects to be refused.
    private func unexpectedRefusals() -> [ScenarioFailure] {
        simulation.refusals.filter { refusal in
            !scenario.then.contains {
                guard case .refused(let step, let code, _) = $0.body else { return false }
                return refusal.step.isStep(step) && refusal.reason.code == code
            }
        }.map { refusal in
            ScenarioFailure(
                place: refusal.step.label, line: refusal.step.line, field: refusal.command,
                expected: "not refused",
                actual: "refused: \(refusal.reason.code): \(refusal.reason.message)",
                through: refusal.head)
        }
    }

    /// Returns the failures of one check; empty if it passes.
    private func failures(of check: Scenario.Check) -> [ScenarioFailure] {
        switch check.body {
        case .events(let expected, _): eventFailures(expected, check)
        case .count(let counts): countFailures(counts, check)
        case .refused(let step, let code, let tree): refusalFailures(step, code, tree, check)
        case .state(let projection, let key, let moment, let fields):
            stateFailures(projection, key, moment, fields, check)
        case .report(let report, let arguments, let moment, let fields):
            reportFailures(report, arguments, moment, fields, check)
        case .finding(let rule, let entity, let moment):
            findingFailures(rule, entity, moment, check)
        }
    }

    /// Compares the kinds of the events that the steps of `when` recorded with the expected kinds;
    /// if all are equal, compares the payloads.
    private func eventFailures(
        _ expected: [Scenario.ExpectedEvent], _ check: Scenario.Check
    ) -> [ScenarioFailure] {
        let produced = Array(eventsOfWhen)
        let place = "\(check.path).events"
        let isSame =
            expected.count == produced.count
            && zip(expected, produced).allSatisfy { $0.kinds.contains($1.kind) }
        guard isSame else {
            let first = zip(expected, produced).prefix { $0.kinds.contains($1.kind) }.count
            let name = { (index: Int, names: [String]) in
                index < names.count ? names[index] : "no more events"
            }
            let names = produced.map(\.kind.name)
            return [
                ScenarioFailure(
                    place: place, line: first < expected.count ? expected[first].line : check.line,
                    field: "[\(first)]",
                    expected:
                        "\(name(first, expected.map(\.name))) (\(expected.count.counted("event")) in all)",
                    actual: "\(name(first, names)) (\(produced.count.counted("event")) in all)",
                    through: first < produced.count ? produced[first].position : simulation.head,
                    edit: .events(line: check.line, new: names))
            ]
        }
        var failures: [ScenarioFailure] = []
        for (event, recorded) in zip(expected, produced) {
            guard let data = event.data else { continue }
            var diff = ExpectationDiff(over: catalogue.events[recorded.kind]?.fields ?? [])
            diff.compare(data, with: parse(payloadJSON(recorded)), "")
            failures += diff.mismatches.map {
                failure($0, place: "\(event.path) \(event.name)", recorded.position)
            }
        }
        return failures
    }

    /// Compares how many events of some kinds the steps of `when` recorded with the expected
    /// numbers.
    private func countFailures(
        _ counts: [(kinds: Set<EventKind>, name: String, count: Int64, Tree)],
        _ check: Scenario.Check
    ) -> [ScenarioFailure] {
        counts.compactMap { kinds, name, count, tree in
            let found = Int64(eventsOfWhen.count { kinds.contains($0.kind) })
            guard found != count else { return nil }
            let last = eventsOfWhen.last { kinds.contains($0.kind) }?.position
            return ScenarioFailure(
                place: "\(check.path).count", line: tree.line, field: name, expected: "\(count)",
                actual: "\(found)", through: last ?? simulation.head,
                edit: .value(line: tree.line, key: name, old: tree, new: .integer(found)))
        }
    }

    /// Checks that the command of a step was refused with an error code, and with a message that
    /// contains the words in `says`, if given.
    private func refusalFailures(
        _ step: String, _ code: String, _ tree: Tree, _ check: Scenario.Check
    ) -> [ScenarioFailure] {
        let refusals = simulation.refusals.filter { $0.step.isStep(step) }
        let fitting = refusals.filter { $0.reason.code == code }
        if let last = fitting.last {
            guard case .text(let words)? = tree["says"]?.content,
                !fitting.contains(where: { $0.reason.message.contains(words) })
            else { return [] }
            return [
                ScenarioFailure(
                    place: "\(check.path).refused, step \(step)",
                    line: tree["says"]?.line ?? tree.line, field: "says", expected: words,
                    actual: last.reason.message, through: last.head)
            ]
        }
        let codes = Set(refusals.map(\.reason.code)).sorted()
        let old = tree["code"] ?? tree
        return [
            ScenarioFailure(
                place: "\(check.path).refused, step \(step)", line: old.line, field: "code",
                expected: code,
                actual: codes.isEmpty ? "not refused" : codes.joined(separator: ", "),
                through: refusals.last?.head ?? simulation.head,
                edit: codes.count == 1
                    ? .value(line: old.line, key: "code", old: old, new: .text(codes[0])) : nil)
        ]
    }

    /// Compares the state of an entity with the expected fields, at a position, at a time or at the
    /// end of the log.
    private func stateFailures(
        _ projection: ProjectionDescription, _ key: String, _ moment: Scenario.Check.Moment?,
        _ fields: Tree, _ check: Scenario.Check
    ) -> [ScenarioFailure] {
        let place = "\(check.path).state \(projection.name) \(key)"
        var fold = projection.fold(scenario.rules)
        var through = Position.origin
        do throws(FoldError) {
            // An entity without events is in its blank state, so without this guard a misspelt key
            // would pass.
            guard
                try !EntityWalk.events(
                    of: projection, key, among: simulation.events, in: catalogue
                ).isEmpty
            else {
                return [
                    ScenarioFailure(
                        place: place, line: check.line, field: "",
                        expected: "events of \(projection.noun) '\(key)'", actual: "none",
                        through: through)
                ]
            }
            let events = simulation.events.filter { includes(moment, $0) }
            let steps = try EntityWalk.events(of: projection, key, among: events, in: catalogue)
            for event in steps {
                try fold.apply(event)
                through = event.position
            }
        } catch {
            return [
                ScenarioFailure(
                    place: place, line: check.line, field: "", expected: "a state",
                    actual: "\(error)", through: through)
            ]
        }
        var diff = ExpectationDiff(over: projection.fields)
        diff.compare(fields, with: parse(fold.json), "")
        return diff.mismatches.map { failure($0, place: place, through) }
    }

    /// Compares a report with the expected fields, as of a position, a time or the end of the log.
    private func reportFailures(
        _ report: ReportDescription, _ arguments: Tree, _ moment: Scenario.Check.Moment?,
        _ fields: Tree, _ check: Scenario.Check
    ) -> [ScenarioFailure] {
        let place = "\(check.path).report \(report.name)"
        var events: [RecordedEvent] = []
        do throws(FoldError) {
            for event in simulation.events where includes(moment, event) {
                events.append(try catalogue.upcast(event))
            }
        } catch {
            return [missingReportFailure(place, check, "\(error)", .origin)]
        }
        let through = events.last?.position ?? .origin
        var knownAt = simulation.now
        if case .time(let time) = moment { knownAt = time }
        if case .position = moment { knownAt = events.last?.envelope.recordedAt ?? knownAt }
        let context = ReportContext(
            rules: scenario.rules, zones: zones, position: through, knownAt: knownAt)
        let answer: ReportAnswer.Content
        do throws(ReportError) {
            answer = try report.answer(
                arguments, "\(check.path).report.with", .standard, events, context)
        } catch {
            return [missingReportFailure(place, check, "\(error)", through)]
        }
        var diff = ExpectationDiff(over: report.fields)
        diff.compare(fields, with: parse(answer.json), "")
        return diff.mismatches.map { failure($0, place: place, through) }
    }

    /// Returns the failure of a check whose report could not be computed.
    private func missingReportFailure(
        _ place: String, _ check: Scenario.Check, _ actual: String, _ through: Position
    ) -> ScenarioFailure {
        ScenarioFailure(
            place: place, line: check.line, field: "", expected: "a report", actual: actual,
            through: through)
    }

    /// True if an event was recorded up to a position or time; `nil` includes every event.
    func includes(_ moment: Scenario.Check.Moment?, _ event: RecordedEvent) -> Bool {
        switch moment {
        case nil: true
        case .position(let position): event.position <= position
        case .time(let time): event.envelope.recordedAt <= time
        }
    }

    /// Returns the failure of a check, for one value that differs from the expected one.
    private func failure(
        _ mismatch: ExpectationDiff.Mismatch, place: String, _ through: Position
    ) -> ScenarioFailure {
        ScenarioFailure(
            place: place, line: mismatch.line, field: mismatch.field,
            expected: mismatch.expected.json, actual: mismatch.actual?.json ?? "no such field",
            through: through,
            edit: mismatch.actual.map {
                .value(
                    line: mismatch.line, key: mismatch.key, old: mismatch.statedValue,
                    new: $0.content)
            })
    }
}

extension StepOrigin {
    /// True if `step`, the name or number that a check states, refers to this step.
    func isStep(_ step: String) -> Bool { name == step || (number > 0 && "\(number)" == step) }
    var label: String { name.map { "\(path) (\($0))" } ?? path }
}
