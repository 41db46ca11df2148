import Daybook
import TestSupport
import Testing

@testable import DaybookModel

// Holds: s4-send-command
/// The entry, form or chat that an action leads to.
@Suite struct UnderstoodTests {
    typealias Tile = Assistant.Tile
    typealias Interpretation = Assistant.Interpretation

    private static func understood(
        _ text: String?, feature: String? = nil, rules: Rules = .standard,
        _ change: (inout Assistant.Payload) -> Void = { _ in }
    ) throws -> Interpretation {
        var payload = Assistant.Payload(path: .query, feature: feature, query: text)
        change(&payload)
        return try Interpretation(payload, rules: rules)
    }

    @Test(
        "A feature names its tile",
        arguments: [
            ("formula", .formula), ("breastfeed", .breastfeed), ("breastfeeding", .breastfeed),
            ("weaning", .weaning), ("solid", .weaning), ("diaper", .diaper), ("pee", .diaper),
            ("poo", .diaper), ("sleep", .sleep), ("medication", .medication),
            ("medicine", .medication), ("memo", .memo), ("note", .memo), ("today_summary", nil),
            ("feeding", nil),
        ] as [(String, Tile?)])
    func features(_ feature: String, _ tile: Tile?) throws {
        try expect(Self.understood(nil, feature: feature).reading.tile, equals: tile)
    }

    @Test(
        "A text names its tile by the first word of the list, wherever it is",
        arguments: [
            ("Formula please", .formula), ("분유", .formula), ("breast", .breastfeed),
            ("모유 수유", .breastfeed), ("weaning", .weaning), ("SOLID food", .weaning),
            ("이유식", .weaning), ("diaper", .diaper), ("pee", .diaper), ("poo", .diaper),
            ("기저귀", .diaper), ("소변", .diaper), ("대변", .diaper), ("오줌", .diaper),
            ("응가", .diaper), ("똥", .diaper), ("sleep", .sleep), ("낮잠", .sleep), ("수면", .sleep),
            ("기상", .sleep), ("medication", .medication), ("medicine", .medication),
            ("투약", .medication), ("감기약", .medication), ("memo", .memo), ("note", .memo),
            ("메모", .memo), ("memo of a formula", .formula), ("sleep after a pee", .diaper),
            ("she smiled", nil),
        ] as [(String, Tile?)])
    func texts(_ text: String, _ tile: Tile?) throws {
        try expect(Self.understood(text).reading.tile, equals: tile)
        try expect(Self.understood(text, feature: "last_diaper").reading.tile, equals: tile)
    }

    @Test(
        "A word to record makes an entry of it",
        arguments: ["기록", "저장", "추가", "입력", "등록", "record", "LOG", "save", "add", "track"])
    func wordsToRecord(_ word: String) throws {
        try expect(Self.understood("pee \(word)").route, equals: .record)
        try expect(Self.understood("pee").route, equals: .form)
        try expect(Self.understood("pee", feature: "diaper").route, equals: .record)
    }

    @Test(
        "An amount is up to four digits with a unit behind them",
        arguments: [
            ("120ml", 120, 120), ("120 mL", 120, 120), ("60cc", 60, 60), ("60 ㎖", 60, 60),
            ("80밀리", 80, 80), ("a 5 ml then 7 ml", nil, 5), ("0ml", nil, nil), ("ml", nil, nil),
            ("120 millilitres", nil, nil), ("120 g", nil, nil), ("9999ml", 9_999, 9_999),
            ("12345ml", nil, 2_345), ("120.5ml", nil, 5), ("1,500ml", nil, 500),
            ("formula,60ml", 60, 60), ("１２ml", nil, nil),
        ] as [(String, Int64?, Int64?)])
    func amounts(_ text: String, _ standard: Int64?, _ source: Int64?) throws {
        try expect(Self.understood(text, feature: "formula").reading.amountMl, equals: standard)
        let app = try Self.understood(text, feature: "formula", rules: .source)
        expect(app.reading.amountMl, equals: source)
    }

    @Test(
        "A length is hours and minutes added",
        arguments: [
            ("40 min", 40), ("40분", 40), ("1시간 30분", 90), ("2 hours", 120), ("1 hr 5 mins", 65),
            ("10 minutes and 20 minutes", nil), ("1h", nil), ("0 min", nil), ("999 min", 999),
            ("99 hours 999 minutes", 6_939), ("1000 min", nil),
        ] as [(String, Int64?)])
    func lengths(_ text: String, _ minutes: Int64?) throws {
        try expect(Self.understood(text, feature: "sleep").reading.durationMin, equals: minutes)
    }

    @Test("Parameters of a link take precedence over its text, which may not contradict")
    func fieldsFirst() throws {
        let bottle = try Self.understood("formula 120ml record") { $0.amountMl = 90 }
        expect(bottle.reading.amountMl, equals: 90)
        expect(bottle.route, equals: .form)
        let nap = try Self.understood("record sleep 20 min") { $0.durationMin = 40 }
        expect(nap.reading.durationMin, equals: 40)
        expect(nap.route, equals: .form)
        let same = try Self.understood("formula 120ml record") { $0.amountMl = 120 }
        expect(same.route, equals: .record)
    }

    @Test(
        "A text beside a chosen feature is understood completely, or asks",
        arguments: [
            ("formula", "120ml", .record), ("formula", "120ml yesterday", .form),
            ("formula", "분유 120ml 안 먹었어", .form), ("formula", "모유 120ml", .form),
            ("poo", "응가했어", .record), ("poo", "not yet", .form), ("pee", "she pooped", .form),
            ("sleep", "30 minutes ago", .form), ("breastfeed", "60 ml", .form),
            ("medication", "do not give it", .form), ("memo", "delete it", .form),
            ("memo", "don't save this", .form), ("memo", "she smiled", .record),
            ("last_diaper", "pee", .form), ("today_summary", "pee", .form),
        ] as [(String, String, Assistant.Route)])
    func chosen(_ feature: String, _ text: String, _ route: Assistant.Route) throws {
        let understood = try Self.understood(text, feature: feature) {
            if feature == "formula" { $0.amountMl = 120 }
        }
        expect(understood.route, equals: route)
    }

    @Test(
        "A diaper is what its feature says, then its type, then its text, which may not contradict",
        arguments: [
            ("pee", "POO", "poo", .pee, .form), ("poo", nil, nil, .poo, .record),
            ("diaper", "POO", "pee", .poo, .form), ("diaper", " pee ", nil, nil, .form),
            ("diaper", "Pee", nil, .pee, .record), ("diaper", "Pee", "peed", .pee, .record),
            ("diaper", "mixed", "stool", .poo, .record), ("diaper", nil, "urine", .pee, .record),
            ("diaper", nil, "대변 소변", nil, .form), ("diaper", nil, nil, nil, .form),
        ] as [(String, String?, String?, Assistant.Diaper?, Assistant.Route)])
    func diapers(
        _ feature: String, _ type: String?, _ text: String?, _ diaper: Assistant.Diaper?,
        _ route: Assistant.Route
    ) throws {
        let understood = try Self.understood(text, feature: feature) { $0.diaperType = type }
        expect(understood.reading.diaper, equals: diaper)
        expect(understood.route, equals: route)
    }

    @Test(
        "A sleep starts or ends by its words",
        arguments: [
            ("수면시작", .start), ("잠시작", .start), ("재우기 시작", .start), ("잠들었어", .start),
            ("sleep start", .start), ("Start Sleep", .start), ("수면종료", .end), ("잠종료", .end),
            ("기상", .end), ("깼어", .end), ("wake up", .end), ("woke", .end), ("sleep end", .end),
            ("stop sleep", .end), ("sleep", nil),
        ] as [(String, Assistant.SleepAction?)])
    func sleeps(_ text: String, _ action: Assistant.SleepAction?) throws {
        let understood = try Self.understood(text, feature: "sleep")
        expect(understood.reading.sleep, equals: action)
        #expect(understood.route == (action == nil ? .form : .record))
    }

    @Test(
        "Only a complete entry is recorded at once",
        arguments: [
            ("formula", nil, nil, .form, .form), ("formula", "60ml", nil, .record, .record),
            ("breastfeed", nil, nil, .record, .record), ("weaning", nil, nil, .record, .form),
            ("sleep", "40 min", nil, .record, .record), ("medication", nil, nil, .form, .form),
            ("medication", nil, "drops", .record, .record),
            ("medication", "drops", nil, .record, .record), ("memo", nil, nil, .form, .form),
            ("memo", nil, "smiled", .record, .record), ("memo", "smiled", nil, .record, .record),
        ] as [(String, String?, String?, Assistant.Route, Assistant.Route)])
    func complete(
        _ feature: String, _ text: String?, _ memo: String?, _ standard: Assistant.Route,
        _ source: Assistant.Route
    ) throws {
        for (rules, route) in [(Rules.standard, standard), (.source, source)] {
            let understood = try Self.understood(text, feature: feature, rules: rules) {
                $0.memo = memo
            }
            expect(understood.route, equals: route)
        }
    }

    @Test("A link without a tile leads to the chat, or nowhere if it has no text")
    func noTile() throws {
        try expect(Self.understood("is she well?").route, equals: .chat)
        try expect(Self.understood(nil).route, equals: .none)
        try expect(Self.understood(nil) { $0.grams = 5 }.route, equals: .none)
        try expect(Self.understood("log formula 60ml", feature: "chat").route, equals: .chat)
        try expect(Self.understood(nil, feature: "chat").route, equals: .chat)
        try expect(Self.understood("60 cc").reading.tile, equals: .formula)
        try expect(Self.understood("HTML").route, equals: .chat)
        for (text, rules) in [
            ("record it", Rules.standard), ("기록해", .standard), ("-120ml", .standard),
            ("HTML", .source),
        ] {
            let refused = #expect(throws: Daybook.Refusal.self) {
                try Self.understood(text, rules: rules)
            }
            #expect(
                refused?.message
                    == "Record command was not parsed. Try: formula 120ml record.")
        }
    }

    @Test("Whatever words come together, a command is understood or refused, and within its limits")
    func random() {
        let seed: UInt64 = 7
        var random = SeededGenerator(seed: seed)
        let words = [
            "formula", "120ml", "9999ml", "분유", "sleep", "start", "wake", "99시간", "999분", "log",
            "메모", "약", "poo", "", "  ", "\u{1F37C}", "e\u{301}", "1.5ml", "0", "chat", "ml",
        ]
        var routes: Set<String> = []
        for round in 0..<3_000 {
            let count = Int.random(in: 0..<8, using: &random)
            let text = (0..<count).map { _ in words.randomElement(using: &random) ?? "" }
                .joined(separator: Bool.random(using: &random) ? " " : "")
            let feature = ["formula", "sleep", "memo", "chat", "x"].randomElement(using: &random)
            let hasFeature = Bool.random(using: &random)
            for rules in [Rules.standard, .source] {
                do {
                    let understood = try Self.understood(
                        text.trimmed.isEmpty ? nil : text, feature: hasFeature ? feature : nil,
                        rules: rules)
                    routes.insert(understood.route.name)
                    #expect(understood.reading.outOfLimits.isEmpty, "seed \(seed), \(round)")
                    #expect(
                        understood.route != .record || understood.reading.tile != nil,
                        "seed \(seed), \(round)")
                } catch {
                    expect(
                        (error as? Daybook.Refusal)?.code, equals: "notParsed",
                        "seed \(seed), \(round)")
                }
            }
        }
        expect(routes, equals: ["none", "chat", "form", "record"])
    }
}
