import Daybook
import DaybookInput
import TestSupport
import Testing

@testable import DaybookFormats
@testable import DaybookModel

/// Reads a file and describes it: a point is `second,lat,lon,elevation`, bars divide segments.
private func read(_ text: String, pieces: Int = 1 << 16) throws(InputError) -> GPXFile {
    let reader = GPXReader(rules: .standard)
    let bytes = Array(text.utf8)
    for start in stride(from: 0, to: bytes.count, by: pieces) {
        try reader.feed(Array(bytes[start..<min(start + pieces, bytes.count)]))
    }
    return try reader.finish()
}

private func text(_ file: GPXFile) -> String {
    file.segments.map { segment in
        segment.points.map { point in
            let numbers = [
                point.time.map { $0.microseconds / 1_000_000 }, point.latE9, point.lonE9,
                point.eleMm,
                point.accMm,
            ]
            return numbers.map { $0.map { "\($0)" } ?? "–" }.joined(separator: ",")
        }.joined(separator: " ")
    }.joined(separator: "|")
}

// Holds: s1-file-warnings, s1-run-record, s1-run-places
@Suite struct GPXTests {
    struct Sample: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var file: String
        var points: String
        var notes: [String]

        init(_ sentence: String, _ file: String, gives points: String, notes: String...) {
            testDescription = sentence
            self.file = file
            self.points = points
            self.notes = notes
        }
    }

    private static func track(_ content: String) -> String {
        "<gpx><trk><trkseg>\(content)</trkseg></trk></gpx>"
    }

    @Test(
        "Tracks are read from files in all their variants",
        arguments: [
            Sample(
                "with a namespace, a byte order mark and everything in place",
                """
                \u{FEFF}<?xml version="1.0" encoding="UTF-8"?>
                <gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>
                <trkpt lat="1" lon="2"><ele>3.5</ele><time>1970-01-01T00:00:07Z</time></trkpt>
                </trkseg></trk></gpx>
                """, gives: "7,1000000000,2000000000,3500,–"),
            Sample(
                "with prefixes, declared or not",
                "<g:gpx><g:trk><g:trkseg><g:trkpt lon='2' lat='1'/></g:trkseg></g:trk></g:gpx>",
                gives: "–,1000000000,2000000000,–,–"),
            Sample(
                "exponents, signs and spaces", track("<trkpt lat=' +1e-7 ' lon='-1.5E1'/>"),
                gives: "–,100,-15000000000,–,–"),
            Sample(
                "times with any offset, with fractions, and in UTC without one",
                track(
                    """
                    <trkpt lat="0" lon="0"><time>1970-01-01T01:15:01+01:15</time></trkpt>
                    <trkpt lat="0" lon="0"><time>1970-01-01T00:00:02.1234567Z</time></trkpt>
                    <trkpt lat="0" lon="0"><time> 1970-01-01T00:00:03 </time></trkpt>
                    <trkpt lat="0" lon="0"><time>1970-01-01T09:00:04+0900</time></trkpt>
                    """), gives: "1,0,0,–,– 2,0,0,–,– 3,0,0,–,– 4,0,0,–,–"),
            Sample(
                "empty segments, empty times and empty heights",
                "<gpx><trk><trkseg/><trkseg><trkpt lat='0' lon='0'><ele/><time></time></trkpt>"
                    + "</trkseg><trkseg/></trk></gpx>", gives: "|–,0,0,–,–|"),
            Sample(
                "several tracks are one run",
                "<gpx><trk><trkseg><trkpt lat='0' lon='0'/></trkseg></trk>"
                    + "<trk><trkseg><trkpt lat='1' lon='0'/></trkseg></trk></gpx>",
                gives: "–,0,0,–,–|–,1000000000,0,–,–"),
            Sample(
                "points without a segment around them",
                "<gpx><trk><trkpt lat='0' lon='0'/><trkpt lat='1' lon='0'/></trk></gpx>",
                gives: "–,0,0,–,– –,1000000000,0,–,–"),
            Sample(
                "waypoints, routes and extensions are passed over",
                """
                <gpx><wpt lat="9" lon="9"><time>1970-01-01T00:00:09Z</time></wpt>
                <rte><rtept lat="8" lon="8"/></rte><trk><trkseg>
                <trkpt lat="0" lon="0"><extensions><x:TrackPointExtension><x:speed>15</x:speed>
                <x:time>1970-01-01T00:00:09Z</x:time><x:ele>99</x:ele>
                <o:accuracy_horizontal>10.5</o:accuracy_horizontal>
                </x:TrackPointExtension></extensions></trkpt></trkseg></trk></gpx>
                """, gives: "–,0,0,–,10500"),
            Sample(
                "coordinates that cannot be are told apart later",
                track("<trkpt lat='100' lon='0'/><trkpt lat='x' lon='0'/><trkpt lon='0'/>"),
                gives: "–,100000000000,0,–,– –,–,0,–,– –,–,0,–,–"),
            Sample(
                "what cannot be read is left out and noted",
                track(
                    """
                    <trkpt lat="0" lon="0"><ele>high</ele><time>yesterday</time></trkpt>
                    <trkpt lat="0" lon="0"><time>9999-12-31T23:59:59Z</time></trkpt>
                    """), gives: "–,0,0,–,– –,0,0,–,–",
                notes: "1:1 'high' is not an elevation and is left out",
                "1:1 'yesterday' is not a time; the point is kept without a time",
                "2:2 '9999-12-31T23:59:59Z' is not a time; the point is kept without a time"),
        ])
    func isRead(_ sample: Sample) throws {
        let file = try read(sample.file)
        expect(text(file), equals: sample.points)
        expect(file.notes.map { "\($0.row):\($0.line) \($0.message)" }, equals: sample.notes)
        expect(text(try read(sample.file, pieces: 1)), equals: sample.points)
    }

    @Test(
        "A file without a track is refused with the reason",
        arguments: [
            ("", "line 1: no element found (column 1)"),
            ("<kml/>", "line 1: expected a GPX file, found the element <kml> (column 1)"),
            ("<gpx>\n<trk>", "line 2: no element found (column 6)"),
            ("<gpx/>", "the file has no track point"),
            ("<gpx><trk><trkseg/></trk></gpx>", "the file has no track point"),
            (
                "<gpx><wpt lat='0' lon='0'/><wpt lat='0' lon='0'/><rte><rtept/></rte></gpx>",
                "the file has no track point (points of routes: 1, waypoints: 2)"
            ),
            (
                "<!DOCTYPE gpx [<!ENTITY a 'b'>]>\n<gpx/>",
                "line 1: the document declares entities, which are not supported (column 27)"
            ),
        ])
    func isRefused(_ text: String, _ message: String) {
        let error = #expect(throws: InputError.self) { try read(text) }
        expect(error?.description, equals: message)
    }

    @Test("A track within the metadata, or within extensions, is no track")
    func trackElsewhere() throws {
        let point = { (lat: Int) in "<trkpt lat='\(lat)' lon='0'/>" }
        let elsewhere = "<trk><trkseg>\(point(1))\(point(2))</trkseg></trk>"
        let file = try read(
            "<gpx><metadata>\(elsewhere)</metadata><trk><trkseg>\(point(3))</trkseg></trk>"
                + "<extensions>\(elsewhere)</extensions></gpx>")
        expect(file.points.map(\.latE9), equals: [3_000_000_000])
    }

    @Test("A file is taken apart where its outings are more than three hours apart")
    func outings() throws {
        let point = { (time: String) in "<trkpt lat='0' lon='0'><time>\(time)</time></trkpt>" }
        let days = ["2001-05-26", "2001-06-24", "2001-10-13"].map { day in
            "<trkseg>\(point("\(day)T09:00:00Z"))\(point("\(day)T11:59:59Z"))<trkpt/></trkseg>"
        }
        let file = try read("<gpx><trk><name>hills</name>\(days.joined())</trk></gpx>")
        let outings = file.outings
        expect(outings.map { $0.points.map(\.time).count }, equals: [3, 3, 3])
        expect(outings.map { $0.lineNumbers.count }, equals: [3, 3, 3])
        expect(outings.map { $0.title?.text }, equals: ["hills", "hills", "hills"])
        expect(Set(outings.map { $0.identity(asRunOf: "u").runId }).count, equals: 3)
        let whole = try read("<gpx><trk>\(days[0])</trk></gpx>")
        expect(
            whole.outings.map { $0.identity(asRunOf: "u") }, equals: [whole.identity(asRunOf: "u")])
        // A gap within a segment counts as one between two.
        let joined = days.joined().replacing("</trkseg><trkseg>", with: "")
        try expect(read("<gpx><trk>\(joined)</trk></gpx>").outings.count, equals: 3)
    }

    @Test("The first name of a track is the title")
    func theFirstNameOfATrackIsTheTitle() throws {
        let file = try read(
            "<gpx><metadata><name>file</name></metadata><trk><name> e\u{301}t&amp;\n</name><trkseg>"
                + "<trkpt lat='0' lon='0'><name>point</name></trkpt></trkseg></trk>"
                + "<trk><name>second</name></trk></gpx>")
        expect(file.title?.text, equals: "\u{E9}t&")
    }

    @Test("More than a million points are refused before they are stored")
    func moreThanAMillionPointsAreRefusedBeforeTheyAreKept() {
        let reader = GPXReader(rules: .standard)
        let error = #expect(throws: InputError.self) {
            try reader.feed(Array("<gpx><trk><trkseg>".utf8))
            let points = Array(String(repeating: "<trkpt lat='0' lon='0'/>", count: 10_000).utf8)
            for _ in 0..<101 { try reader.feed(points) }
        }
        expect(error?.message.contains("more than 1000000 points"), equals: true)
    }

    @Test(
        "A track that was exported comes back as itself", arguments: 0..<20)
    func roundTrip(_ round: UInt64) throws {
        var random = SeededGenerator(seed: 8_000 + round)
        var file = GPXFile()
        for _ in 0..<Int.random(in: 1...5, using: &random) {
            var segment = Running.TrackSegment()
            for _ in 0..<Int.random(in: 0...40, using: &random) {
                segment.points.append(
                    Running.TrackPoint(
                        time: Bool.random(using: &random)
                            ? Instant(
                                microseconds: .random(
                                    in: 0...4_000_000_000_000_000, using: &random)) : nil,
                        latE9: .random(in: -95_000_000_000...95_000_000_000, using: &random),
                        lonE9: .random(in: -180_000_000_000...180_000_000_000, using: &random),
                        eleMm: Bool.random(using: &random)
                            ? .random(in: -400_000...9_000_000, using: &random) : nil))
            }
            file.segments.append(segment)
        }
        let isPossible = { (point: Running.TrackPoint) in
            (point.latE9 ?? 0).magnitude <= 90_000_000_000
        }
        guard file.points.contains(where: isPossible) else { return }
        let identity = file.identity(asRunOf: "u")
        let command = Running.ImportTrack(
            runId: identity.runId, userId: "u", segments: file.segments)
        let events = try command.decide(Running.State(), now: .epoch)
        var batches: [Running.LocationsRecorded] = []
        for case .locationsRecorded(let batch) in events { batches.append(batch) }
        let exported = GPXFile.text("a <b> & \u{1}c", batches)
        let back = try read(exported)
        expect(back.title?.text, equals: "a <b> & c")
        expect(back.identity(asRunOf: "u"), equals: identity, "seed \(8_000 + round)")
        #expect(back.identity(asRunOf: "v") != identity)
        expect(GPXFile.text("a <b> & c", batches), equals: exported)
    }
}
