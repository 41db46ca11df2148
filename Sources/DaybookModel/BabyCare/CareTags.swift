package import Daybook

extension BabyCare {
    static func tag(_ babyId: String) -> Tag { Tag("baby", babyId) }
    static func entryTag(_ entryId: String) -> Tag { Tag("entry", entryId) }
    static func clipTag(_ clipId: String) -> Tag { Tag("clip", clipId) }

    /// Returns the tag of a baby's slot for a kind of entry; a slot has at most one open entry.
    static func slotTag(_ babyId: String, _ kind: Kind) -> Tag {
        Tag("slot", "open", babyId, kind.name)
    }

    /// Returns the tags of the baby, entry and slot, for an event that may open or end the entry.
    static func slotTags(_ babyId: String, _ entryId: String, _ kind: Kind) -> [Tag] {
        [tag(babyId), entryTag(entryId), slotTag(babyId, kind)]
    }

    /// Returns a list with the tag of the imported row; an empty list if `origin` is `nil`.
    static func rowTags(_ babyId: String, _ origin: Origin?) -> [Tag] {
        origin.map { [rowTag(babyId, $0)] } ?? []
    }

    /// Returns the tag of an imported row, made from the digest of the cells that identify it.
    static func rowTag(_ babyId: String, _ origin: Origin) -> Tag {
        Tag("row", babyId, origin.format.name, origin.rowDigest.digits)
    }

    /// Returns the tag of a published report, such as `report:7/daily/2026-02-01`.
    static func reportTag(_ babyId: String, _ kind: ReportKind, _ period: String) -> Tag {
        Tag("report", babyId, kind.name, period)
    }

    /// Returns the tag shared by the entries of a baby in the ISO week of a date.
    private static func weekTag(_ babyId: String, _ day: CivilDate) -> Tag {
        Tag("week", babyId, day.isoWeekText)
    }

    /// Returns the tags of the UTC weeks that an entry touches, at most the first 64.
    static func weekTags(_ babyId: String, _ started: Instant?, _ ended: Instant?) -> [Tag] {
        guard let started else { return [] }
        let first = CivilDate(utcDayOf: started).startOfWeek(startingOn: .monday)
        let last = CivilDate(utcDayOf: max(started, ended ?? started))
        var tags = [weekTag(babyId, first)]
        var week = first.adding(days: 7)
        while week <= last, tags.count < 64 {
            tags.append(weekTag(babyId, week))
            week = week.adding(days: 7)
        }
        return tags
    }
}

// Queries that cover every id that a baby has had.
extension BabyCare {
    /// Returns a query for the entries that touch the UTC weeks from `start` to `end`.
    package static func query(
        _ profile: Household.Profile, from start: Instant, to end: Instant
    ) -> Query { entryQuery(of: profile) { weekTags($0, start, end) } }

    package static func query(_ profile: Household.Profile) -> Query {
        entryQuery(of: profile) { [tag($0)] }
    }

    /// Returns a query for entry events under every id of the baby; `tags` takes one of the ids.
    private static func entryQuery(
        of profile: Household.Profile, _ tags: (_ babyId: String) -> [Tag]
    ) -> Query {
        let items = profile.ids.flatMap(tags).map { Query.Item(kinds: entryKinds, tags: [$0]) }
        return Query(items: items) ?? Query(Query.Item(kinds: entryKinds))
    }
}
