import Daybook

extension BabyCare {
    /// The closed entries that started in a period, with their numbers and sums.
    ///
    /// For the totals under the rule set `source-eab2a79`, these are all closed entries that
    /// overlap the period.
    struct ReportedEntries: Sendable {
        typealias Entry = SharedEntry
        typealias Window = BabyCare.Window
        /// Entries in order of start.
        let entries: [Entry]
        /// Rule set that the totals follow.
        let rules: Rules
        /// Time zone of the local times.
        let zone: Zone

        /// Returns the entries of a kind; `nil` if there are none.
        func entriesOrNil(_ kind: Kind) -> [Entry]? {
            let some = entries.filter { $0.kind == kind }
            return some.isEmpty ? nil : some
        }

        /// Returns the number of diapers of a kind; `nil` if there are none. The rules of the
        /// original app count each entry once, whatever number of diapers it states.
        func diaperCount(_ kind: Kind) -> Int64? {
            entriesOrNil(kind)?.reduce(0) { count, entry in
                count + (rules == .standard ? entry.value.count ?? 1 : 1)
            }
        }

        /// Number of memos; `nil` if there are none. The rules of the original app include meals,
        /// which the app stores as memos.
        var memoCount: Int64? {
            let count = entries.count {
                $0.kind == .memo || (rules.isOfSource && $0.kind == .weaning)
            }
            return count == 0 ? nil : Int64(count)
        }
    }
}
