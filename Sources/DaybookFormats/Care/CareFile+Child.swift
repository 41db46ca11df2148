import Daybook

extension CareFile {
    /// The child that a row of a file is about, as the file names it.
    struct Child: Hashable, Sendable {
        var id: String?
        var name: String?

        /// Creates a child from the texts of cells, of which empty ones are left out; `nil` if both
        /// are empty.
        init?(id: String = "", name: String = "") {
            guard !id.isEmpty || !name.isEmpty else { return nil }
            self.id = id.isEmpty ? nil : id
            self.name = name.isEmpty ? nil : name
        }

        /// The id or, without one, the name.
        var text: String { id ?? name ?? "" }
    }

    /// The children of a file, each with its number of rows, in the order of the file.
    struct Children {
        /// Every child with its rows; its id and its name are from any of them.
        private(set) var all: [(child: Child, rowCount: Int)] = []
        /// Index in `all` of each child, by the child as a row names it.
        private var indices: [Child: Int] = [:]

        /// Collects the children of a file's rows. A row with a name alone is about the child with
        /// that name and an id, if there is one.
        init(_ rows: [Row]) {
            let named = rows.lazy.compactMap(\.child).filter { $0.id != nil && $0.name != nil }
            let ids = Dictionary(named.map { ($0.name, $0.id) }) { first, _ in first }
            var indicesByText: [[String?]: Int] = [:]
            for child in rows.lazy.compactMap(\.child) {
                if let index = indices[child] {
                    all[index].rowCount += 1
                    continue
                }
                let id = child.id ?? ids[child.name].flatMap(\.self)
                let key = id == nil ? [nil, child.name] : [id]
                if let index = indicesByText[key] {
                    all[index].rowCount += 1
                    all[index].child.name = all[index].child.name ?? child.name
                } else {
                    indicesByText[key] = all.count
                    var whole = child
                    whole.id = id
                    all.append((whole, 1))
                }
                indices[child] = indicesByText[key]
            }
        }

        /// Returns the index of the child that a row is about; `nil` if the row does not say.
        func index(of row: Row) -> Int? { row.child.flatMap { indices[$0] } }

        /// Returns the index of the child with this id or, if no id matches, with this name. Upper
        /// and lower case of a name do not matter. Returns `nil` if none or several match.
        func index(named text: String) -> Int? {
            let found = all.firstIndex { $0.child.id == text }
            let name = text.lowercased()
            let others = all.indices.filter { all[$0].child.name?.lowercased() == name }
            return found ?? (others.count == 1 ? others.first : nil)
        }

        /// The children as a text: `'1' (Ana Lee, 3 rows) and '2' (1 row)`.
        var text: String {
            let texts = all.prefix(20).map { child, rowCount in
                let name = child.id == nil ? nil : child.name?.prefix(60)
                let rest = [name.map(String.init), rowCount.counted("row")].compactMap(\.self)
                return "'\(child.text.prefix(60))' (\(rest.joined(separator: ", ")))"
            }
            let more = all.count > 20 ? ["\(all.count - 20) more"] : []
            let list = texts + more
            guard list.count > 1 else { return list.first ?? "" }
            return list.dropLast().joined(separator: ", ") + " and " + list[list.count - 1]
        }
    }
}

extension CareFile.Reading {
    /// Returns the rows about one child, without those about the other children of the file.
    ///
    /// A row that names no child is about the only child of the file. If the file has several, the
    /// row is rejected.
    ///
    /// - Parameter text: the id or the name of the child; `nil` for the only child.
    /// - Throws: an error that lists the children if there are several and `text` is `nil`, or if
    ///   `text` names none of them.
    func choosing(child text: String?) throws(InputError) -> Self {
        let children = CareFile.Children(rows)
        var chosen = self
        let index: Int
        if let text {
            guard !children.all.isEmpty else {
                throw InputError(
                    "the file names no child; import it without --child, as the entries of the "
                        + "baby that --baby names")
            }
            guard let found = children.index(named: text) else {
                throw InputError(
                    "--child: no single child of the file has the id or the name "
                        + "'\(text.prefix(60))'; the file is about \(children.text)")
            }
            index = found
        } else {
            guard let first = children.all.first else { return self }
            guard children.all.count == 1 else {
                throw InputError(
                    "the file is about \(children.all.count) children: \(children.text); choose "
                        + "the one that --baby names with --child, such as --child "
                        + "'\(first.child.text.prefix(60))'")
            }
            index = 0
        }
        chosen.child = children.all[index].child
        guard children.all.count > 1 else { return chosen }
        chosen.rows = rows.compactMap { row in
            guard let own = children.index(of: row) else {
                guard case .success = row.result else { return row }
                var row = row
                row.result = .failure(
                    CareFile.Reason(
                        "noChild", CareFile.Reason.wholeRow,
                        "the row does not say which child of the file it is about"))
                return row
            }
            return own == index ? row : nil
        }
        return chosen
    }
}
