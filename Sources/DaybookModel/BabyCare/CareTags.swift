public import Daybook

extension BabyCare {
    static func tag(_ babyId: String) -> Tag { Tag("baby", babyId) }
    static func entryTag(_ entryId: String) -> Tag { Tag("entry", entryId) }
    static func clipTag(_ clipId: String) -> Tag { Tag("clip", clipId) }

    /// Returns the tag of the slot of a kind, which at most one open entry of the baby holds.
    static func slotTag(_ babyId: String, _ kind: Kind) -> Tag {
        Tag("slot", "open/\(babyId)/\(kind.name)")
    }

    /// Returns the tags of an event that may put an entry into its slot or take it out.
    static func slotTags(_ babyId: String, _ entryId: String, _ kind: Kind) -> [Tag] {
        [tag(babyId), entryTag(entryId), slotTag(babyId, kind)]
    }

    static func rowTags(_ babyId: String, _ origin: Origin?) -> [Tag] {
        origin.map { [rowTag(babyId, $0)] } ?? []
    }

    static func rowTag(_ babyId: String, _ origin: Origin) -> Tag {
        Tag("row", "\(babyId)/\(origin.format.name)/\(origin.row.description.dropFirst(7))")
    }

    static func reportTag(_ babyId: String, _ kind: ReportKind, _ period: String) -> Tag {
        Tag("report", "\(babyId)/\(kind.name)/\(period)")
    }

    private static func weekTag(_ babyId: String, _ day: CivilDate) -> Tag {
        Tag("week", "\(babyId)/\(day.isoWeekText)")
    }

    /// Returns tags for the UTC weeks that an entry touches; reports read only the weeks they
    /// cover.
    ///
    /// There are at most 64 tags. A longer entry is a mistake that the audit reports.
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
    public static func query(
        _ profile: Household.Profile, from start: Instant, to end: Instant
    ) -> Query {
        entries(of: profile) { weekTags($0, start, end) }
    }

    /// Returns a query for all entries of the baby.
    public static func query(_ profile: Household.Profile) -> Query {
        entries(of: profile) { [tag($0)] }
    }

    private static func entries(
        of profile: Household.Profile, _ tags: (_ babyId: String) -> [Tag]
    ) -> Query {
        let items = profile.ids.flatMap(tags).map { Query.Item(kinds: entryKinds, tags: [$0]) }
        return Query(items: items) ?? Query(Query.Item(kinds: entryKinds))
    }
}
