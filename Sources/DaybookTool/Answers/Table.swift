import Daybook

/// Table of text whose columns are as wide as their widest cell, two spaces apart.
package struct Table {
    /// Side of a column at which its cells are aligned.
    package enum Alignment: Sendable {
        case leading
        case trailing
    }

    /// A cell of a row.
    private struct Cell {
        /// Offset in `text` after the cell's text.
        let end: Int
        /// Number of characters.
        let width: Int
    }

    private let alignments: [Alignment]
    /// Widths of the columns in characters, for the rows so far.
    private var widths: [Int]
    /// Text before each row.
    private let margin: String
    /// Texts of all cells in UTF-8, row by row.
    private var text: [UInt8] = []
    private var cells: [Cell] = []

    /// - Parameter minimumWidths: smallest widths of the first columns, in characters.
    package init(_ alignments: Alignment..., minimumWidths: [Int] = [], margin: String = "  ") {
        self.alignments = alignments
        widths = alignments.indices.map { $0 < minimumWidths.count ? minimumWidths[$0] : 0 }
        self.margin = margin
    }

    /// Adds a row, with one cell for each column.
    package mutating func add(_ row: String...) {
        precondition(row.count == alignments.count)
        for (column, cell) in row.enumerated() {
            let width = cell.characterCount
            cell.withUTF8Bytes { bytes in
                text.append(addingCapacity: bytes.count) { $0.append(contentsOf: bytes) }
            }
            cells.append(Cell(end: text.count, width: width))
            widths[column] = max(widths[column], width)
        }
    }

    /// Returns the offset in characters at which a column begins.
    func start(ofColumn number: Int) -> Int {
        widths.prefix(number).reduce(margin.count + 2 * number, +)
    }

    /// The rows as lines; a leading-aligned last column has no trailing spaces.
    package var lines: [String] {
        var start = 0
        var line: [UInt8] = []
        return stride(from: 0, to: cells.count, by: alignments.count).map { row in
            line.removeAll(keepingCapacity: true)
            line.append(contentsOf: margin.utf8)
            for column in alignments.indices {
                let cell = cells[row + column]
                let padding = widths[column] - cell.width
                if column > 0 { line.append(spaces: 2) }
                if alignments[column] == .trailing { line.append(spaces: padding) }
                line.append(contentsOf: text[start..<cell.end])
                start = cell.end
                if alignments[column] == .leading, column < alignments.count - 1 {
                    line.append(spaces: padding)
                }
            }
            return String(decoding: line, as: UTF8.self)
        }
    }
}

extension [UInt8] {
    fileprivate mutating func append(spaces count: Int) {
        append(addingCapacity: count) { output in
            for _ in 0..<count { output.append(UInt8(ascii: " ")) }
        }
    }
}

extension String {
    /// Number of characters, which are the bytes of a text in printable ASCII.
    fileprivate var characterCount: Int {
        let isPrintable = withUTF8Bytes { bytes in
            for index in bytes.indices where !(0x20..<0x7F).contains(bytes[index]) { return false }
            return true
        }
        return isPrintable ? utf8.count : count
    }
}
