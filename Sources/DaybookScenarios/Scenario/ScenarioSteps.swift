/// The steps and checks in the text of a scenario, each of which can be removed.
///
/// Each step or check is an element of `given`, `when` or `then`; the comment above it belongs to
/// it. All other text stays unchanged.
public struct ScenarioSteps: Sendable {
    /// The lines of one step or check.
    public struct Step: Equatable, Sendable {
        /// Range of line numbers in the text, counted from 0.
        var lines: Range<Int>
        var section: String
    }

    /// The steps of `given` and `when`, in order.
    public let steps: [Step]
    /// The checks of `then`, in order.
    private let checks: [Step]
    private let lines: [Substring]

    /// Finds the steps and checks in a scenario that is written in YAML.
    public init(_ text: String) {
        lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        var steps: [Step] = []
        var section = ""
        var indent: Int?
        var start: Int?
        func end(at line: Int) {
            if let begun = start { steps.append(Step(lines: begun..<line, section: section)) }
            start = nil
        }
        for (number, line) in lines.enumerated() {
            let spaces = line.prefix { $0 == " " }.count
            let rest = line.dropFirst(spaces)
            if rest.isEmpty || rest.first == "#" { continue }
            if spaces == 0, rest.first != "-" {
                end(at: number)
                section = String(rest.prefix { $0 != ":" })
                indent = nil
                continue
            }
            guard ["given", "when", "then"].contains(section), rest.first == "-" else { continue }
            if indent == nil { indent = spaces }
            guard spaces == indent else { continue }
            let comments = lines[..<number].reversed()
                .prefix { $0.drop { $0 == " " }.first == "#" }.count
            end(at: number - comments)
            start = number - comments
        }
        end(at: lines.count)
        self.steps = steps.filter { $0.section != "then" }
        checks = steps.filter { $0.section == "then" }
    }

    /// Returns the text with only some of the steps and checks.
    ///
    /// - Parameter check: the index in `then` of the only check to keep; `nil` to keep all checks.
    public func text(keeping kept: [Step], check: Int? = nil) -> String {
        let others = checks.enumerated().filter { check != nil && $0.offset != check }
        let removed = steps.filter { !kept.contains($0) } + others.map(\.element)
        let removedLines = Set(removed.flatMap { Array($0.lines) })
        let emptied = Set(steps.map(\.section)).subtracting(kept.map(\.section))
        var result: [String] = []
        for (number, line) in lines.enumerated()
        where !removedLines.contains(number) || line.isEmpty {
            let name = String(line.prefix { $0 != ":" })
            result.append(emptied.contains(name) ? "\(name): []" : String(line))
        }
        return result.joined(separator: "\n")
    }
}
