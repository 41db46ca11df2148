/// The HTML page that shows a story: the page's parts, with the story in an element of its own.
package struct StoryPage: Sendable {
    /// The policy of the page: it runs and shows only what is in it, and asks for nothing.
    private let policy: String

    /// Creates the page, with a policy that names the digests of its script and style.
    ///
    /// - Parameter digest: returns the SHA-256 digest of bytes in base64.
    package init(digest: (_ bytes: [UInt8]) -> String) {
        policy =
            "default-src 'none'; script-src 'sha256-\(digest(Array(PageSource.script.utf8)))'; "
            + "style-src 'sha256-\(digest(Array(PageSource.style.utf8)))'; img-src data:; "
            + "base-uri 'none'; form-action 'none'"
    }

    /// Writes the page part by part.
    ///
    /// - Parameters:
    ///   - story: writes the story as JSON, part by part, with the function that it receives.
    ///   - output: receives the parts of the page.
    package func write(
        story: (_ output: ([UInt8]) throws -> Void) throws -> Void,
        to output: ([UInt8]) throws -> Void
    ) throws {
        for part in Self.parts(policy) {
            switch part {
            case .text(let text): try output(Array(text.utf8))
            case .story:
                var escaper = ScriptEscaper()
                try withoutActuallyEscaping(output) { output in
                    try story { try output(escaper.escaped($0)) }
                }
                try output(escaper.end())
            }
        }
    }

    /// The page of a server, which asks the server for stories; it holds no data of a log.
    package var live: [UInt8] {
        Self.parts(livePolicy).flatMap { part in
            switch part {
            case .text(let text): Array(text.utf8)
            case .story: Array("{\"daybookLive\":1}".utf8)
            }
        }
    }

    /// The policy of the page of a server, which may ask its own server.
    package var livePolicy: String { policy + "; connect-src 'self'" }

    /// A part of the page.
    private enum Part {
        /// HTML, style and script.
        case text(String)
        /// The place of the story.
        case story
    }

    /// The parts of the page, in order.
    private static func parts(_ policy: String) -> [Part] {
        let places: [(mark: String, part: Part)] = [
            ("/*POLICY*/", .text(policy)), ("/*STYLE*/", .text(PageSource.style)),
            ("/*SCRIPT*/", .text(PageSource.script)), ("/*STORY*/", .story),
        ]
        var parts: [Part] = []
        var rest = PageSource.template[...]
        // The places may be in any order. Only the template has places, not what comes there.
        while true {
            let found = places.compactMap { place in
                rest.firstRange(of: place.mark).map { (range: $0, part: place.part) }
            }
            guard let first = found.min(by: { $0.range.lowerBound < $1.range.lowerBound }) else {
                break
            }
            parts.append(.text(String(rest[..<first.range.lowerBound])))
            parts.append(first.part)
            rest = rest[first.range.upperBound...]
        }
        parts.append(.text(String(rest)))
        return parts
    }
}

/// Escapes JSON so that no text in it can end the script element that holds it.
///
/// `<` only occurs within texts of JSON, where it can be written as `\u003c`. The two line
/// separators of Unicode are escaped too, because older scripts end a text at them.
struct ScriptEscaper {
    /// The first bytes of a line separator that the last part ended in: `E2` or `E2 80`.
    private var pending: [UInt8] = []

    /// Returns the next part of the JSON, escaped.
    mutating func escaped(_ json: [UInt8]) -> [UInt8] {
        var escaped: [UInt8] = []
        escaped.reserveCapacity(json.count + json.count / 64)
        for byte in json {
            if !pending.isEmpty {
                if pending.count == 1, byte == 0x80 {
                    pending.append(byte)
                    continue
                }
                let isSeparator = pending.count == 2 && (byte == 0xA8 || byte == 0xA9)
                let escape = byte == 0xA8 ? "\\u2028" : "\\u2029"
                escaped += isSeparator ? Array(escape.utf8) : pending
                pending.removeAll(keepingCapacity: true)
                if isSeparator { continue }
            }
            switch byte {
            case 0xE2: pending.append(byte)
            case UInt8(ascii: "<"): escaped += Self.lessThan
            default: escaped.append(byte)
            }
        }
        return escaped
    }

    /// Returns what is left at the end of the JSON.
    mutating func end() -> [UInt8] {
        defer { pending = [] }
        return pending
    }

    private static let lessThan = Array("\\u003c".utf8)
}
