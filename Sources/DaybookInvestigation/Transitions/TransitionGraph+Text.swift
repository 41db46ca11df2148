import Daybook

extension TransitionGraph {
    /// The state machine as a state diagram of Mermaid, which Markdown viewers draw.
    public var mermaid: String {
        let id = { (state: String) in
            state == StateMachine.beginning
                ? "[*]" : "s\(states.firstIndex(of: state) ?? 0)"
        }
        var lines = ["stateDiagram-v2"]
        for state in states where state != StateMachine.beginning {
            lines.append("    state \"\(Self.mermaidText(displayName(state)))\" as \(id(state))")
        }
        for arrow in arrows {
            let way = arrow.transition
            lines.append(
                "    \(id(way.from)) --> \(id(way.to)): \(Self.mermaidText(fullLabel(arrow)))")
        }
        return lines.map { $0 + "\n" }.joined()
    }

    /// The state machine as a graph of Graphviz, which `dot` draws.
    public var dot: String {
        let name = { (state: String) in Self.dotText(displayName(state)) }
        let title = "\(matrix.machine.projection).\(matrix.machine.field)"
        var lines = ["digraph \(Self.dotText(title)) {", "    node [shape=box, style=rounded]"]
        for state in states {
            lines.append(
                "    \(name(state))" + (state == StateMachine.beginning ? " [shape=plain]" : ""))
        }
        for arrow in arrows {
            let way = arrow.transition
            let style =
                !arrow.isLegal
                ? ", style=dashed, color=red" : arrow.count == 0 ? ", style=dotted" : ""
            lines.append(
                "    \(name(way.from)) -> \(name(way.to)) "
                    + "[label=\(Self.dotText(fullLabel(arrow)))\(style)]")
        }
        return (lines + ["}"]).map { $0 + "\n" }.joined()
    }

    /// Returns the label of an arrow, which also says if the transition is not declared or was never
    /// seen.
    private func fullLabel(_ arrow: TransitionMatrix.CountedTransition) -> String {
        label(arrow) + (!arrow.isLegal ? ", not declared" : arrow.count == 0 ? ", never seen" : "")
    }

    /// Returns a text that Mermaid shows as it is: all but letters, digits, spaces and a few signs
    /// are character numbers.
    private static func mermaidText(_ text: String) -> String {
        text.visible.unicodeScalars.map { scalar in
            let isPlain =
                scalar.properties.isAlphabetic || scalar.properties.numericType != nil
                || " -_.,×–".unicodeScalars.contains(scalar)
            return isPlain ? String(scalar) : "#\(scalar.value);"
        }.joined()
    }

    /// Returns a text in quotation marks, as Graphviz reads it.
    private static func dotText(_ text: String) -> String {
        let escaped = text.visible.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        return "\"\(escaped)\""
    }
}
