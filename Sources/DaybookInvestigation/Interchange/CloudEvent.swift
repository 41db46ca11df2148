package import Daybook
package import DaybookLog

/// An event in the JSON format of CloudEvents 1.0, parsed from a line.
///
/// Source: CloudEvents specification 1.0.2 and its JSON event format.
package struct CloudEvent {
    /// The only version of the specification that is read and written.
    static let version = "1.0"
    /// The start of the attribute `source` of a log's events, before the log's id.
    static let sourcePrefix = "daybook:"
    /// The attribute with everything that the log stores about the event, in base64.
    package static let recordsName = "daybookrecords"
    /// The attribute of the first event with the head of the log.
    static let headName = "daybookhead"

    package let tree: Tree
    package let line: Int
    /// Attribute `id`, which identifies the event within its source.
    package let id: String
    package let source: String
    /// Attribute `type`: the kind of the event.
    package let type: String

    /// Id of the log that `source` names; `nil` for another source.
    package var logID: String? {
        guard source.hasPrefix(Self.sourcePrefix) else { return nil }
        return String(source.dropFirst(Self.sourcePrefix.count))
    }

    /// Idempotency key of an event without records: source, a space, which no source has, and id.
    package var key: String { "\(source) \(id)" }

    package init(_ bytes: [UInt8], line: Int) throws(InputError) {
        tree = try JSONParser.parse(bytes, line: line)
        self.line = line
        guard case .map = tree.content else {
            throw InputError("expected an event as an object, found \(tree.noun)", line: line)
        }
        let version = try Self.text("specversion", of: tree, line) ?? ""
        guard version == Self.version else {
            throw InputError(
                "expected \"\(Self.version)\", the version of CloudEvents, found "
                    + (version.isEmpty ? "nothing" : JSONWriter.text(version)),
                line: line, field: "specversion")
        }
        id = try Self.required("id", of: tree, line)
        source = try Self.required("source", of: tree, line)
        type = try Self.required("type", of: tree, line)
        guard !source.contains(where: \.isWhitespace) else {
            throw InputError(
                "expected a URI or a path, which has no spaces, found \(JSONWriter.text(source))",
                line: line, field: "source")
        }
    }

    /// Returns an attribute that is a text; `nil` if it is absent or null.
    package func text(_ name: String) throws(InputError) -> String? {
        try Self.text(name, of: tree, line)
    }

    /// True if the event has everything that its log stores about it.
    package var hasRecords: Bool { tree[Self.recordsName].map { $0.content != .null } ?? false }

    /// Returns everything that the log stores about the event.
    package func records() throws(InputError) -> [UInt8] {
        let text = try Self.required(Self.recordsName, of: tree, line)
        guard let bytes = Base64.bytes(text) else {
            throw InputError("expected base64 with padding", line: line, field: Self.recordsName)
        }
        return bytes
    }

    /// Returns the head of the log, which the first event has.
    package func head() throws(InputError) -> Head {
        let text = try Self.required(Self.headName, of: tree, line)
        guard let head = Head(text) else {
            throw InputError(
                "expected a head, POSITION:CHAIN, found \(JSONWriter.text(text))", line: line,
                field: Self.headName)
        }
        return head
    }

    private static func required(
        _ name: String, of tree: Tree, _ line: Int
    ) throws(InputError) -> String {
        guard let text = try text(name, of: tree, line) else {
            throw InputError("the event lacks this attribute", line: line, field: name)
        }
        guard !text.isEmpty else {
            throw InputError("this attribute must not be empty", line: line, field: name)
        }
        return text
    }

    /// Returns an attribute that is a text; `nil` if it is absent or null.
    private static func text(
        _ name: String, of tree: Tree, _ line: Int
    ) throws(InputError) -> String? {
        guard let value = tree[name], value.content != .null else { return nil }
        guard case .text(let text) = value.content else {
            throw InputError("expected a text, found \(value.noun)", line: line, field: name)
        }
        return text
    }
}

extension CloudEvent {
    /// Returns the line of `append` that records the event as a separate commit.
    package func appendLine(
        with reader: AppendLineReader, now: Instant
    ) throws(InputError) -> AppendLine {
        var members: [Tree.Member] = []
        func add(_ name: String, _ content: Tree.Content?) {
            guard let content else { return }
            members.append(Tree.Member(key: name, value: Tree(content, line: line)))
        }
        if let form = try text("datacontenttype"), !Self.isJSON(form) {
            throw InputError(
                "expected application/json, found \(JSONWriter.text(form))", line: line,
                field: "datacontenttype")
        }
        guard try text("time") != nil else {
            throw InputError(
                "the event lacks the time at which it happened", line: line, field: "time")
        }
        add("event", .text(type))
        add("key", .text(key))
        for (name, attribute) in Self.attributes {
            if let value = try self.text(attribute) { add(name, .text(value)) }
        }
        add("data", try payload())
        do throws(InputError) {
            var line = try reader.read(Tree(.map(members), line: line), line: line, now: now)
            if let offset = tree["utcoffset"] {
                guard case .integer(let seconds) = offset.content,
                    (-18 * 3_600...18 * 3_600).contains(seconds)
                else {
                    throw InputError(
                        "expected seconds east of UTC, at most 18 hours, found \(offset.noun)",
                        line: line.number, field: "utcoffset")
                }
                if case .event(var event) = line.body {
                    event.offsetS = Int32(seconds)
                    line.body = .event(event)
                }
            }
            return line
        } catch {
            var error = error
            if let known = Self.attributes.first(where: { $0.name == error.field }) {
                error.field = known.attribute
            } else if error.field == "event" {
                error.field = "type"
            } else if error.field == "key" {
                error.field = "id"
            }
            throw error
        }
    }

    /// Returns the payload in `data`, or as JSON in base64 in `data_base64`.
    private func payload() throws(InputError) -> Tree.Content {
        let name = "data_base64"
        guard let text = try text(name) else { return tree["data"]?.content ?? .map([]) }
        guard tree["data"] == nil else {
            throw InputError(
                "expected the payload in 'data' or in 'data_base64', found both", line: line,
                field: name)
        }
        guard let bytes = Base64.bytes(text) else {
            throw InputError("expected base64 with padding", line: line, field: name)
        }
        do throws(InputError) { return try JSONParser.parse(bytes).content } catch {
            throw InputError("expected JSON in base64: \(error.message)", line: line, field: name)
        }
    }

    /// The attributes that become fields of a line of `append`, by the name of the field.
    private static let attributes: [(name: String, attribute: String)] = [
        ("at", "time"), ("zone", "timezone"), ("actor", "actor"), ("device", "device"),
        ("correlation", "correlationid"),
    ]

    /// True if a media type is that of JSON.
    private static func isJSON(_ type: String) -> Bool {
        let name = type.split(separator: ";").first.map { String($0).trimmed.lowercased() } ?? ""
        return name == "application/json" || name.hasSuffix("+json")
    }
}
