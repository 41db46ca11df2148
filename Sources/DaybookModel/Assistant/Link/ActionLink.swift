import Daybook

extension Assistant {
    /// The path of a link to the assistant.
    package enum Path: UInt8, StoredEnum { case none, query, open }

    /// The content of a link such as `babyai://assistant/query?feature=formula&amount_ml=120`.
    struct Payload: Equatable, Sendable {
        var path = Path.none
        /// Feature of the link in lower case, such as `formula`.
        var feature: String?
        var query: String?
        var memo: String?
        var diaperType: String?
        var amountMl: Int64?
        var durationMin: Int64?
        var grams: Int64?
        var dose: Int64?
        var source = "assistant"
        /// Length of the link in bytes of UTF-8.
        var linkBytes: Int64 = 0
    }

    /// A parsed link of the app's own scheme, which is treated as untrusted input.
    ///
    /// Source: S4's `AppDelegate`; the limits are Daybook's.
    struct ActionLink: Equatable, Sendable {
        /// Greatest accepted length of a link in bytes.
        static let maxBytes = 8_192

        /// A name and a value in the query of a link, such as `amount_ml=120`.
        private struct Item: Equatable, Sendable {
            /// Name in lower case.
            var name: String
            /// Value without percent-encoding; `nil` without an equals sign.
            var value: String?
        }

        private let path: Path
        /// Names and values of the query, in order.
        private let items: [Item]
        private let rules: Rules
        private let linkBytes: Int

        /// Returns the payload of a link; `nil` for a link to another target or without content.
        ///
        /// - Throws: A refusal of a link to the assistant that is too long, is not UTF-8, or
        ///   contains control characters or numbers out of range.
        static func read(_ text: String, rules: Rules = .standard) throws(Refusal) -> Payload? {
            guard let link = try ActionLink(text, rules) else { return nil }
            return try link.payload()
        }

        private init?(_ text: String, _ rules: Rules) throws(Refusal) {
            let bytes = Array(text.utf8)[...]
            guard let address = Address(bytes), let path = address.path else { return nil }
            guard bytes.count <= Self.maxBytes else {
                throw Refusal(
                    "linkTooLong",
                    "the link has \(bytes.count) bytes; expected at most \(Self.maxBytes)")
            }
            var items: [Item] = []
            for part in address.query.split(separator: UInt8(ascii: "&")) {
                let cut = part.firstIndex(of: UInt8(ascii: "="))
                let name = try Self.decodedText(part[..<(cut ?? part.endIndex)])
                let value = try cut.map { (cut) throws(Refusal) in
                    try Self.decodedText(part[part.index(after: cut)...])
                }
                items.append(Item(name: name.lowercased(), value: value))
            }
            // Checks the unread parts too: the app never makes a link with control characters.
            _ = try Self.decodedText(bytes)
            self.path = path
            self.items = items
            self.rules = rules
            linkBytes = bytes.count
        }

        /// Returns a part of the link without percent-encoding; throws a refusal of invalid UTF-8
        /// and of control characters.
        private static func decodedText(_ part: ArraySlice<UInt8>) throws(Refusal) -> String {
            guard let text = PercentCoding.decode(part) else {
                throw Refusal("unreadableLink", "the link is not valid percent-encoded UTF-8")
            }
            let hasControls = text.unicodeScalars.contains {
                $0.properties.generalCategory == .control
            }
            guard !hasControls else {
                throw Refusal("controlCharacters", "the link contains control characters")
            }
            return text.nfc
        }
    }
}

extension Assistant.ActionLink {
    /// Returns the content of the link; `nil` if the link asks for nothing.
    private func payload() throws(Refusal) -> Assistant.Payload? {
        var payload = Assistant.Payload(path: path, linkBytes: Int64(linkBytes))
        payload.feature = value("feature", "app_feature")?.lowercased()
        payload.query = value("query", "utterance", "text", "prompt")
        payload.memo = value("memo", "note", "content")
        payload.diaperType = value("diaper_type", "diapertype")
        payload.amountMl = try number(
            Assistant.amountsMl, "amount_ml", "amount_ml", "amountml", "amount")
        payload.durationMin = try number(
            Assistant.durationsMin, "duration_min", "duration_min", "durationmin", "duration")
        payload.grams = try number(Assistant.massesG, "grams", "grams", "amount_g", "amountg")
        payload.dose = try number(Assistant.doses, "dose", "dose", "dose_mg", "dosemg")
        guard payload.hasContent else { return nil }
        payload.source = value("source")?.lowercased() ?? payload.source
        return payload
    }

    /// Returns the first value that is not blank in the link's query, trying the names in order.
    /// Under `rules: source` only the first occurrence of each name is used, as in the app.
    private func value(_ names: String...) -> String? { value(of: names) }

    /// Returns the first value that is not blank in the link's query, trying the names in order.
    private func value(of names: [String]) -> String? {
        for name in names {
            let named = items.filter { $0.name == name }
            for item in rules == .source ? named.prefix(1) : named[...] {
                let text = item.value?.trimmed ?? ""
                if !text.isEmpty { return text }
            }
        }
        return nil
    }

    /// Returns the first value with one of the names as a positive whole number; `nil` for other
    /// texts. Throws a refusal of a number out of range. Under `rules: source` a number beyond 64
    /// bits is taken as absent, as in the app.
    private func number(
        _ range: ClosedRange<Int64>, _ field: String, _ names: String...
    ) throws(Refusal) -> Int64? {
        guard let text = value(of: names) else { return nil }
        let number = Int64(text)
        guard number ?? 0 > 0 || (number == nil && rules == .standard && text.isHugeNumber) else {
            return nil
        }
        guard let number, range.contains(number) else {
            throw Refusal(
                "outOfRange",
                "'\(field)' in the link is '\(text.prefix(60))'; expected \(range.lowerBound) to "
                    + "\(range.upperBound)")
        }
        return number
    }
}

extension String {
    /// True if the text has at least 19 digits, after at most one plus sign.
    fileprivate var isHugeNumber: Bool {
        let digits = utf8.first == UInt8(ascii: "+") ? utf8.dropFirst() : utf8[...]
        return digits.count > 18 && digits.allSatisfy { (48...57).contains($0) }
    }
}

extension Assistant.Payload {
    /// True if the link has any value besides its path and source.
    fileprivate var hasContent: Bool {
        let texts = [feature, query, memo, diaperType]
        let numbers = [amountMl, durationMin, grams, dose]
        return texts.contains { $0 != nil } || numbers.contains { $0 != nil }
    }
}

extension Assistant {
    /// Accepted amounts in millilitres.
    static let amountsMl: ClosedRange<Int64> = 1...100_000
    /// Accepted durations in minutes, up to 400 days.
    static let durationsMin: ClosedRange<Int64> = 1...576_000
    /// Accepted masses in grams.
    static let massesG: ClosedRange<Int64> = 1...1_000_000
    /// Accepted doses of a medication, in milligrams.
    static let doses: ClosedRange<Int64> = 1...1_000_000_000
}

/// The path and the query of a link to the assistant.
private struct Address {
    /// Path of the link; `nil` for an unknown path.
    let path: Assistant.Path?
    /// Bytes after the question mark, without the fragment.
    let query: ArraySlice<UInt8>

    /// Parses a link; returns `nil` unless it starts with `babyai://assistant`.
    init?(_ link: ArraySlice<UInt8>) {
        guard let colon = link.firstIndex(of: UInt8(ascii: ":")),
            Self.lowercasedText(link[..<colon], decoded: false) == "babyai"
        else { return nil }
        let rest = link[link.index(after: colon)...]
        guard rest.starts(with: "//".utf8) else { return nil }
        let whole = rest.dropFirst(2).prefix { $0 != UInt8(ascii: "#") }
        let target = whole.prefix { $0 != UInt8(ascii: "?") }
        query = whole[target.endIndex...].dropFirst()
        let authority = target.prefix { $0 != UInt8(ascii: "/") }
        guard Self.lowercasedText(Self.host(authority), decoded: true) == "assistant" else {
            return nil
        }
        switch Self.lowercasedText(target[authority.endIndex...], decoded: true) {
        case "": path = Assistant.Path.none
        case "/query": path = .query
        case "/open": path = .open
        default: path = nil
        }
    }

    /// Returns the host of an authority, without user name and port.
    private static func host(_ authority: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let start = authority.lastIndex(of: UInt8(ascii: "@")).map { authority.index(after: $0) }
        let named = authority[(start ?? authority.startIndex)...]
        guard let colon = named.lastIndex(of: UInt8(ascii: ":")),
            named[colon...].dropFirst().allSatisfy({ (48...57).contains($0) })
        else { return named }
        return named[..<colon]
    }

    /// Returns bytes as lower-case text; `nil` for more than 64 bytes or an invalid encoding.
    private static func lowercasedText(_ bytes: ArraySlice<UInt8>, decoded isDecoded: Bool)
        -> String?
    {
        guard bytes.count <= 64 else { return nil }
        guard isDecoded else { return String(decoding: bytes, as: UTF8.self).lowercased() }
        return PercentCoding.decode(bytes)?.lowercased()
    }
}
