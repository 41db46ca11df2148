public import Daybook
import DaybookModel
import DaybookXML

/// A streaming reader of GPX files.
///
/// The reader accepts variants of real files: no namespace or prefixes, a byte order mark,
/// exponents, any offset, fractions of seconds, missing times, empty segments, and impossible
/// coordinates, which mark a pause. Points without readable coordinates are kept and rejected
/// later.
public final class GPXReader {
    private let builder: GPXBuilder
    private let reader: XMLReader

    public init(rules: InputRules) {
        builder = GPXBuilder(rules)
        reader = XMLReader(builder)
        builder.line = { [unowned reader] in reader.line }
    }

    public func feed(_ bytes: [UInt8]) throws(InputError) {
        do throws(XMLError) {
            try reader.feed(bytes)
        } catch {
            throw InputError(error)
        }
    }

    /// Returns the file after all bytes are fed.
    ///
    /// - Throws: an error if the document is incomplete, is not GPX or has no track point.
    public func finish() throws(InputError) -> GPXFile {
        do throws(XMLError) {
            try reader.finish()
        } catch {
            throw InputError(error)
        }
        guard !builder.file.lines.isEmpty else { throw InputError(builder.emptiness) }
        return builder.file
    }
}

extension InputError {
    fileprivate init(_ error: XMLError) {
        self.init("\(error.message) (column \(error.column))", line: error.line)
    }
}

/// Builds a track from the elements of a file.
private final class GPXBuilder: XMLHandler {
    var file = GPXFile()
    var line: () -> Int = { 0 }
    private(set) var complaint: String?
    private(set) var wantsText = false
    private let rules: InputRules
    /// Number of open elements.
    private var depth = 0
    private var trackDepth: Int?
    private var segmentDepth: Int?
    private var pointDepth: Int?
    private var point = Running.TrackPoint.blank
    private var captured: Captured?
    /// Text of the element that is read.
    private var content = ""
    private var hasTime = false
    private var others: [String: Int] = [:]

    /// The meaning of the text being read.
    private enum Captured {
        case time
        case elevation
        case accuracy
        case title
    }

    init(_ rules: InputRules) {
        self.rules = rules
    }

    /// Reason why the file has nothing to import.
    var emptiness: String {
        let counts = ["wpt": "waypoints", "rtept": "points of routes"]
            .compactMap { name, noun in others[name].map { "\(noun): \($0)" } }.sorted()
        let rest = counts.isEmpty ? "" : " (\(counts.joined(separator: ", ")))"
        return "expected a track, found no track point\(rest)"
    }

    func start(_ name: String, _ attributes: XMLAttributes) {
        depth += 1
        let element = Self.local(name)
        if depth == 1, element != "gpx" {
            complaint = "expected a gpx document, found <\(element.prefix(40))>"
        } else if let pointDepth {
            let isChild = depth == pointDepth + 1
            switch element {
            case "time" where isChild: capture(.time)
            case "ele" where isChild: capture(.elevation)
            case "accuracy_horizontal": capture(.accuracy)
            default: break
            }
        } else if let trackDepth {
            switch element {
            case "trkseg": startSegment()
            case "trkpt": startPoint(attributes)
            case "name" where depth == trackDepth + 1 && file.title == nil: capture(.title)
            default: break
            }
        } else if element == "trk", depth == 2 {
            trackDepth = depth
        } else if element == "wpt" || element == "rtept" {
            others[element, default: 0] += 1
        }
    }

    func end(_ name: String) {
        if let captured { apply(captured) }
        if depth == pointDepth { endPoint() }
        if depth == segmentDepth { segmentDepth = nil }
        if depth == trackDepth { trackDepth = nil }
        depth -= 1
    }

    func text(_ text: String) {
        content += text
        if content.utf8.count > 4_096 { complaint = "a time, name or number exceeds 4,096 bytes" }
    }

    private func capture(_ what: Captured) {
        captured = what
        wantsText = true
        content = ""
    }

    private func apply(_ captured: Captured) {
        self.captured = nil
        wantsText = false
        let text = content.trimmed
        switch captured {
        case .time: parseTime(text)
        case .elevation: point.eleMm = number(text, 3, "an elevation", GPXFile.possibleElevations)
        case .accuracy: point.accMm = number(text, 3, "an accuracy", 0...40_000_000_000)
        case .title: if !text.isEmpty { file.title = PersonalText(rules.normalise(text)) }
        }
    }

    /// Parses a number times a power of ten; adds a note and returns `nil` if invalid.
    private func number(
        _ text: String, _ power: Int, _ noun: String, _ range: ClosedRange<Int64>
    ) -> Int64? {
        guard !text.isEmpty else { return nil }
        let value = Scalar(text).scaled(toPowerOfTen: power).flatMap {
            range.contains($0) ? $0 : nil
        }
        if value == nil { note("'\(text.prefix(40))' is not \(noun) and is left out") }
        return value
    }

    private func parseTime(_ text: String) {
        guard !text.isEmpty else { return }
        // GPX times without an offset are UTC.
        guard
            let time = Timestamp.parse(text, offsets: .compactToo)
                ?? Timestamp.parse(text + "Z"),
            time.instant.isPossible
        else {
            return note("'\(text.prefix(40))' is not a time; the point is kept without a time")
        }
        point.time = time.instant
        if !hasTime { file.offsetS = time.offsetS }
        hasTime = true
    }

    private func note(_ message: String) {
        guard file.notes.count < 1_000 else { return }
        file.notes.append(
            ImportOutcome.Note(row: file.lines.count, line: line(), message: message))
    }

    private func startSegment() {
        guard file.segments.count < Running.mostSegmentsOfTrack else {
            complaint = "a track has at most \(Running.mostSegmentsOfTrack) segments"
            return
        }
        file.segments.append(Running.TrackSegment.blank)
        segmentDepth = depth
    }

    private func startPoint(_ attributes: XMLAttributes) {
        // Some files have points directly in a track, without a segment.
        if segmentDepth == nil {
            startSegment()
            segmentDepth = trackDepth
        }
        guard file.lines.count < Running.mostPointsOfTrack else {
            complaint = "a track has at most \(Running.mostPointsOfTrack) points; split the file"
            return
        }
        pointDepth = depth
        point = Running.TrackPoint.blank
        point.latE9 = attributes["lat"].flatMap { Scalar($0).scaled(toPowerOfTen: 9) }
        point.lonE9 = attributes["lon"].flatMap { Scalar($0).scaled(toPowerOfTen: 9) }
        file.lines.append(line())
    }

    private func endPoint() {
        pointDepth = nil
        file.segments[file.segments.count - 1].points.append(point)
    }

    private static func local(_ name: String) -> String {
        guard let colon = name.utf8.lastIndex(of: UInt8(ascii: ":")) else { return name }
        return String(name[name.utf8.index(after: colon)...])
    }
}
