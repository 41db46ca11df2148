public import Daybook
import DaybookYAML

/// Parses a YAML 1.2 document to a `Tree`.
///
/// The parser is stricter than YAML where leniency could give a wrong result: a key is a scalar and
/// unique in its mapping, tags other than the standard tag of a value are errors, and the tree is
/// limited also where aliases repeat values, so that no small text can expand into a huge tree.
public enum YAMLParser {
    /// Maximum number of values in a document, after aliases are resolved.
    static let maximumNodeCount = 200_000
    /// Maximum depth of nested lists and objects.
    static let maximumDepth = 64
    /// Maximum length of the YAML text in bytes.
    static let maximumBytes = 16 << 20

    /// Parses one document; throws an error with its line if it is not YAML or exceeds a limit.
    public static func parse(_ text: String) throws(InputError) -> Tree {
        guard text.utf8.count <= maximumBytes else {
            throw InputError("the YAML text is longer than \(maximumBytes >> 20) MiB")
        }
        var builder = TreeBuilder(YAMLReader(text))
        return try builder.document()
    }

    /// A builder of a tree, which reads the events of a YAML document in order.
    private struct TreeBuilder {
        /// A value with an anchor, and its size; later aliases repeat the value.
        private struct AnchoredValue {
            var tree: Tree
            /// Number of values in `tree`, including `tree` itself.
            var nodeCount: Int
            /// Number of levels of nested lists and objects below the value.
            var height: Int
        }

        private let reader: YAMLReader
        /// The values that have an anchor, by the anchor's name.
        private var anchors: [String: AnchoredValue] = [:]
        /// Number of values read so far, including the values that aliases repeat.
        private var nodeCount = 0
        /// The deepest level reached within the value that is being read.
        private var deepestLevel = 0

        init(_ reader: YAMLReader) { self.reader = reader }

        /// Reads the whole document; returns null if the text contains no document.
        mutating func document() throws(InputError) -> Tree {
            guard let first = try next() else { return Tree(.null, line: 1) }
            let tree = try value(first, depth: 0)
            _ = try next()
            return tree
        }

        /// Returns the next event of the document; `nil` at its end.
        private func next() throws(InputError) -> YAMLEvent? {
            do throws(YAMLError) {
                return try reader.next()
            } catch {
                throw InputError("the text is not valid YAML: \(error.message)", line: error.line)
            }
        }

        /// Returns the next event within a list or an object; `nil` at its end.
        private func nextInside() throws(InputError) -> YAMLEvent? {
            guard let event = try next(), event.part != .end else { return nil }
            return event
        }

        /// Reads the value that begins with `event`, and stores it in `anchors` under its anchor.
        private mutating func value(_ event: YAMLEvent, depth: Int) throws(InputError) -> Tree {
            try count(1, height: 0, depth, event.line)
            let (before, outer) = (nodeCount - 1, deepestLevel)
            deepestLevel = depth
            let tree = try content(event, depth: depth)
            if let anchor = event.anchor {
                anchors[anchor] = AnchoredValue(
                    tree: tree, nodeCount: nodeCount - before, height: deepestLevel - depth)
            }
            deepestLevel = max(deepestLevel, outer)
            return tree
        }

        /// Reads the content of the value that begins with `event`.
        private mutating func content(_ event: YAMLEvent, depth: Int) throws(InputError) -> Tree {
            let line = event.line
            switch event.part {
            case .scalar(let text, let isPlain):
                try expectNoOtherTag(event, "str")
                guard isPlain else { return Tree(.text(text), line: line) }
                return Tree(YAMLScalar.content(of: text), line: line, plain: text)
            case .sequence:
                try expectNoOtherTag(event, "seq")
                var elements: [Tree] = []
                while let element = try nextInside() {
                    elements.append(try value(element, depth: depth + 1))
                }
                return Tree(.list(elements), line: line)
            case .mapping:
                try expectNoOtherTag(event, "map")
                return Tree(.map(try members(depth)), line: line)
            case .alias(let name):
                guard let anchored = anchors[name] else {
                    throw InputError(
                        "the text is not valid YAML: the alias '*\(name)' is undefined", line: line)
                }
                try count(anchored.nodeCount - 1, height: anchored.height, depth, line)
                return anchored.tree
            case .end:
                throw InputError(
                    "the text is not valid YAML: a value is missing at the end of a list or object",
                    line: line)
            }
        }

        /// Reads the keys and values of an object up to its end.
        private mutating func members(_ depth: Int) throws(InputError) -> [Tree.Member] {
            var members: [Tree.Member] = []
            var keys: Set<String> = []
            while let event = try nextInside() {
                guard case .scalar(let key, let isPlain) = event.part else {
                    throw InputError(
                        "a key must be a text, not a list, an object or an alias",
                        line: event.line)
                }
                try expectNoOtherTag(event, "str")
                guard !(key == "<<" && isPlain) else {
                    throw InputError(
                        "YAML merge keys ('<<') are not supported; write the merged keys out",
                        line: event.line)
                }
                guard keys.insert(key).inserted else {
                    throw InputError("the key '\(key)' is repeated", line: event.line, field: key)
                }
                if let anchor = event.anchor {
                    anchors[anchor] = AnchoredValue(
                        tree: Tree(.text(key), line: event.line), nodeCount: 1, height: 0)
                }
                guard let part = try next() else { break }
                members.append(Tree.Member(key: key, value: try value(part, depth: depth + 1)))
            }
            return members
        }

        /// Counts `more` values at levels from `depth` to `depth + height`; throws beyond a limit.
        private mutating func count(
            _ more: Int, height: Int, _ depth: Int, _ line: Int
        ) throws(InputError) {
            nodeCount += more
            deepestLevel = max(deepestLevel, depth + height)
            guard nodeCount <= YAMLParser.maximumNodeCount else {
                throw InputError(
                    "the YAML document has more than \(YAMLParser.maximumNodeCount) values, "
                        + "including the values that aliases repeat", line: line)
            }
            guard deepestLevel <= YAMLParser.maximumDepth else {
                throw InputError(
                    "objects and lists are nested more than \(YAMLParser.maximumDepth) levels deep",
                    line: line)
            }
        }

        /// Throws if the value has a tag other than the standard tag of its type, such as `str`.
        private func expectNoOtherTag(_ event: YAMLEvent, _ name: String) throws(InputError) {
            guard let tag = event.tag, tag != "tag:yaml.org,2002:\(name)" else { return }
            throw InputError(
                "the YAML tag '\(tag)' is not supported; expected no tag or !!\(name)",
                line: event.line)
        }
    }
}
