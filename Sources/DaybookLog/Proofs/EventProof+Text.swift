import Daybook

/// A reason why a text is not a proof.
public struct ProofFormatError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The number of the wrong line, from 1.
    public let line: Int
    /// The name of the field that is expected in the line.
    public let field: String
    /// A sentence about the form that is expected.
    public let reason: String

    public var description: String { "line \(line): \(field): \(reason)" }
}

// The text form: a line with a name and a value for each field, always in the same order, then an
// empty line and the note.
extension EventProof: CustomStringConvertible {
    /// The first line: the name and version of the text form.
    static let formatName = "daybook-proof-v1"

    public var description: String {
        var lines = [
            Self.formatName, "position \(position)", "kind \(kind.name)",
            "zone \(PercentText.text(zone))", "event \(Base64.text(row))",
            "event-path \(Self.text(path))", "first \(commit.first)",
            "commit \(Base64.text(commit.row))", "index \(commit.number)",
            "path \(Self.text(commit.path))",
        ]
        lines += Self.lines("head", head)
        if let earlier {
            lines += Self.lines("since", earlier.head)
            lines += [
                "since-size \(earlier.size)", "since-root \(Base64.text(earlier.root))",
                "since-consistency \(Self.text(earlier.path))",
            ]
        }
        return lines.map { $0 + "\n" }.joined() + "\n\(note)"
    }

    /// Returns the lines of the newest commit of a tree.
    private static func lines(_ name: String, _ commit: ProvenCommit) -> [String] {
        // A proof that a log made names no head, but has a row that can be read.
        let head = commit.namedHead ?? (try? commit.head(name)) ?? .origin
        return [
            "\(name) \(head)", "\(name)-events \(Base64.text(commit.eventsRoot))",
            "\(name)-commit \(Base64.text(commit.row))", "\(name)-path \(text(commit.path))",
        ]
    }

    /// Returns hashes in base64 with spaces between them; a hyphen for none.
    private static func text(_ path: [[UInt8]]) -> String {
        path.isEmpty ? "-" : path.map { Base64.text($0) }.joined(separator: " ")
    }

    /// Parses a proof, which must have exactly the form of `description`.
    ///
    /// Does not check that its parts fit each other; see `check()`.
    public init(parsing bytes: [UInt8]) throws(ProofFormatError) {
        var lines = try ProofLines(bytes)
        try lines.expect(Self.formatName)
        let position = try lines.position("position")
        let kind = try lines.value("kind", "an event kind such as 'area.kind.v1'") {
            EventKind(String($0))
        }
        let zone = try lines.value("zone", "a time zone of at most 255 bytes, or '-'") {
            PercentText.parse($0).flatMap {
                $0.utf8.count <= CommitLeaf.largestNameByteCount ? $0 : nil
            }
        }
        let row = try lines.bytes("event")
        let path = try lines.hashes("event-path")
        let first = try lines.position("first")
        let commitRow = try lines.bytes("commit")
        let number = try lines.number("index")
        let commit = ProvenCommit(
            number: number, first: first.rawValue, eventsRoot: [], row: commitRow,
            path: try lines.hashes("path"))
        var head = try lines.commit("head")
        var earlier: EarlierTree?
        if lines.hasNext("since") {
            var commit = try lines.commit("since")
            let size = try lines.number("since-size", from: 1)
            commit.number = size - 1
            earlier = EarlierTree(
                size: size, root: try lines.hash("since-root"), head: commit,
                path: try lines.hashes("since-consistency"))
        }
        try lines.expect("")
        let note = try lines.note()
        head.number = note.size - 1
        self.init(
            position: position, kind: kind, zone: zone, row: row, path: path, commit: commit,
            head: head, earlier: earlier, note: note)
    }
}

/// The lines of a proof that are not parsed yet.
private struct ProofLines {
    private var lines: [Substring]
    /// The index of the next line.
    private var next = 0
    /// The largest number of hashes in a path.
    private static let pathLimit = 64

    init(_ bytes: [UInt8]) throws(ProofFormatError) {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw ProofFormatError(line: 1, field: "text", reason: "the text is not valid UTF-8")
        }
        // Line feeds only: `Character` would take a carriage return and a line feed as one.
        lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map { Substring($0) }
        guard lines.popLast() == "" else {
            throw ProofFormatError(
                line: lines.count + 1, field: "text", reason: "the last line has no line feed")
        }
    }

    /// Returns the error for the line that was read last.
    private func error(_ field: String, _ reason: String) -> ProofFormatError {
        ProofFormatError(line: next, field: field, reason: reason)
    }

    /// Reads the next line.
    private mutating func line(_ field: String) throws(ProofFormatError) -> Substring {
        next += 1
        guard next <= lines.count else { throw error(field, "the text ends before this line") }
        return lines[next - 1]
    }

    /// Reads a line that must have this text.
    mutating func expect(_ text: String) throws(ProofFormatError) {
        let name = text.isEmpty ? "empty line" : "first line"
        guard try line(name) == text else {
            throw error(name, text.isEmpty ? "expected an empty line" : "expected '\(text)'")
        }
    }

    /// True if the next line is that of a field.
    func hasNext(_ field: String) -> Bool {
        next < lines.count && lines[next].hasPrefix(field + " ")
    }

    /// Reads the line of a field.
    ///
    /// - Parameters:
    ///   - form: the form of the value, for the error.
    ///   - parse: returns `nil` for a value of another form.
    mutating func value<Value>(
        _ field: String, _ form: String, _ parse: (Substring) -> Value?
    ) throws(ProofFormatError) -> Value {
        let line = try line(field)
        guard line.hasPrefix(field + " ") else {
            throw error(field, "expected '\(field)', a space and \(form)")
        }
        guard let value = parse(line.dropFirst(field.count + 1)) else {
            throw error(field, "expected \(form)")
        }
        return value
    }

    mutating func number(
        _ field: String, from least: UInt64 = 0
    ) throws(ProofFormatError) -> UInt64 {
        try value(field, "a number from \(least) on") { text in
            UInt64(text).flatMap {
                String($0) == text && $0 >= least && $0 <= UInt64(Int64.max) ? $0 : nil
            }
        }
    }

    mutating func position(_ field: String) throws(ProofFormatError) -> Position {
        Position(try number(field, from: 1))
    }

    mutating func bytes(_ field: String) throws(ProofFormatError) -> [UInt8] {
        try value(field, "base64 with padding") { Base64.bytes($0) }
    }

    private static func hash(_ text: Substring) -> [UInt8]? {
        Base64.bytes(text).flatMap { $0.count == TreeHasher.byteCount ? $0 : nil }
    }

    mutating func hash(_ field: String) throws(ProofFormatError) -> [UInt8] {
        try value(field, "a hash of 32 bytes in base64") { Self.hash($0) }
    }

    mutating func hashes(_ field: String) throws(ProofFormatError) -> [[UInt8]] {
        try value(field, "at most \(Self.pathLimit) hashes in base64, or '-'") { text in
            if text == "-" { return [] }
            let words = text.split(separator: " ", omittingEmptySubsequences: false)
            let hashes = words.compactMap { Self.hash($0) }
            return hashes.count == words.count && hashes.count <= Self.pathLimit ? hashes : nil
        }
    }

    /// Reads the lines of the newest commit of a tree.
    mutating func commit(_ field: String) throws(ProofFormatError) -> ProvenCommit {
        let head = try value(field, "a head: POSITION:CHAIN") { text in
            Head(text).flatMap { $0.position > .origin ? $0 : nil }
        }
        let eventsRoot = try hash("\(field)-events")
        let name = "\(field)-commit"
        let row = try bytes(name)
        var commit = ProvenCommit(
            number: 0, first: 0, eventsRoot: eventsRoot, row: row,
            path: try hashes("\(field)-path"), namedHead: head)
        // A row that cannot be read or has too many events is a fault, which the check finds.
        guard let record = try? commit.record(name),
            UInt64(record.eventCount) <= head.position.rawValue
        else { return commit }
        commit.first = head.position.rawValue - UInt64(record.eventCount) + 1
        return commit
    }

    /// Reads the note, which ends the text.
    mutating func note() throws(ProofFormatError) -> TreeNote {
        let prefix = TreeNote.originPrefix
        let origin = try line("log")
        let log = origin.dropFirst(prefix.count)
        guard origin.hasPrefix(prefix), Hexadecimal.bytes(log)?.count == 16 else {
            throw error("log", "expected '\(prefix)' and 32 hexadecimal digits")
        }
        let sizeLine = try line("size")
        guard let size = UInt64(sizeLine), String(size) == sizeLine, size > 0,
            size <= UInt64(Int64.max)
        else { throw error("size", "expected a number of commits from 1 on") }
        guard let root = Self.hash(try line("root")) else {
            throw error("root", "expected a hash of 32 bytes in base64")
        }
        return TreeNote(
            log: String(log), size: size, root: root, signatures: try signatures())
    }

    /// Reads the signature lines up to the end of the text.
    private mutating func signatures() throws(ProofFormatError) -> [TreeNote.Signature] {
        var signatures: [TreeNote.Signature] = []
        guard next < lines.count else { return signatures }
        try expect("")
        repeat {
            let words = try line("signature").split(
                separator: " ", omittingEmptySubsequences: false)
            guard words.count == 3, words[0] == TreeNote.Signature.mark, !words[1].isEmpty,
                words[1].unicodeScalars.allSatisfy({ ("!"..."~").contains($0) && $0 != "+" }),
                let bytes = Base64.bytes(words[2]), bytes.count > 4,
                signatures.count < TreeNote.Signature.limit
            else {
                throw error(
                    "signature",
                    "expected '\(TreeNote.Signature.mark)', a name and base64, at most "
                        + "\(TreeNote.Signature.limit) times")
            }
            signatures.append(TreeNote.Signature(name: String(words[1]), bytes: bytes))
        } while next < lines.count
        return signatures
    }
}

/// A text on one line without spaces: bytes other than visible ASCII as `%` and two digits.
private enum PercentText {
    /// Returns the written form of a text; a hyphen for an empty text.
    static func text(_ text: String) -> String {
        if text.isEmpty { return "-" }
        if text == "-" { return "%2d" }
        var result = ""
        for byte in text.utf8 {
            if (0x21...0x7E).contains(byte), byte != UInt8(ascii: "%") {
                result.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                result += "%" + Hexadecimal.text([byte])
            }
        }
        return result
    }

    /// Parses a written form; `nil` unless it is what `text(_:)` returns for the result.
    static func parse(_ written: Substring) -> String? {
        if written == "-" { return "" }
        var bytes: [UInt8] = []
        var rest = written.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let digits = Hexadecimal.bytes(Substring(rest.prefix(2))), digits.count == 1
            else { return nil }
            bytes += digits
            rest = rest.dropFirst(2)
        }
        guard let result = String(validating: bytes, as: UTF8.self), text(result) == written
        else { return nil }
        return result
    }
}
