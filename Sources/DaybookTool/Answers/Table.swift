/// Table of text whose columns are as wide as their widest cell, two spaces apart.
package struct Table {
    /// Side of a column at which its cells are aligned.
    package enum Alignment: Sendable {
        case leading
        case trailing
    }

    private let alignments: [Alignment]
    /// Smallest widths of the first columns, in characters.
    private let minimumWidths: [Int]
    /// Text before each row.
    private let margin: String
    private var rows: [[String]] = []

    package init(_ alignments: Alignment..., minimumWidths: [Int] = [], margin: String = "  ") {
        self.alignments = alignments
        self.minimumWidths = minimumWidths
        self.margin = margin
    }

    /// Adds a row, with one cell for each column.
    package mutating func add(_ cells: String...) { rows.append(cells) }

    /// Returns the offset in characters at which a column begins.
    func start(ofColumn number: Int) -> Int {
        widths.prefix(number).reduce(margin.count + 2 * number, +)
    }

    private var widths: [Int] {
        alignments.indices.map { column in
            let least = column < minimumWidths.count ? minimumWidths[column] : 0
            return rows.reduce(least) { max($0, $1[column].characterCount) }
        }
    }

    /// The rows as lines; a leading-aligned last column has no trailing spaces.
    package var lines: [String] {
        let widths = widths
        return rows.map { row in
            var line = margin
            for (column, cell) in row.enumerated() {
                if column > 0 { line += "  " }
                let padding = String(repeating: " ", count: widths[column] - cell.characterCount)
                if alignments[column] == .trailing { line += padding }
                line += cell
                if alignments[column] == .leading, column < row.count - 1 { line += padding }
            }
            return line
        }
    }
}

extension String {
    /// Number of characters, which are the bytes of a text in printable ASCII.
    fileprivate var characterCount: Int {
        utf8.allSatisfy { (0x20..<0x7F).contains($0) } ? utf8.count : count
    }
}
