extension BabyCare {
    /// An entry from which reports are computed; its properties are those of `entry`.
    ///
    /// A class, because reports sort and filter lists of entries, and an entry is large to copy.
    @dynamicMemberLookup
    public final class ReportedEntry: Sendable {
        public let entry: Entry

        public init(_ entry: Entry) {
            self.entry = entry
        }

        public subscript<Member>(dynamicMember member: KeyPath<Entry, Member>) -> Member {
            entry[keyPath: member]
        }
    }
}
