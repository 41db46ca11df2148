import Daybook
import DaybookModel
import DaybookXML

/// Reads GPX files piece by piece.
///
/// The reader accepts the variants of real files: a missing namespace, prefixes of element names, a
/// byte order mark, exponents, any offset from UTC, fractions of seconds, missing times, empty
/// segments and impossible coordinates, which mark a pause. It keeps points without readable
/// coordinates; the import of the track rejects them.
final class GPXReader {
    /// Builds the track from the XML elements.
    private let builder: GPXBuilder
    /// Parses the XML and passes its elements to the builder.
    private let reader: XMLReader
    /// First bytes of the file, which tell a file of another kind.
    private var head: [UInt8] = []

    /// Creates a reader.
    init(rules: InputRules) {
        builder = GPXBuilder(rules)
        reader = XMLReader(builder)
        builder.currentLine = { [unowned reader] in reader.line }
    }

    /// Parses the next bytes of the file; throws an error with a line number if the bytes are not
    /// well-formed XML, or not GPX.
    func feed(_ bytes: [UInt8]) throws(InputError) {
        if head.count < 4_096 { head += bytes.prefix(4_096) }
        do throws(XMLError) {
            try reader.feed(bytes)
        } catch {
            throw fault(error)
        }
    }

    /// Returns the error about faulty XML; a file of another kind is named by what it looks like.
    private func fault(_ error: XMLError) -> InputError {
        var fault = InputError(error)
        if let noun = FileKind.noun(of: head), !FileKind.isXML(noun) {
            fault.message += "; the file seems to be \(noun), and not GPX"
        }
        return fault
    }

    /// Returns the track; to be called after the last bytes of the file were fed.
    ///
    /// - Throws: an error if the document is incomplete, is not GPX or has no track point.
    func finish() throws(InputError) -> GPXFile {
        do throws(XMLError) {
            try reader.finish()
        } catch {
            throw fault(error)
        }
        guard !builder.file.lineNumbers.isEmpty else { throw InputError(builder.noTrackMessage) }
        return builder.file
    }
}

extension InputError {
    fileprivate init(_ error: XMLError) {
        self.init("\(error.message) (column \(error.column))", line: error.line)
    }
}

/// Builds a track from the XML elements of a GPX file.
private final class GPXBuilder: XMLHandler {
    /// The track as read so far.
    var file = GPXFile()
    /// Returns the number of the line that the XML reader has reached; set by `GPXReader`.
    var currentLine: () -> Int = { 0 }
    /// Error message that stops the XML reader; `nil` as long as the file is acceptable.
    private(set) var complaint: String?
    /// True while the builder needs the text of the current element from the XML reader.
    private(set) var wantsText = false
    /// Rules that bring the name of the track into the form in which it is stored.
    private let rules: InputRules
    /// Number of open XML elements.
    private var depth = 0
    /// Depth of the open `trk` element; `nil` outside of a track.
    private var trackDepth: Int?
    /// Depth of the open `trkseg` element; `nil` outside of a segment. For points directly in a
    /// track, it is the depth of the `trk` element.
    private var segmentDepth: Int?
    /// Depth of the open `trkpt` element; `nil` outside of a point.
    private var pointDepth: Int?
    /// The point that is being read.
    private var point = Running.TrackPoint.blank
    /// Kind of the element whose text is being collected; `nil` if no text is needed.
    private var capturedKind: TextKind?
    /// Text that was collected from the current element so far.
    private var content = ""
    /// True once a coordinate has a comma, which is then the decimal mark of the file.
    private var hasDecimalCommas = false
    /// True once a point has a readable time.
    private var hasTime = false
    /// Numbers of ignored waypoints and route points, by the name of their XML element.
    private var ignoredPointCounts: [String: Int] = [:]

    /// A kind of XML element whose text is needed.
    private enum TextKind {
        case time, elevation, accuracy, title
    }

    init(_ rules: InputRules) { self.rules = rules }

    /// Error message for a file without track points, with the numbers of ignored points.
    var noTrackMessage: String {
        let counts = ["wpt": "waypoints", "rtept": "points of routes"]
            .compactMap { name, noun in ignoredPointCounts[name].map { "\(noun): \($0)" } }.sorted()
        let rest = counts.isEmpty ? "" : " (\(counts.joined(separator: ", ")))"
        return "the file has no track point\(rest)"
    }

    /// Starts an element: a track, segment or point, or a value within them.
    func start(_ name: String, _ attributes: XMLAttributes) {
        depth += 1
        let element = Self.localName(name)
        if depth == 1, element != "gpx" {
            complaint = "expected a GPX file, found the element <\(element.prefix(40))>"
        } else if let pointDepth {
            let isChild = depth == pointDepth + 1
            switch element {
            case "time" where isChild: startCapture(.time)
            case "ele" where isChild: startCapture(.elevation)
            case "accuracy_horizontal": startCapture(.accuracy)
            default: break
            }
        } else if let trackDepth {
            switch element {
            case "trkseg": startSegment()
            case "trkpt": startPoint(attributes)
            case "name" where depth == trackDepth + 1 && file.title == nil: startCapture(.title)
            default: break
            }
        } else if element == "trk", depth == 2 {
            trackDepth = depth
        } else if element == "wpt" || element == "rtept" {
            ignoredPointCounts[element, default: 0] += 1
        }
    }

    /// Ends an element, and stores its text if it was needed.
    func end(_ name: String) {
        if let capturedKind { storeText(as: capturedKind) }
        if depth == pointDepth { endPoint() }
        if depth == segmentDepth { segmentDepth = nil }
        if depth == trackDepth { trackDepth = nil }
        depth -= 1
    }

    /// Appends text of the current element; more than 4,096 bytes are an error.
    func text(_ text: String) {
        content += text
        if content.utf8.count > 4_096 { complaint = "a time, name or number exceeds 4,096 bytes" }
    }

    /// Begins to collect the text of the current element.
    private func startCapture(_ kind: TextKind) {
        capturedKind = kind
        wantsText = true
        content = ""
    }

    /// Stores the collected text as a value of the point or of the file.
    private func storeText(as kind: TextKind) {
        capturedKind = nil
        wantsText = false
        let text = content.trimmed
        switch kind {
        case .time: parseTime(text)
        case .elevation:
            point.eleMm = parseNumber(text, 3, "an elevation", GPXFile.possibleElevations)
        case .accuracy: point.accMm = parseNumber(text, 3, "an accuracy", 0...40_000_000_000)
        case .title: if !text.isEmpty { file.title = PersonalText(rules.normalise(text)) }
        }
    }

    /// Returns the number in a text, times 10 to the given power.
    ///
    /// If the text is not a number, or the result is outside of the range, adds a note and returns
    /// `nil`.
    ///
    /// - Parameter noun: the words for the number in the note, such as `an elevation`.
    private func parseNumber(
        _ text: String, _ power: Int, _ noun: String, _ range: ClosedRange<Int64>
    ) -> Int64? {
        guard !text.isEmpty else { return nil }
        let value = Scalar(decimal(text)).scaled(toPowerOfTen: power).flatMap {
            range.contains($0) ? $0 : nil
        }
        if value == nil { addNote("'\(text.prefix(40))' is not \(noun) and is left out") }
        return value
    }

    /// Sets the time of the current point; adds a note if the text is not a time.
    private func parseTime(_ text: String) {
        guard !text.isEmpty else { return }
        // GPX times without an offset are UTC.
        guard
            let time = LooseTime.parse(text) ?? LooseTime.parse(text + "Z"),
            time.instant.isPossible
        else {
            return addNote("'\(text.prefix(40))' is not a time; the point is kept without a time")
        }
        point.time = time.instant
        if !hasTime { file.offsetS = time.offsetS }
        hasTime = true
    }

    /// Adds a note on the current point; a file has at most 1,000 notes.
    private func addNote(_ message: String) {
        guard file.notes.count < 1_000 else { return }
        file.notes.append(
            ImportOutcome.Row(row: file.lineNumbers.count, line: currentLine(), message: message))
    }

    /// Starts a segment, unless the track has the maximum number of segments.
    private func startSegment() {
        guard file.segments.count < Running.mostSegmentsOfTrack else {
            complaint = "the file has more than \(Running.mostSegmentsOfTrack) segments; split it"
            return
        }
        file.segments.append(Running.TrackSegment.blank)
        segmentDepth = depth
    }

    /// Starts a point with its coordinates, unless the track has the maximum number of points.
    private func startPoint(_ attributes: XMLAttributes) {
        // Some files have points directly in a track, without a segment.
        if segmentDepth == nil {
            startSegment()
            segmentDepth = trackDepth
        }
        guard file.lineNumbers.count < Running.mostPointsOfTrack else {
            complaint = "the file has more than \(Running.mostPointsOfTrack) points; split it"
            return
        }
        pointDepth = depth
        point = Running.TrackPoint.blank
        point.latE9 = attributes["lat"].flatMap(degrees)
        point.lonE9 = attributes["lon"].flatMap(degrees)
        file.lineNumbers.append(currentLine())
    }

    /// Returns the degrees in a text, times 10⁹; `nil` if the text is not a number. A comma in
    /// degrees is a decimal mark, because there are no thousands of degrees.
    private func degrees(_ text: String) -> Int64? {
        if text.utf8.contains(UInt8(ascii: ",")) { hasDecimalCommas = true }
        return Scalar(decimal(text)).scaled(toPowerOfTen: 9)
    }

    /// Returns a number with a point for its decimal comma, if the file has decimal commas.
    private func decimal(_ text: String) -> String {
        guard hasDecimalCommas, !text.utf8.contains(UInt8(ascii: ".")) else { return text }
        return text.replacing(",", with: ".", maxReplacements: 1)
    }

    /// Adds the current point to the last segment.
    private func endPoint() {
        pointDepth = nil
        file.segments[file.segments.count - 1].points.append(point)
    }

    /// Returns an element name without its namespace prefix.
    private static func localName(_ name: String) -> String {
        guard let colon = name.utf8.lastIndex(of: UInt8(ascii: ":")) else { return name }
        return String(name[name.utf8.index(after: colon)...])
    }
}
