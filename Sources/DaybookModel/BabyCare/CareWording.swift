import Daybook

extension Wording {
    /// Returns the sentence of an entry: `formula 180 ml`, `sleep 20:35–05:45, nap`.
    func entry(
        _ kind: BabyCare.Kind, _ started: Instant?, _ ended: Instant?, _ value: BabyCare.Value,
        _ meta: BabyCare.Meta, _ others: String?...
    ) -> String {
        var time: String? = String(at(started).dropFirst())
        if let started, let ended, started != ended { time = stretch(started, ended) }
        let details = Array(
            value.details(meta, started, ended).filter { $0?.lowercased() != kind.name }.prefix(6))
        let parts =
            value.amountUl == nil && value.massMg == nil ? [time] + details : details + [time]
        return kind.name.joined(list(parts + others))
    }
}

extension String {
    /// Returns this word and the parts of a sentence after it.
    fileprivate func joined(_ parts: String) -> String { parts.isEmpty ? self : "\(self) \(parts)" }
}

extension BabyCare.Value {
    /// A detail of an entry as people write it, with the name of its field.
    private typealias Detail = (field: String, text: String)

    /// Returns the details of an entry, amounts first: `180 ml`, `left`, `nap`.
    func details(
        _ meta: BabyCare.Meta, _ started: Instant? = nil, _ ended: Instant? = nil
    ) -> [String?] {
        var value = self
        // A length is worth a word only if it is not that between the times.
        if let started, let ended, let length = value.durationS,
            (ended.second - started.second).saturatingDifference(length).magnitude < 120
        {
            value.durationS = nil
        }
        let words = meta.plainTexts.filter { BabyCare.detailNames.contains($0.key) }
            .sorted { $0.key < $1.key }.map { $0.value.onOneLine.clipped(to: 60) }
        return value.parts.map { $0.text } + words
    }

    private var parts: [Detail] {
        let details: [(String, String?)] = [
            ("name", name),
            ("amountUl", amountUl.map { FieldUnit.microlitres.text($0) }),
            ("massMg", massMg.map { FieldUnit.milligrams.text($0) }),
            ("lengthUm", lengthUm.map { FieldUnit.micrometres.text($0) }),
            ("headUm", headUm.map { "head " + FieldUnit.micrometres.text($0) }),
            ("milliC", milliC.map { FieldUnit.thousandthsCelsius.text($0) }),
            ("durationS", durationS.map { FieldUnit.seconds.text($0) }),
            ("dose", dose), ("side", side?.name), ("type", type),
            ("contents", contents), ("method", method),
            ("isNap", isNap.map { $0 ? "nap" : "night" }),
            ("count", count.flatMap { $0 == 1 ? nil : "× \($0)" }),
        ]
        return details.compactMap { field, text in
            guard let text, !text.isEmpty, text.lowercased() != "bottle" else { return nil }
            return (field, text.onOneLine.clipped(to: 60))
        }
    }

    /// Returns how details differ from earlier ones: `180 ml, was 236 ml`, `now left`.
    fileprivate func differences(from earlier: Self) -> [String] {
        let (new, old) = (parts, earlier.parts)
        let changed = new.compactMap { detail -> String? in
            guard let former = old.first(where: { $0.field == detail.field }) else {
                return "now \(detail.text)"
            }
            return former.text == detail.text ? nil : "\(detail.text), was \(former.text)"
        }
        let removed = old.filter { detail in !new.contains { $0.field == detail.field } }
        return changed + removed.map { "no longer \($0.text)" }
    }
}

extension BabyCare.EntryEdited {
    /// Returns what the edit changed: `180 ml, was 236 ml`, `20:35–05:45, was 20:35–05:30`.
    func changes(_ wording: Wording) -> [String] {
        var changes: [String] = []
        if let value = self.set.value {
            changes = value.differences(from: prior.value ?? BabyCare.Value())
        }
        let isMoved =
            self.set.started.map { $0 != prior.started } ?? false
            || self.set.ended.map { $0 != prior.ended } ?? false
        if isMoved, let started {
            let former = prior.started.map { start in
                ", was " + wording.stretch(start, prior.ended ?? start)
            }
            changes.append(wording.stretch(started, ended ?? started) + (former ?? ""))
        }
        if let meta = self.set.meta, meta != prior.meta { changes.append("other details") }
        return changes
    }
}

extension BabyCare.Candidate {
    /// The entry as a part of a sentence: `formula 120 ml`.
    func sentence(_ wording: Wording) -> String? {
        wording.entry(kind, started, ended, value, meta)
    }
}
