/// A contradiction in the meta pages of a file, or in the states to which they lead.
public enum StateDamage: Error, Hashable, Sendable, CustomStringConvertible {
    /// The meta page with this index is invalid.
    case metaPage(Int)
    /// The transaction numbers of the two meta pages are not consecutive.
    case transactionNumbers(UInt64, UInt64)
    /// A meta page and its list of free pages disagree about the transaction that wrote them.
    case transaction(page: Int, number: UInt64, freed: UInt64)
    /// Neither of the two states, to which the meta pages lead, was made from the other.
    case unrelated
    /// The pages of all trees and the free pages do not add up to the newest state's pages.
    case pageCount(page: Int, last: UInt64, counted: UInt64)
    /// A page of the state to which this meta page leads has unexpected content.
    case pages(of: Int)

    public var description: String {
        switch self {
        case .metaPage(let page): "the content of meta page \(page) is invalid"
        case .transactionNumbers(let first, let second):
            "the transaction numbers of the meta pages, \(first) and \(second), are not consecutive"
        case .transaction(let page, let number, let freed):
            "meta page \(page) has the transaction number \(number), but the newest transaction in "
                + "its list of free pages is \(freed); the two must be equal"
        case .unrelated:
            "the two meta pages lead to two versions of the tables, neither of which was made from "
                + "the other"
        case .pageCount(let page, let last, let counted):
            "meta page \(page) gives \(last) as the last page number (\(last &+ 1) pages), but the "
                + "tables it leads to, the free pages and the meta pages add up to \(counted) pages"
        case .pages(let page):
            "the tables or free pages to which meta page \(page) leads have unexpected content"
        }
    }
}
