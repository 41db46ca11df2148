package import Daybook

extension BabyCare {
    /// An entry behind a reference; its properties are those of `entry`. A class, because an entry
    /// is large to copy: states, audits and reports hold, sort and filter many of them.
    @dynamicMemberLookup
    package final class SharedEntry: FieldValue {
        package let entry: Entry
        package init(_ entry: Entry) { self.entry = entry }

        package subscript<Member>(dynamicMember member: KeyPath<Entry, Member>) -> Member {
            entry[keyPath: member]
        }

        /// The entry; `nil` if no event has created it.
        var ifKnown: SharedEntry? { entry.state == .none ? nil : self }

        package static let blank = SharedEntry(Entry())
        package static var isScalar: Bool { Entry.isScalar }

        package static func == (a: SharedEntry, b: SharedEntry) -> Bool {
            a === b || a.entry == b.entry
        }

        package static func visit<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout SharedEntry
        ) throws(Visitor.Failure) {
            var entry = value.entry
            try Entry.visit(&visitor, &entry)
            value = SharedEntry(entry)
        }
    }
}
