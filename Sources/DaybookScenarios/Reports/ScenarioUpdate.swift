import Daybook
import DaybookInput

/// A scenario file whose failed expectations were replaced by the actual values.
public struct ScenarioUpdate: Sendable {
    /// The whole new text of the file; the original text if nothing was changed.
    public var text: String
    /// Number of expectations that were replaced in the text.
    public var changeCount: Int
    /// Failures that no automatic edit could resolve; they need a change by hand.
    public var unresolvedFailures: [ScenarioFailure]

    /// Replaces the values of failed checks by the actual values, and leaves other lines unchanged.
    ///
    /// A file with several variants stays unchanged, because each of its lines applies to several
    /// variants. An expectation whose value does not occur exactly once on its line stays unchanged
    /// too.
    ///
    /// - Parameter results: the results of `ScenarioRunner.run` for `file`.
    public static func update(
        _ file: ScenarioFile, with results: [ScenarioResult]
    ) -> ScenarioUpdate {
        guard file.scenarios.count == 1 else {
            return ScenarioUpdate(
                text: file.text, changeCount: 0, unresolvedFailures: results.flatMap(\.failures))
        }
        var lines = file.text.split(separator: "\n", omittingEmptySubsequences: false)
            .map(String.init)
        var update = ScenarioUpdate(text: file.text, changeCount: 0, unresolvedFailures: [])
        // Edits are made from the end of the file, so that they do not move the lines of later
        // edits.
        for failure in results.flatMap(\.failures).sorted(by: { $0.line > $1.line }) {
            switch failure.edit {
            case .value(let line, let key, let old, let new):
                if replace(line, key, old, new, in: &lines) {
                    update.changeCount += 1
                    continue
                }
            case .events(let line, let new):
                if replace(eventsAt: line, by: new, in: &lines) {
                    update.changeCount += 1
                    continue
                }
            case nil: break
            }
            update.unresolvedFailures.append(failure)
        }
        if update.changeCount > 0 { update.text = lines.joined(separator: "\n") }
        return update
    }

    /// Replaces the value `old` of a key on a line. Returns `false` unless the key occurs with this
    /// value exactly once on the line.
    private static func replace(
        _ line: Int, _ key: String?, _ old: Tree, _ new: Tree.Content, in lines: inout [String]
    ) -> Bool {
        guard let key, lines.indices.contains(line - 1) else { return false }
        let text = lines[line - 1]
        let replacement = YAMLScalar.text(of: new)
        for written in spellings(of: old) {
            let ranges = text.ranges(of: "\(key): \(written)").filter {
                isWholeMember($0, in: text)
            }
            guard ranges.count == 1, let range = ranges.first else { continue }
            lines[line - 1].replaceSubrange(range, with: "\(key): \(replacement)")
            return true
        }
        return false
    }

    /// Returns the spellings with which a scenario file may write a value; empty for an object, and
    /// for a number, a Boolean or null in a JSON file.
    private static func spellings(of tree: Tree) -> [String] {
        if let plain = tree.plain { return [plain] }
        switch tree.content {
        case .text(let text):
            return [JSONWriter.text(text), "'\(text.replacing("'", with: "''"))'"]
        case .list(let elements):
            let inner = elements.compactMap { spellings(of: $0).first }
            return ["[\(inner.joined(separator: ", "))]"]
        default: return []
        }
    }

    /// True if the characters beside `range` show that the range holds a whole key and a whole
    /// value.
    private static func isWholeMember(_ range: Range<String.Index>, in text: String) -> Bool {
        let before = text[..<range.lowerBound].last
        let after = text[range.upperBound...].first
        return [nil, " ", "{", "-"].contains(before) && [nil, " ", ",", "}", "\r"].contains(after)
    }

    /// Replaces the list items below `- events:` by the event kinds. Returns `false` if the items
    /// are not found. Items whose event kinds occur in the new list in the same order keep their
    /// lines.
    private static func replace(
        eventsAt line: Int, by kinds: [String], in lines: inout [String]
    ) -> Bool {
        let index = line - 1
        guard lines.indices.contains(index) else { return false }
        let head = lines[index]
        guard let dash = head.firstRange(of: "- events:") else { return false }
        let rest = head[dash.upperBound...].drop { $0 == " " }
        let indent = String(repeating: " ", count: head.prefix { $0 == " " }.count + 4)
        let list = kinds.map { "\(indent)- \($0)" }
        let start = String(head[..<dash.upperBound])
        if rest.hasPrefix("["), rest.hasSuffix("]") {
            lines.replaceSubrange(
                index...index, with: kinds.isEmpty ? ["\(start) []"] : [start] + list)
            return true
        }
        guard rest.isEmpty else { return false }
        let items = self.items(below: index, indent, lines)
        guard let last = items.last?.upperBound, !kinds.isEmpty else {
            guard kinds.isEmpty, let last = items.last?.upperBound else { return false }
            lines.replaceSubrange(index..<last, with: ["\(start) []"])
            return true
        }
        var kept = items[...]
        var new: [String] = []
        for (kind, line) in zip(kinds, list) {
            let same = kept.firstIndex { item in
                let text = lines[item.lowerBound]
                return text == line || text == "\(indent)- event: \(kind)"
            }
            if let same {
                new += lines[kept[same]]
                kept = kept[(same + 1)...]
            } else {
                new.append(line)
            }
        }
        lines.replaceSubrange((index + 1)..<last, with: new)
        return true
    }

    /// Returns the range of lines of each item of the list below a line; the comments before an
    /// item belong to the range of the item before it.
    private static func items(
        below index: Int, _ indent: String, _ lines: [String]
    ) -> [Range<Int>] {
        var starts: [Int] = []
        var end = index + 1
        for (number, line) in lines.enumerated().dropFirst(index + 1) {
            let content = line.drop { $0 == " " }
            guard !content.isEmpty, content.first != "#" else { continue }
            guard line.hasPrefix(indent) else { break }
            if line.hasPrefix("\(indent)- ") { starts.append(number) }
            end = number + 1
        }
        let ends = starts.dropFirst() + [end]
        return zip(starts, ends).map { $0..<$1 }
    }
}
