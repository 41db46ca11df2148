import Daybook

/// The pictures of reports' answers in a story, such as the week of a baby.
struct StoryPictures {
    /// A picture of one answer, which shows it until the next picture of the same report.
    private struct Picture {
        /// Index of the report among the entities of the story.
        var entity: Int32
        /// Row after which the answer holds.
        var row: Int32
        var svg: String
    }

    private var pictures: [Picture] = []
    private var byteCount = 0
    /// True if pictures of early answers are left out because all together are too large.
    private(set) var leavesOutEarlyOnes = false
    /// True if pictures are left out because they show what the story does not.
    private(set) var leavesOutPersonalOnes = false

    /// Largest length of all pictures together, in bytes.
    private static let limit = 6_000_000

    /// Returns the renderer of a report's pictures; `nil` if it has none that the story may show.
    mutating func renderer(of report: ReportDescription, _ values: ShownValues) -> ReportRenderer? {
        guard let renderer = report.renderers[.svg] else { return nil }
        let replacesIDs = values.redaction?.replacesIDs ?? false
        guard values.showsTexts || renderer.isImpersonal && !replacesIDs else {
            leavesOutPersonalOnes = true
            return nil
        }
        return renderer
    }

    /// Adds the picture of an answer, and removes the earliest ones if all are too large.
    mutating func add(_ svg: String, entity: Int32, row: Int) {
        pictures.append(Picture(entity: entity, row: Int32(truncatingIfNeeded: row), svg: svg))
        byteCount += svg.utf8.count
        while byteCount > Self.limit, let first = pictures.indices.min(by: isEarlier) {
            byteCount -= pictures.remove(at: first).svg.utf8.count
            leavesOutEarlyOnes = true
        }
    }

    /// True if the picture at an index is of an earlier row than the one at another index.
    private func isEarlier(_ index: Int, than other: Int) -> Bool {
        (pictures[index].row, index) < (pictures[other].row, other)
    }

    /// Sentences about what is left out.
    var omissions: [String] {
        var omissions: [String] = []
        if leavesOutPersonalOnes {
            omissions.append("Pictures of reports are left out, since they may show names or ids.")
        }
        if leavesOutEarlyOnes {
            omissions.append("Pictures of early answers are left out, since all are too large.")
        }
        return omissions
    }

    /// The pictures of each report, and the distinct pictures, as columns.
    var columns: (pictures: StoryColumn, svgs: StoryColumn) {
        var column = StoryColumn()
        var svgs = StoryNames()
        let reports = Dictionary(grouping: pictures, by: \.entity)
        for (entity, pictures) in reports.sorted(by: { $0.key < $1.key }) {
            var (rows, indices) = (StoryColumn(), StoryColumn())
            for picture in pictures {
                rows.append(difference: Int64(picture.row))
                indices.append(Int64(svgs.index(of: picture.svg)))
            }
            column.append { writer in
                writer.member("entity", Int64(entity))
                writer.name("event")
                writer.raw("[" + String(decoding: rows.bytes, as: UTF8.self) + "]")
                writer.name("svg")
                writer.raw("[" + String(decoding: indices.bytes, as: UTF8.self) + "]")
            }
        }
        return (column, svgs.column)
    }
}
