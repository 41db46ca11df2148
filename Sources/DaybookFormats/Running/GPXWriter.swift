import Daybook
import DaybookGeodesy
import DaybookModel

extension GPXFile {
    /// Returns the text of a GPX 1.1 file with the segments of a run, without erased points.
    static func text(_ title: String?, _ batches: [Running.LocationsRecorded]) -> String {
        var text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <gpx version="1.1" creator="Daybook" xmlns="http://www.topografix.com/GPX/1/1">
            <trk>

            """
        if let title { text += "<name>\(title.escapedForXML)</name>\n" }
        var segment: Int64?
        for batch in batches {
            if batch.segment != segment {
                if segment != nil { text += "</trkseg>\n" }
                text += "<trkseg>\n"
                segment = batch.segment
            }
            for point in batch.points { text += trackPointElement(point) }
        }
        if segment != nil { text += "</trkseg>\n" }
        return text + "</trk>\n</gpx>\n"
    }

    /// Returns a point as a `trkpt` element; an empty text if its coordinates are erased.
    private static func trackPointElement(_ point: Running.RunPoint) -> String {
        guard let coordinate = point.place else { return "" }
        let (latitude, longitude) = (degrees(coordinate.latE9), degrees(coordinate.lonE9))
        let place = "lat=\"\(latitude)\" lon=\"\(longitude)\""
        var content = ""
        if let elevation = point.eleMm?.value {
            content += "<ele>\(elevation.decimalText(places: 3))</ele>"
        }
        if let time = point.time { content += "<time>\(Timestamp.text(time))</time>" }
        return content.isEmpty ? "<trkpt \(place)/>\n" : "<trkpt \(place)>\(content)</trkpt>\n"
    }

    static func degrees(_ billionths: Int64) -> String { billionths.decimalText(places: 9) }
}
