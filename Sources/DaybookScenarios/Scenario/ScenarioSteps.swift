/// The steps of a scenario's text, each of which can be removed.
///
/// A step is an element of `given`, `when` or `then`, with its lines and the comment above it. All
/// other text stays unchanged.
public struct ScenarioSteps: Sendable {
    /// A step: its section, and its lines counted from 0.
    public struct Step: Hashable, Sendable {
        var lines: Range<Int>
        var section: String
    }

    /// Steps of `given` and `when`.
    public let steps: [Step]
    /// Checks of `then`.
    private let checks: [Step]
    private let lines: [Substring]

    /// Finds the steps of a scenario in YAML.
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

    /// Returns the text with only some of the steps.
    ///
    /// - Parameter check: the index of the only check to keep; `nil` for all checks.
    public func text(keeping kept: [Step], check: Int? = nil) -> String {
        let others = checks.enumerated().filter { check != nil && $0.offset != check }
        let left = steps.filter { !kept.contains($0) } + others.map(\.element)
        let gone = Set(left.flatMap { Array($0.lines) })
        let emptied = Set(steps.map(\.section)).subtracting(kept.map(\.section))
        var result: [String] = []
        for (number, line) in lines.enumerated() where !gone.contains(number) || line.isEmpty {
            let name = String(line.prefix { $0 != ":" })
            result.append(emptied.contains(name) ? "\(name): []" : String(line))
        }
        return result.joined(separator: "\n")
    }
}
