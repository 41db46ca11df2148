extension BabyCare {
    /// An entry from which reports are computed; its properties are those of `entry`. A class,
    /// because reports sort and filter lists of entries, and an entry is large to copy.
    @dynamicMemberLookup
    package final class ReportedEntry: Sendable {
        package let entry: Entry
        package init(_ entry: Entry) { self.entry = entry }

        package subscript<Member>(dynamicMember member: KeyPath<Entry, Member>) -> Member {
            entry[keyPath: member]
        }
    }
}
