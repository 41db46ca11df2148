import Daybook
import TestSupport
import Testing

@testable import DaybookModel

// Holds: s4-links, s4-link-keys, s4-link-aliases, s4-link-numbers
/// Links of the app's scheme, row by row.
@Suite struct ActionLinkTests {
    typealias Payload = Assistant.Payload

    private static func read(
        _ link: String, _ rules: Rules = .standard
    ) throws -> Payload? {
        try Assistant.ActionLink.read(link, rules: rules)
    }

    private static func payload(_ query: String, _ rules: Rules = .standard) throws -> Payload? {
        try read("babyai://assistant/query?\(query)", rules)
    }

    private static func text(_ payload: Payload, _ field: String) -> String? {
        switch field {
        case "feature": payload.feature
        case "query": payload.query
        case "memo": payload.memo
        case "diaperType": payload.diaperType
        default: nil
        }
    }

    private static func number(_ payload: Payload, _ field: String) -> Int64? {
        switch field {
        case "amountMl": payload.amountMl
        case "durationMin": payload.durationMin
        case "grams": payload.grams
        case "dose": payload.dose
        default: nil
        }
    }

    @Test(
        "Every name of a field is read, in any case",
        arguments: [
            ("feature", "feature"), ("app_feature", "feature"),
            ("query", "query"), ("utterance", "query"), ("text", "query"),
            ("prompt", "query"), ("memo", "memo"), ("note", "memo"),
            ("content", "memo"), ("diaper_type", "diaperType"),
            ("diaperType", "diaperType"),
        ] as [(String, String)])
    func texts(_ name: String, _ field: String) throws {
        for spelling in [name, name.uppercased(), name.lowercased()] {
            for rules in [Rules.standard, .source] {
                let payload = try #require(try Self.payload("\(spelling)=%20some%20word%20", rules))
                expect(Self.text(payload, field), equals: "some word")
                expect(payload.source, equals: "assistant")
            }
        }
    }

    @Test(
        "Every name of a number is read, in any case",
        arguments: [
            ("amount_ml", "amountMl"), ("amountMl", "amountMl"),
            ("amount", "amountMl"), ("duration_min", "durationMin"),
            ("durationMin", "durationMin"), ("duration", "durationMin"),
            ("grams", "grams"), ("amount_g", "grams"), ("amountG", "grams"),
            ("dose", "dose"), ("dose_mg", "dose"), ("doseMg", "dose"),
        ] as [(String, String)])
    func numbers(_ name: String, _ field: String) throws {
        for spelling in [name, name.uppercased(), name.lowercased()] {
            try expect(
                Self.payload("\(spelling)=120").flatMap { Self.number($0, field) }, equals: 120)
        }
        for text in ["0", "-3", "1.5", "many", "", "%20", "12ml", "-99999999999999999999"] {
            #expect(try Self.payload("\(name)=\(text)") == nil, "\(text)")
            let payload = try #require(try Self.payload("memo=m&\(name)=\(text)"))
            #expect(Self.number(payload, field) == nil, "\(text)")
        }
    }

    @Test(
        "A number over its limit is refused, and names its field",
        arguments: [
            ("amount=100001", "amount_ml"), ("duration=576001", "duration_min"),
            ("grams=1000001", "grams"), ("dose=1000000001", "dose"),
            ("amount=99999999999999999999", "amount_ml"),
            ("duration=%2B99999999999999999999", "duration_min"),
            ("grams=10000000000000000000000000000", "grams"),
        ])
    func limits(_ query: String, _ field: String) throws {
        let refused = #expect(throws: Daybook.Refusal.self) { try Self.payload(query) }
        expect(refused?.code, equals: "outOfRange")
        expect(refused?.message.hasPrefix("'\(field)' in the link is "), equals: true)
        expect(refused?.message.contains("expected 1 to "), equals: true)
    }

    @Test(
        "A link leads to the assistant by scheme, host and path in any case",
        arguments: [
            ("babyai://assistant?memo=m", Assistant.Path.none),
            ("babyai://assistant/query?memo=m", .query), ("BabyAI://ASSISTANT/Open?memo=m", .open),
            ("babyai://%61ssistant/%71uery?memo=m", .query),
            ("babyai://someone@assistant:443/query?memo=m#part", .query),
        ])
    func addresses(_ link: String, _ path: Assistant.Path) throws {
        try expect(Self.read(link)?.path, equals: path)
    }

    @Test(
        "A link to elsewhere, or that asks for nothing, is ignored",
        arguments: [
            "", "babyai", "babyai:", "babyai:assistant/query?memo=m", "babyai:/assistant?memo=m",
            "babyaix://assistant/query?memo=m", " babyai://assistant/query?memo=m",
            "https://assistant/query?memo=m", "babyai://assistent/query?memo=m",
            "babyai://assistant.example.org/query?memo=m", "babyai://assistant@evil/query?memo=m",
            "babyai:///query?memo=m", "babyai://assistant/?memo=m",
            "babyai://assistant/query/?memo=m", "babyai://assistant/query/open?memo=m",
            "babyai://assistant/delete?memo=m", "babyai://assistant/%?memo=m",
            "babyai://assistant/query", "babyai://assistant/query?",
            "babyai://assistant/query?source=siri", "babyai://assistant/query?memo=%20&source=x",
            "babyai://assistant/query?memo", "babyai://assistant/query?other=1&&=2&=",
            "babyai://assistant/query#memo=m",
        ])
    func ignored(_ link: String) throws {
        #expect(try Self.read(link) == nil)
        #expect(try Self.read(link, .source) == nil)
    }

    @Test(
        "A link to the assistant that cannot be read is refused",
        arguments: [
            ("query=%", "unreadableLink"), ("query=%4", "unreadableLink"),
            ("query=%zz", "unreadableLink"), ("query=%ff", "unreadableLink"),
            ("query=%c0%80", "unreadableLink"), ("query=%ed%a0%80", "unreadableLink"),
            ("%ff=m", "unreadableLink"), ("memo=m#%f", "unreadableLink"),
            ("query=a%00b", "controlCharacters"), ("query=a%0Ab", "controlCharacters"),
            ("query=a%7fb", "controlCharacters"), ("query=a%C2%85b", "controlCharacters"),
            ("query=a\u{7}b", "controlCharacters"), ("%09=m&memo=m", "controlCharacters"),
            ("memo=m#%0d", "controlCharacters"),
        ])
    func refused(_ query: String, _ code: String) {
        let refused = #expect(throws: Daybook.Refusal.self) { try Self.payload(query) }
        expect(refused?.code, equals: code)
    }

    @Test("A link has at most 8 KiB")
    func length() throws {
        let start = "babyai://assistant/query?memo="
        let longest = start + String(repeating: "m", count: 8_192 - start.utf8.count)
        try expect(Self.read(longest)?.linkBytes, equals: 8_192)
        let refused = #expect(throws: Daybook.Refusal.self) { try Self.read(longest + "m") }
        expect(refused?.code, equals: "linkTooLong")
        #expect(try Self.read("https://\(longest)\(longest)") == nil)
    }

    @Test("The first value that is not blank counts, by the order of the names, then of the link")
    func order() throws {
        try expect(Self.payload("prompt=p&query=q&text=t")?.query, equals: "q")
        try expect(Self.payload("query=%20&text=t")?.query, equals: "t")
        try expect(Self.payload("query=&query=q&text=t")?.query, equals: "q")
        try expect(Self.payload("query=&query=q&text=t", .source)?.query, equals: "t")
        try expect(Self.payload("query=one&query=two")?.query, equals: "one")
        try expect(Self.payload("query=a=b%26c")?.query, equals: "a=b&c")
        try expect(Self.payload("query=one+two")?.query, equals: "one+two")
    }

    @Test("Feature and source are in small letters, texts are composed")
    func letters() throws {
        let payload = try #require(try Self.payload("feature=FORMULA&source=Bixby&query=Log%20It"))
        #expect((payload.feature, payload.source) == ("formula", "bixby"))
        expect(payload.query, equals: "Log It")
        // U+1112 U+1161 U+11AB, which compose to one syllable.
        let composed = try #require(try Self.payload("memo=%E1%84%92%E1%85%A1%E1%86%AB")?.memo)
        expect(Array(composed.unicodeScalars), equals: ["\u{D55C}"])
    }

    @Test("Whatever bytes follow, a link is read, ignored or refused, and the same each time")
    func random() throws {
        let seed: UInt64 = 20_260_221
        var random = SeededGenerator(seed: seed)
        let names = ["feature", "query", "memo", "note", "amount_ml", "source", "x", "%E1%84", ""]
        let values = [
            "formula", "chat", "log", "ml", "120", "99999999999999999999", "-1", "+7", "분유",
            "\u{1F37C}", "e\u{301}", "%EB%B6%84", "%20", " ", "", "\u{202E}",
        ]
        let hostile = ["%", "%0", "%00", "%FF", "\u{0}", "\u{85}", "#", "@", "://", "?", "=", "&"]
        let nothing = try Assistant.Interpretation(Payload())
        var read = 0
        for round in 0..<3_000 {
            let items = (0..<Int.random(in: 0..<6, using: &random)).map { _ in
                let value = (0..<Int.random(in: 0..<4, using: &random)).map { _ in
                    (Int.random(in: 0..<30, using: &random) == 0 ? hostile : values)
                        .randomElement(using: &random) ?? ""
                }
                return "\(names.randomElement(using: &random) ?? "")=\(value.joined())"
            }
            var link = "babyai://assistant/query?" + items.joined(separator: "&")
            if Int.random(in: 0..<10, using: &random) == 0 {
                link = String(link.dropFirst(Int.random(in: 0..<30, using: &random)))
            }
            for rules in [Rules.standard, .source] {
                do {
                    guard let payload = try Self.read(link, rules) else { continue }
                    try expect(
                        Self.read(link, rules), equals: payload, "seed \(seed), round \(round)")
                    read += 1
                    let texts = [payload.query, payload.memo, payload.feature].compactMap(\.self)
                    for text in texts {
                        #expect(!text.isEmpty && text == text.trimmed, "seed \(seed), \(round)")
                    }
                    let event = Assistant.ActionReceived(payload, nothing)
                    #expect(event.outOfLimits.isEmpty, "seed \(seed), round \(round)")
                } catch is Daybook.Refusal {
                    continue
                }
            }
        }
        #expect(read > 1_000, "seed \(seed)")
    }
}
