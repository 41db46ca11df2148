import Daybook

/// A picture of a state machine, with a column per state and an arrow per transition.
///
/// Each arrow shows the event and how often the transition happened; each power of ten makes the
/// arrow darker. Undeclared transitions are red and dashed, and declared transitions that never
/// happened are dotted. The picture has a dark colour scheme for viewers that prefer one, and fits a
/// page of A4 or letter paper.
public struct TransitionGraph {
    let matrix: TransitionMatrix
    /// Names of the states, from left to right.
    let states: [String]
    /// Transitions with their counts, from top to bottom.
    let arrows: [TransitionMatrix.CountedTransition]
    /// Number of entities in each state after all events, by the name of the state.
    private let entityCounts: [String: Int]

    public init(_ matrix: TransitionMatrix) {
        self.matrix = matrix
        let all = matrix.transitions
        let states = Self.statesInOrder(all.map(\.transition))
        self.states = states
        let rank = { (state: String) in states.firstIndex(of: state) ?? 0 }
        arrows = all.sorted {
            let (a, b) = ($0.transition, $1.transition)
            return (rank(a.from), rank(a.to), a.event) < (rank(b.from), rank(b.to), b.event)
        }
        entityCounts = Dictionary(
            matrix.times.map { ($0.state, $0.openCount) }, uniquingKeysWith: { first, _ in first })
    }

    /// Returns the states in the order in which they are reached from the beginning. States that
    /// cannot be reached come last.
    private static func statesInOrder(_ transitions: [StateMachine.Transition]) -> [String] {
        var states: [String] = []
        var next = [StateMachine.beginning]
        while !next.isEmpty {
            states += next
            let reached = transitions.filter { next.contains($0.from) }.map(\.to)
            next = Set(reached).subtracting(states).sorted()
        }
        let rest = Set(transitions.flatMap { [$0.from, $0.to] }).subtracting(states)
        return states.filter { state in transitions.contains { $0.from == state || $0.to == state }
        } + rest.sorted()
    }

    private static let leftMargin = 24
    /// Top edge of the boxes of states, in pixels.
    private static let boxTop = 76
    /// Distance between the tops of two rows of boxes, in pixels.
    private static let boxRowHeight = 34
    /// Height of the row of an arrow, in pixels.
    private static let rowHeight = 28
    /// The part of a page inside its margins, on A4 and on letter paper, in pixels.
    private static let page = (shortSide: 718, longSide: 979)

    /// Places and sizes of the parts of the picture, in pixels.
    private struct Layout {
        /// Distance between two states.
        var column: Int
        /// Number of rows of the boxes of states; with two, every second box is in the lower row.
        var boxRowCount: Int
        var width: Int

        /// Top edge of the first arrow's row.
        var firstRowTop: Int {
            TransitionGraph.boxTop + TransitionGraph.boxRowHeight * boxRowCount + 18
        }

        func boxTop(_ column: Int) -> Int {
            TransitionGraph.boxTop + column % boxRowCount * TransitionGraph.boxRowHeight
        }
    }

    /// The layout with room for the names of the states; labels of arrows may cross columns.
    private var layout: Layout {
        let box = states.map { Self.width(displayName($0)) + 24 }.max() ?? 0
        let widest = (Self.page.shortSide - 2 * Self.leftMargin) / max(1, states.count)
        let rows = max(120, box + 8) <= widest || states.count < 2 ? 1 : 2
        let column = rows == 1 ? max(120, box + 8) : max(64, (box + 9) / 2)
        let edge = rows == 1 ? 0 : max(0, box - column)
        let labels = arrows.map { Self.width(label($0)) + 64 }.max() ?? 0
        return Layout(
            column: column, boxRowCount: rows,
            width: max(
                Self.page.shortSide, 2 * Self.leftMargin + column * states.count + edge, labels))
    }

    private func columnIndex(_ state: String) -> Int { states.firstIndex(of: state) ?? 0 }

    /// Returns the approximate width in pixels of a text with a font size of 12.
    private static func width(_ text: String) -> Int { text.count * 7 }

    func displayName(_ state: String) -> String {
        state == StateMachine.beginning ? "not there" : state
    }

    /// Returns the label of an arrow: the event's name and how often it happened.
    func label(_ count: TransitionMatrix.CountedTransition) -> String {
        let event = count.transition.event.split(separator: ".").last ?? ""
        return count.count == 0 ? "\(event)" : "\(event) × \(count.count)"
    }

    /// Returns the exponent of the greatest power of ten that is not greater than a count; at most
    /// 4.
    private static func orderOfMagnitude(_ count: Int) -> Int {
        var (level, rest) = (0, count)
        while rest >= 10, level < 4 { (level, rest) = (level + 1, rest / 10) }
        return level
    }

    private func style(_ count: TransitionMatrix.CountedTransition) -> String {
        guard count.isLegal else { return "undeclared" }
        return count.count == 0 ? "never" : "times\(Self.orderOfMagnitude(count.count))"
    }

    public var svg: String {
        let layout = layout
        let used = layout.column * states.count
        let centre = { (state: String) in
            (layout.width - used) / 2 + layout.column * columnIndex(state) + layout.column / 2
        }
        let bottom = layout.firstRowTop + Self.rowHeight * arrows.count + 12
        let legend = legend(bottom + 44, layout.width)
        let (width, height) = (layout.width, legend.bottom + 20)
        let shown = Self.sizeOnPage(width, height)
        var svg = """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" \
            width="\(shown.width)" height="\(shown.height)" font-family="\(String.pictureFonts)" \
            font-size="12">
            <title>Transitions of \(matrix.machine.projection)</title>
            \(Self.styleSheet)
            <rect class="paper" width="\(width)" height="\(height)"/>
            <text class="ink" x="\(Self.leftMargin)" y="36" font-size="20" font-weight="bold">\
            \(matrix.machine.projection).\(matrix.machine.field)</text>
            <text class="dim" x="\(Self.leftMargin)" y="58">\
            \(matrix.entityCount.counted("entity", "entities")), \
            \(matrix.eventCount.counted("event"))</text>

            """
        for (index, state) in states.enumerated() {
            svg +=
                "<path class=\"line\" d=\"M\(centre(state)) \(layout.boxTop(index))V\(bottom)\"/>\n"
        }
        for (index, state) in states.enumerated() {
            svg += box(of: state, centre(state), layout.boxTop(index), bottom)
        }
        for (row, arrow) in arrows.enumerated() {
            let y = layout.firstRowTop + Self.rowHeight * row + 16
            svg += draw(
                arrow, from: centre(arrow.transition.from), to: centre(arrow.transition.to), y,
                width)
        }
        return svg + legend.svg + "</svg>\n"
    }

    /// Returns the size at which a picture fits a page, upright or not.
    private static func sizeOnPage(_ width: Int, _ height: Int) -> (width: Int, height: Int) {
        let sizes = [(page.shortSide, page.longSide), (page.longSide, page.shortSide)].map {
            (wide, high) in
            if width <= wide, height <= high { return (width, height) }
            return width * high >= height * wide
                ? (wide, height * wide / width) : (width * high / height, high)
        }
        return sizes.max { $0.0 < $1.0 } ?? (width, height)
    }

    /// Returns the SVG of a state's box around `x`, and of the number of entities below its line.
    private func box(of state: String, _ x: Int, _ top: Int, _ bottom: Int) -> String {
        let box = Self.width(displayName(state)) + 24
        let here = state == StateMachine.beginning ? 0 : entityCounts[state] ?? 0
        let svg = """
            <rect class="state" x="\(x - box / 2)" y="\(top)" width="\(box)" height="28" rx="8"/>
            <text class="ink" x="\(x)" y="\(top + 18)" text-anchor="middle">\
            \(displayName(state).visible.escapedForXML)</text>

            """
        guard here > 0 else { return svg }
        return svg + "<text class=\"dim\" x=\"\(x)\" y=\"\(bottom + 16)\" text-anchor=\"middle\">"
            + "\(here) there now</text>\n"
    }

    /// Returns the SVG of an arrow at a height `y` in pixels, or of a loop within one column; labels
    /// stay inside the picture's width.
    private func draw(
        _ arrow: TransitionMatrix.CountedTransition, from: Int, to: Int, _ y: Int, _ width: Int
    ) -> String {
        let style = style(arrow)
        let label = label(arrow).visible.escapedForXML
        let length = Self.width(self.label(arrow))
        let way = arrow.transition
        let title =
            "\(way.from) \(way.event) \(way.to): \(arrow.count.counted("time"))"
            + (arrow.isLegal ? "" : ", not declared")
        var svg = "<g><title>\(title.visible.escapedForXML)</title>"
        if from == to {
            let fits = from + 28 + length <= width
            svg += """
                <path class="\(style)" d="M\(from) \(y - 8)h20v12h-14"/>\
                <path class="\(style) head" d="M\(from) \(y + 4)l8 -4v8z"/>\
                <text class="ink label" x="\(fits ? from + 28 : from - 8)" y="\(y + 2)"\
                \(fits ? "" : " text-anchor=\"end\"")>\(label)</text>
                """
        } else {
            let way = from < to ? 1 : -1
            let half = length / 2 + 8
            let middle = min(max((from + to) / 2, half), width - half)
            svg += """
                <path class="\(style)" d="M\(from) \(y)H\(to - 8 * way)"/>\
                <path class="\(style) head" d="M\(to) \(y)l\(-8 * way) -4v8z"/>\
                <text class="ink label" x="\(middle)" y="\(y - 6)" text-anchor="middle">\
                \(label)</text>
                """
        }
        return svg + "</g>\n"
    }

    /// Returns the legend in lines within a width, and the height of its last line in pixels.
    private func legend(_ top: Int, _ width: Int) -> (svg: String, bottom: Int) {
        let names = [
            ("times0", "1 to 9 times"), ("times1", "10 to 99"), ("times2", "100 to 999"),
            ("times3", "1,000 to 9,999"), ("times4", "10,000 and more"),
            ("undeclared", "not declared"), ("never", "declared, never seen"),
        ]
        let drawn = Set(arrows.map(style))
        var (svg, x, y) = ("", Self.leftMargin, top)
        for (style, name) in names where drawn.contains(style) {
            if x + 36 + Self.width(name) > width { (x, y) = (Self.leftMargin, y + 20) }
            svg += "<path class=\"\(style)\" d=\"M\(x) \(y - 4)h28\"/>"
            svg += "<text class=\"dim\" x=\"\(x + 36)\" y=\"\(y)\">\(name)</text>\n"
            x += 36 + Self.width(name) + 24
        }
        return (svg, y)
    }

    private static let styleSheet = """
        <style>
        .paper { fill: #fff } .ink { fill: #222 } .dim { fill: #555 }
        .label { paint-order: stroke; stroke: #fff; stroke-width: 4px }
        .state { fill: #f1f5f9; stroke: #64748b } .line { stroke: #d4d9e0; fill: none }
        .times0 { stroke: #93b7e0 } .times1 { stroke: #5b8fd0 } .times2 { stroke: #2f6cb8 }
        .times3 { stroke: #1d4a8a } .times4 { stroke: #0c2a57 }
        .undeclared { stroke: #c2271b; stroke-dasharray: 6 3 }
        .never { stroke: #8a8f98; stroke-dasharray: 1 4 }
        .times0, .times1, .times2, .times3, .times4, .undeclared, .never \
        { stroke-width: 2px; fill: none }
        .head { stroke-dasharray: none; stroke-width: 1px }
        .times0.head { fill: #93b7e0 } .times1.head { fill: #5b8fd0 } .times2.head { fill: #2f6cb8 }
        .times3.head { fill: #1d4a8a } .times4.head { fill: #0c2a57 }
        .undeclared.head { fill: #c2271b } .never.head { fill: #8a8f98 }
        @media (prefers-color-scheme: dark) {
        .paper { fill: #14181f } .ink { fill: #e6e9ee } .dim { fill: #a3abb8 }
        .label { stroke: #14181f }
        .state { fill: #232a35; stroke: #7c8899 } .line { stroke: #333b48 }
        .times0 { stroke: #33557f } .times1 { stroke: #4474ad } .times2 { stroke: #5f97d8 }
        .times3 { stroke: #93bdf0 } .times4 { stroke: #d6e7fc }
        .undeclared { stroke: #ff7b6e }
        .times0.head { fill: #33557f } .times1.head { fill: #4474ad } .times2.head { fill: #5f97d8 }
        .times3.head { fill: #93bdf0 } .times4.head { fill: #d6e7fc }
        .undeclared.head { fill: #ff7b6e }
        }
        </style>
        """
}
