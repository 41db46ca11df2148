import Daybook

extension ScenarioReader {
    /// Reads the steps under a key, such as `given`.
    func steps(_ section: Section, _ key: String) throws(InputError) -> [Scenario.Step] {
        try steps(try section.list(key))
    }

    /// Reads steps; an element that names a file with recorded events is replaced by the steps of
    /// this file.
    private func steps(
        _ elements: [(tree: Tree, path: String)]
    ) throws(InputError) -> [Scenario.Step] {
        var steps: [Scenario.Step] = []
        for (tree, path) in elements {
            if tree["file"] != nil {
                steps += try recordedSteps(tree, path)
            } else {
                steps.append(try step(tree, path))
            }
        }
        return steps
    }

    private func step(_ tree: Tree, _ path: String) throws(InputError) -> Scenario.Step {
        let section = try Section(tree, path, keys: ScenarioFormat.step)
        let action: Scenario.Step.Action
        let isTimeOnly = section.has("at") && !ScenarioFormat.actions.contains(where: section.has)
        switch isTimeOnly ? "at" : try section.onlyKey(of: ScenarioFormat.actions) {
        case "do": action = try input(section)
        case "command": action = try command(section)
        case "event": action = try event(section)
        case "wait":
            let span = try TimeText.span(try section.required("wait"), section.field("wait"))
            action = .wait(microseconds: span)
        case "restart":
            guard try section.boolean("restart") == true else {
                throw .expected("true", try section.required("restart"), section.field("restart"))
            }
            action = .restart
        case "parallel": action = .parallel(try parallelSteps(section))
        default: action = .nothing
        }
        try refuseUnusedValues(section, action)
        var step = Scenario.Step(action: action, path: path, line: tree.line)
        step.name = try section.text("name")
        if let at = tree["at"] {
            step.at = try TimeText.moment(at, section.field("at"), after: clock)
        }
        step.repetitions = try section.integer("repeat", in: 1...100_000) ?? 1
        step.metadata.actor = try section.text("actor") ?? ""
        step.metadata.device = try section.text("device") ?? ""
        return step
    }

    /// Reads the steps of `parallel`, which may contain no time, no wait and no restart.
    private func parallelSteps(_ section: Section) throws(InputError) -> [Scenario.Step] {
        let elements = try section.list("parallel")
        for (tree, path) in elements {
            for key in ["at", "wait", "restart"] where tree[key] != nil {
                throw InputError(
                    "the key '\(key)' is not allowed in 'parallel', whose steps all happen at once",
                    line: tree[key]?.line, field: "\(path).\(key)")
            }
        }
        return try steps(elements)
    }

    /// Reads a step that passes an input to a flow, such as `do: session.signIn`.
    private func input(_ section: Section) throws(InputError) -> Scenario.Step.Action {
        let name = try section.requiredText("do")
        let parts = name.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let flow = catalogue.flows[String(parts[0])],
            flow.inputs[String(parts[1])] != nil
        else {
            let names = catalogue.flows.values.flatMap { flow in
                flow.inputs.keys.map { "\(flow.name).\($0)" }
            }
            throw unknownNameError(
                "input of a flow", try section.required("do"), section.field("do"), among: names)
        }
        return .input(
            flow: flow.name, name: String(parts[1]), section.tree["with"] ?? section.emptyObject)
    }

    /// Reads a step that decides a command.
    private func command(_ section: Section) throws(InputError) -> Scenario.Step.Action {
        let name = try section.requiredText("command")
        guard let command = catalogue.commands[name] else {
            throw unknownNameError(
                "command", try section.required("command"), section.field("command"),
                among: Array(catalogue.commands.keys))
        }
        return .command(command, section.tree["with"] ?? section.emptyObject)
    }

    /// Reads a step that appends an event.
    private func event(_ section: Section) throws(InputError) -> Scenario.Step.Action {
        let kind = try description(
            ofKind: try section.requiredText("event"), try section.required("event"),
            section.field("event"))
        return .event(kind, section.tree["data"] ?? section.emptyObject)
    }

    /// Throws if a step has `with` or `data` although its action does not use that key.
    private func refuseUnusedValues(
        _ section: Section, _ action: Scenario.Step.Action
    ) throws(InputError) {
        let usedKey: String? =
            switch action {
            case .input, .command: "with"
            case .event: "data"
            default: nil
            }
        for key in ["with", "data"] where key != usedKey && section.has(key) {
            throw InputError(
                usedKey.map {
                    "the key '\(key)' is not allowed; the values of the step belong in '\($0)'"
                } ?? "the key '\(key)' is not allowed, because the step has no values",
                line: section.tree[key]?.line, field: section.field(key))
        }
    }

    /// Reads a file with recorded events and commands, which has one JSON object per line.
    private func recordedSteps(_ tree: Tree, _ path: String) throws(InputError) -> [Scenario.Step] {
        let section = try Section(tree, path, keys: ["file"])
        let name = try section.requiredText("file")
        let text: String
        do throws(InputError) {
            text = try readRecordedFile(name)
        } catch {
            throw InputError(error.message, line: tree.line, field: section.field("file"))
        }
        var steps: [Scenario.Step] = []
        var number = 0
        for line in text.utf8.split(separator: 10, omittingEmptySubsequences: false) {
            number += 1
            guard line.contains(where: { $0 != 32 && $0 != 13 && $0 != 9 }) else { continue }
            do throws(InputError) {
                var step = try recordedStep(try JSONParser.parse(line, line: number), path)
                step.file = name
                steps.append(step)
            } catch {
                throw error.inFile(name)
            }
        }
        return steps
    }

    /// Reads one line of a file with recorded events as a step.
    private func recordedStep(_ tree: Tree, _ path: String) throws(InputError) -> Scenario.Step {
        let section = try Section(tree, "", keys: ScenarioFormat.recordedLine)
        var members = try tree.members("")
        if tree["command"] != nil {
            members = members.map {
                $0.key == "data" ? Tree.Member(key: "with", value: $0.value) : $0
            }
        }
        _ = try section.onlyKey(of: ["event", "command"])
        var step = try step(Tree(.map(members), line: tree.line), "")
        step.path = path
        return step
    }
}

extension Section {
    /// An object without members, at the line of the section.
    fileprivate var emptyObject: Tree { Tree(.map([]), line: tree.line) }
}
