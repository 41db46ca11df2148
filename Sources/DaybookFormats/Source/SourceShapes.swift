import Daybook
import DaybookModel

/// Converts reports to the JSON answers of the original app's server.
///
/// Source: the server at the date of document S4 (docs/sources.md). The answers for the last feed,
/// sleep, diaper and medication are from the previous release, which still had these routes.
enum SourceShapes {
    /// Returns the answer of `GET /reports/daily`.
    static func daily(
        _ day: BabyCare.DayReport, _ entries: [String: BabyCare.SharedEntry],
        notes: [String: String]
    ) -> SourceJSON {
        let figures = day.figures
        let feeds = (figures.feed.formula?.count ?? 0) + (figures.feed.breastfeed?.count ?? 0)
        return .object([
            "baby_id": .text(day.basis.babyId), "date": .text(day.date),
            "events": .list(
                day.entries.map { listed in
                    let entry = entries[listed.entryId]?.entry ?? .blank
                    return .object([
                        "end_time": .utcSecond(listed.ended), "event_id": .text(listed.entryId),
                        "start_time": .utcSecond(listed.started), "type": .text(listed.kind.type),
                        "value": .object(valueMembers(of: entry, notes[listed.entryId])),
                    ])
                }), "labels": .texts(["record_based"]),
            "summary": .texts([
                "Feeding events: \(feeds)",
                "Formula total: \(figures.feed.formula?.ml ?? 0) ml",
                "Sleep total: \((figures.sleep?.sumS ?? 0) / 60) minutes",
                "Diaper events: pee \(figures.diaper.pee ?? 0), poo \(figures.diaper.poo ?? 0)",
            ]),
        ])
    }

    /// Returns the answer of `GET /reports/weekly`, which has trends but no totals.
    static func weekly(_ week: BabyCare.PeriodReport) -> SourceJSON {
        .object([
            "baby_id": .text(week.basis.babyId), "labels": .texts(["record_based"]),
            "suggestions": .texts([
                "Keep logging feeding and sleep consistently to improve ETA quality.",
                "If diaper events spike, review feeding intervals and hydration patterns.",
            ]),
            "trend": .object([
                "feeding_total_ml": .text(week.trend.formulaMl ?? "new"),
                "sleep_total_min": .text(week.trend.sleepS ?? "new"),
            ]), "week_start": .text(week.from),
        ])
    }

    /// Returns the answer of `GET /quick/next-feeding-eta`.
    static func nextFeeding(_ next: BabyCare.NextFeeding, tone: String?) -> SourceJSON {
        guard let eta = next.etaMin, let average = next.averageMin else {
            return .object([
                "eta_minutes": .null,
                "message": .text(
                    "Not enough feeding history yet. Add one or two more feeding events."),
                "reference_text": .text("At least two feeding records are required."),
                "unstable": .boolean(true),
            ])
        }
        let every = "\(average / 60)h \(average % 60)m"
        let message = assistantTone(named: tone).text(
            friendly: "Estimated next feeding in \(eta) minutes based on a \(every) average "
                + "interval.",
            formal: "The recommended next feeding time is in \(eta) minutes, based on an average "
                + "interval of \(every).",
            brief: "ETA \(eta)m (avg \(every)).")
        return .object([
            "eta_minutes": .integer(eta), "message": .text(message),
            "reference_text": .text("Computed from \(next.feedCount) recent feeding events."),
            "unstable": .boolean(false),
        ])
    }

    /// Returns the answer of `GET /quick/today-summary`.
    static func today(_ today: BabyCare.Today) -> SourceJSON {
        .object([
            "reference_text": .text("Derived from today's confirmed events."),
            "summary_lines": .texts(today.lines),
        ])
    }

    /// Returns the answer of `GET /quick/last-poo-time`.
    static func lastPoo(_ poo: BabyCare.Latest?, tone: String?) -> SourceJSON {
        guard let poo else {
            return .object([
                "last_poo_time": .null,
                "message": .text("No poo records yet. Add one and I can answer immediately."),
                "reference_text": .text("No confirmed poo events are stored yet."),
            ])
        }
        let clock = utcClock(poo.started)
        let message = assistantTone(named: tone).text(
            friendly: "Last poo was logged at \(clock).",
            formal: "The latest recorded poo event time is \(clock).", brief: "Last poo: \(clock).")
        return .object([
            "last_poo_time": .utcMillisecond(poo.started), "message": .text(message),
            "reference_text": .text("Based on confirmed event logs for this baby."),
        ])
    }

    /// Returns the answer of the routes `POST /assistants/siri/…`.
    static func siri(_ spoken: Assistant.Spoken) -> SourceJSON {
        .object(["dialog": .text(spoken.dialog), "reference": .text(spoken.reference)])
    }

    /// Returns the answer of `POST /assistants/bixby/query`.
    static func bixby(_ spoken: Assistant.Spoken) -> SourceJSON {
        .object(["answer": .text(spoken.dialog), "resultMoment": .boolean(true)])
    }

    /// Returns the tone with a name, or `neutral` for an unknown name or `nil`. With `neutral` an
    /// answer uses its friendly text.
    private static func assistantTone(named name: String?) -> Assistant.Tone {
        name.flatMap { Assistant.Tone(name: $0.trimmed) } ?? .neutral
    }

    /// Returns the time of day in UTC as text: `22:10 UTC`.
    private static func utcClock(_ time: Instant) -> String {
        "\(Zone.utc.local(at: time).text.dropFirst(11).prefix(5)) UTC"
    }
}

// The last entry of a group, as the previous release answered.
extension SourceShapes {
    /// Returns the answer of `GET /quick/last-feeding`, or of its counterpart for another group.
    ///
    /// The counterparts are `recent-sleep`, `last-diaper` and `last-medication`.
    ///
    /// - Parameters:
    ///   - group: the group of entries.
    ///   - entries: the baby's entries, of which only closed entries of the group are used.
    static func lastEntry(
        _ group: BabyCare.LastReport.Group, of entries: [BabyCare.Entry], in zone: Zone,
        tone: String?
    ) -> SourceJSON {
        let noun = group.name
        let newest = entries.filter { $0.state == .closed && group.includes($0.kind) }
            .max { ($0.started, $0.entryId) < ($1.started, $1.entryId) }
        guard let newest else {
            let hint = group == .sleep ? "summarize sleep timing" : "answer immediately"
            return lastEntryAnswer(
                nil, zone, message: "No \(noun) records yet. Add one and I can \(hint).",
                reference: "No confirmed \(noun) events are stored yet.")
        }
        let (type, clock) = (newest.kind.type, utcClock(newest.started))
        let texts: (friendly: String, formal: String, brief: String) =
            switch group {
            case .feeding, .poo:
                (
                    "Latest feeding (\(type.lowercased())) was logged at \(clock).",
                    "The most recent feeding event type is \(type) at \(clock).",
                    "Last feeding: \(type) at \(clock)."
                )
            case .sleep:
                (
                    "Most recent sleep was logged at \(clock).",
                    "The latest recorded sleep event time is \(clock).", "Recent sleep: \(clock)."
                )
            case .diaper:
                (
                    "Latest diaper event (\(type.lowercased())) was logged at \(clock).",
                    "The most recent diaper event type is \(type) at \(clock).",
                    "Last diaper: \(type) at \(clock)."
                )
            case .medication:
                (
                    "Latest medication event was logged at \(clock).",
                    "The latest recorded medication event time is \(clock).",
                    "Last medication: \(clock)."
                )
            }
        let subject =
            switch group {
            case .feeding, .poo: "feeding event (FORMULA or BREASTFEED)"
            case .diaper: "diaper event (PEE or POO)"
            case .sleep, .medication: "\(noun) event for this baby"
            }
        return lastEntryAnswer(
            newest, zone,
            message: assistantTone(named: tone).text(
                friendly: texts.friendly, formal: texts.formal, brief: texts.brief),
            reference: "Latest confirmed \(subject).")
    }

    /// Returns the answer about the last entry of a group.
    private static func lastEntryAnswer(
        _ entry: BabyCare.Entry?, _ zone: Zone, message: String, reference: String
    ) -> SourceJSON {
        var members: [String: SourceJSON] = [
            "amount_ml": .null, "confidence": .null, "duration_min": .null, "local_time": .null,
            "message": .text(message), "reference_text": .text(reference), "timestamp": .null,
            "type": .null,
        ]
        guard let entry else { return .object(members) }
        members["timestamp"] = .utcSecond(entry.started)
        members["local_time"] = .text(
            Timestamp.text(Instant(microseconds: entry.started.second * 1_000_000), in: zone))
        members["type"] = .text(entry.kind.type)
        if entry.kind.isFeed {
            members["amount_ml"] = entry.value.amountUl.map { .number($0, places: 3) } ?? .null
        }
        if entry.kind != .pee, entry.kind != .poo {
            let lengthUs =
                entry.value.durationS.map { $0 * 1_000_000 }
                ?? entry.ended.map { max(0, $0.microseconds(since: entry.started)) }
            members["duration_min"] = lengthUs.map { .minutes(ofMicroseconds: $0) } ?? .null
        }
        return .object(members)
    }
}

extension SourceShapes {
    /// Returns the JSON members of an entry's value, with the app's field names and units.
    ///
    /// The app accepts several names for a detail, in the value or in the metadata. The log keeps
    /// the original name only for the note, so every other detail gets the first of its names and
    /// is put into the value.
    static func valueMembers(of entry: BabyCare.Entry, _ note: String?) -> [String: SourceJSON] {
        let value = entry.value
        var members: [String: SourceJSON] = [:]
        for (key, text) in entry.meta where !omittedMetadataKeys.contains(key) {
            members[key] = .text(text)
        }
        let number = { (key: String, small: Int64?, places: Int) in
            if let small { members[key] = .number(small, places: places) }
        }
        let word = { (key: String, text: String?) in
            if let text { members[key] = .text(text) }
        }
        number("ml", value.amountUl, 3)
        number(
            entry.kind == .growth ? "weight_kg" : "grams", value.massMg,
            entry.kind == .growth ? 6 : 3)
        number("height_cm", value.lengthUm, 4)
        number("head_cm", value.headUm, 4)
        number("temp_c", value.milliC, 3)
        number("count", value.count, 0)
        if let lengthS = value.durationS {
            members["duration_min"] = .minutes(ofMicroseconds: lengthS * 1_000_000)
        }
        word("side", value.side?.name)
        word("contents", value.contents)
        word(entry.kind.typeKey, value.type)
        word("name", value.name)
        word("dose", value.dose)
        word("method", value.method)
        if let isNap = value.isNap { members["nap"] = .boolean(isNap) }
        word(entry.textName?.name ?? "memo", note)
        if let category = entry.kind.memoCategory { members["category"] = .text(category) }
        return members
    }

    /// Metadata keys that the app does not return in its answers.
    private static let omittedMetadataKeys: Set<String> = [
        "entry_mode", "event_state", "state", "timer_activity", "undo_delete", "createdBy",
        "created_by", "confidence",
    ]
}

extension BabyCare.Kind {
    /// Name of the kind in the app; `MEMO` for kinds that the app lacks, such as weaning.
    var type: String { (memoCategory == nil ? name : "memo").uppercased() }

    /// Name of the JSON member for the type of an entry of this kind.
    fileprivate var typeKey: String {
        switch self {
        case .pee, .poo, .dry: "diaper_type"
        case .weaning: "weaning_type"
        case .medication: "medication_type"
        default: "type"
        }
    }
}

extension BabyCare.LastReport.Group {
    fileprivate func includes(_ kind: BabyCare.Kind) -> Bool {
        switch self {
        case .poo: kind == .poo
        case .feeding: kind.isFeed
        case .sleep: kind == .sleep
        case .diaper: kind == .pee || kind == .poo
        case .medication: kind == .medication
        }
    }
}
