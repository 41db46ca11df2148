import Daybook

/// Names of the program's areas for use in the examples of help pages.
struct ExampleNames {
    /// Catalogue of the program's areas.
    let catalogue: Catalogue

    /// Names from the catalogue of this program.
    static var current: ExampleNames {
        ExampleNames(catalogue: Program.catalogue)
    }

    /// The area with the most event kinds, which readers know best; of several, the first by name.
    var area: String {
        let own = catalogue.events.keys.filter { !Catalogue.kindsOfTheLog.contains($0) }
        let areas = Dictionary(grouping: own, by: \.area)
        return areas.max { ($0.value.count, $1.key) < ($1.value.count, $0.key) }
            .map { String($0.key) } ?? ""
    }

    /// A projection of the area, if possible with a life cycle, or else any projection.
    var projection: ProjectionDescription? {
        let names = catalogue.machines.keys.sorted() + catalogue.projections.keys.sorted()
        let projections = names.compactMap { catalogue.projections[$0] }
        let area = area
        return projections.first { belongs(to: area, $0) } ?? projections.first
    }

    /// True if more than half of a projection's event kinds belong to an area.
    private func belongs(to area: String, _ projection: ProjectionDescription) -> Bool {
        2 * projection.kinds.count(where: { $0.area == area }) > projection.kinds.count
    }

    /// Name of the projection.
    var name: String { projection?.name ?? "PROJECTION" }
    /// Noun of the projection's entities: the part of their tags before the colon.
    var noun: String { projection?.noun ?? "noun" }
    /// Key of an entity of the projection, such as `baby-1`.
    var key: String { "\(noun)-1" }
    /// Tag of the entity, such as `baby:baby-1`.
    var tag: String { "\(noun):\(key)" }
    /// Name of the first field of the projection's states.
    var field: String { projection?.fields.first?.name ?? "FIELD" }

    /// Name of an event kind of the area, without its version.
    var kind: String {
        let area = area
        return catalogue.events.keys.filter { $0.area == area }.map { String($0.stem) }.min()
            ?? "KIND"
    }
    /// Noun of the people whose texts can be erased, such as `user`; `nil` if there is none.
    var personNoun: String? { catalogue.people.nouns.values.min() }
    /// A rule set other than the standard one; `nil` if there is none.
    var otherRules: String? { catalogue.rules.dropFirst().first?.name }

    /// A report about days, weeks or months, or else any report; `nil` without reports.
    var report: ReportDescription? {
        let reports = catalogue.reports.values.sorted { $0.name < $1.name }
        return reports.first { $0.period != nil } ?? reports.first
    }
}
