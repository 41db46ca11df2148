import Daybook
import DaybookModel

/// The child of a file as a baby's profile remembers it, so that no other baby gets its rows.
struct SourceChild {
    /// Key of the child's id in a profile: the format, with `-name` if the file has no ids.
    let key: String
    /// Id of the child or, without one, a keyed digest of its name, under the log's secret.
    let id: String
    /// The child as messages show it.
    private let text: String

    init(_ child: CareFile.Child, _ format: BabyCare.FileFormat, _ digest: KeyedDigest) {
        text = "'\(child.text.prefix(60))'"
        guard let id = child.id else {
            key = "\(format.name)-name"
            id = Hexadecimal.text(Array(digest("import.child", Array(child.text.utf8)).prefix(8)))
            return
        }
        key = format.name
        self.id = id
    }

    /// Returns why the rows of the child cannot be those of a baby; `nil` if they can. They cannot
    /// if rows of another child were imported for the baby, or rows of the child for another baby
    /// of the household.
    func refusal<Log: ImportLog>(
        of babyId: String, _ profile: Household.Profile, _ log: inout Log
    ) throws(Log.Failure) -> String? {
        if let remembered = profile.sourceBabyIds[key] {
            guard remembered != id else { return nil }
            let other = key.hasSuffix("-name") ? "another child" : "the child '\(remembered)'"
            return "the file is about the child \(text), but rows imported earlier for the baby "
                + "'\(babyId)' were about \(other); nothing was imported"
        }
        // Required before reading, so that concurrent appends are detected.
        let changes = Query(Query.Item(kinds: [Household.BabyProfileChanged.kind]))
        try log.require(noneSince: changes)
        var others: Set<String> = []
        let (key, id) = (key, id)
        try log.read(changes) { (event) throws(FoldError) in
            let change = try mappingPayloadErrors(
                of: event,
                try BinaryReader.read(Household.BabyProfileChanged.self, from: event.payload))
            if change.sourceBabyIds[key] == id { others.insert(change.babyId) }
            return true
        }
        for other in others.subtracting(profile.ids + [babyId]).sorted() {
            var known = Household.Profile.blank
            known.babyId = other
            known = try log.state(
                of: Household.BabyProfile.self, Query(items: known.queryItems) ?? .all, from: known)
            // Ids such as 1 repeat between the files of different households.
            if let own = profile.householdId, let theirs = known.householdId, own != theirs {
                continue
            }
            guard known.sourceBabyIds[key] == id, known.babyId != babyId else { continue }
            return "the child \(text) of the file is the baby '\(known.babyId)' in the log, and "
                + "not '\(babyId)'; nothing was imported"
        }
        return nil
    }
}
