public import EventSourcing
import Yams

/// Reads one YAML 1.2 document into a `Tree`.
///
/// Stricter than YAML where leniency could give a wrong answer: a key is a scalar and unique in its
/// mapping, tags have no meaning, and aliases may not expand a small text into a large tree.
public enum YAMLParser {
    static let maximumNodes = 200_000
    static let maximumDepth = 64
    static let maximumBytes = 16 << 20

    public static func parse(_ text: String) throws(InputError) -> Tree {
        guard text.utf8.count <= maximumBytes else {
            throw InputError("a YAML text is longer than \(maximumBytes >> 20) MiB")
        }
        try refuseComplexKeys(text)
        let root: Node?
        do {
            root = try Parser(yaml: text, resolver: .basic, encoding: .utf8).singleRoot()
        } catch let error as YamlError {
            throw InputError(error)
        } catch {
            throw InputError("not readable as YAML: \(error)")
        }
        guard let root else { return Tree(.null, line: 1) }
        var converter = Converter()
        return try converter.tree(root, depth: 0)
    }

    /// Comparing keys that hold aliases can take for ever, so they never reach the parser.
    private static func refuseComplexKeys(_ text: String) throws(InputError) {
        guard text.utf8.contains(UInt8(ascii: "&")) else { return }
        var number = 0
        for line in text.utf8.split(separator: 10, omittingEmptySubsequences: false) {
            number += 1
            let bytes = line.filter { $0 != 32 && $0 != 9 && $0 != 13 }.drop { $0 == 45 }
            guard bytes.first != UInt8(ascii: "#") else { continue }
            var isAlias = false
            var previous: UInt8 = 0
            for byte in bytes {
                switch byte {
                case UInt8(ascii: "*"): isAlias = true
                case UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"): isAlias = false
                default: break
                }
                if byte == UInt8(ascii: ":"), isAlias || previous == 93 || previous == 125 {
                    throw InputError("a key is no plain text", line: number)
                }
                previous = byte
            }
            guard bytes.first != UInt8(ascii: "?") else {
                throw InputError("a key is no plain text", line: number)
            }
        }
    }

    private struct Converter {
        private var nodes = 0

        mutating func tree(_ node: Node, depth: Int) throws(InputError) -> Tree {
            let line = node.mark?.line ?? 1
            nodes += 1
            guard nodes <= YAMLParser.maximumNodes else {
                throw InputError(
                    "the YAML holds more than \(YAMLParser.maximumNodes) values; "
                        + "do aliases repeat one another?", line: line)
            }
            guard depth <= YAMLParser.maximumDepth else {
                throw InputError(
                    "objects and lists lie more than \(YAMLParser.maximumDepth) deep", line: line)
            }
            switch node {
            case .scalar(let scalar): return try self.scalar(scalar, line)
            case .sequence(let sequence):
                try expect(sequence.tag, .seq, line)
                var elements: [Tree] = []
                for element in sequence {
                    elements.append(try tree(element, depth: depth + 1))
                }
                return Tree(.list(elements), line: line)
            case .mapping(let mapping):
                try expect(mapping.tag, .map, line)
                return Tree(.map(try members(of: mapping, depth)), line: line)
            case .alias:
                throw InputError("an alias without its anchor", line: line)
            }
        }

        private mutating func members(
            of mapping: Node.Mapping, _ depth: Int
        ) throws(InputError) -> [Tree.Member] {
            var members: [Tree.Member] = []
            var keys: Set<String> = []
            for (key, value) in mapping {
                let line = key.mark?.line ?? 1
                guard case .scalar(let scalar) = key else {
                    throw InputError("a key is no plain text", line: line)
                }
                try expect(scalar.tag, .str, line)
                guard !(scalar.string == "<<" && scalar.style == .plain) else {
                    throw InputError("merge keys ('<<') are not supported", line: line)
                }
                guard keys.insert(scalar.string).inserted else {
                    throw InputError("the key stands twice", line: line, field: scalar.string)
                }
                members.append(
                    Tree.Member(key: scalar.string, value: try tree(value, depth: depth + 1)))
            }
            return members
        }

        private func scalar(_ scalar: Node.Scalar, _ line: Int) throws(InputError) -> Tree {
            try expect(scalar.tag, .str, line)
            guard scalar.style == .plain, scalar.tag.description.isEmpty else {
                return Tree(.text(scalar.string), line: line)
            }
            return Tree(
                YAMLScalar.content(of: scalar.string), line: line, plain: scalar.string)
        }

        private func expect(
            _ tag: Yams.Tag, _ name: Yams.Tag.Name, _ line: Int
        ) throws(InputError) {
            guard tag.description.isEmpty || tag.description == name.rawValue else {
                throw InputError("tags ('\(tag.description)') are not supported", line: line)
            }
        }
    }
}

extension InputError {
    fileprivate init(_ error: YamlError) {
        switch error {
        case .scanner(let context, let problem, let mark, let yaml),
            .parser(let context, let problem, let mark, let yaml),
            .composer(let context, let problem, let mark, let yaml):
            let before = context.map { "\($0.text): " } ?? ""
            // Something missing at the end is reported for the line after it.
            let lines = yaml.utf8.count { $0 == 10 } + 1
            self.init(
                "not readable as YAML: \(before)\(problem)", line: min(mark.line, lines))
        case .duplicatedKeysInMapping(let duplicates, let context):
            self.init(
                "the key stands twice", line: context.mark.line, field: duplicates.first ?? "")
        case .reader(let problem, let offset, _, let yaml):
            let line = offset.map { yaml.utf8.prefix($0).count { $0 == 10 } + 1 }
            self.init("not readable as YAML: \(problem)", line: line)
        default:
            self.init("not readable as YAML: \(error)")
        }
    }
}
