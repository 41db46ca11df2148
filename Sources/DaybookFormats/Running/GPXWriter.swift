import Daybook
import DaybookGeodesy
public import DaybookModel

extension GPXFile {
    /// A run as GPX 1.1, with the places that were kept, segment by segment, and without those that
    /// were erased since.
    ///
    /// - Parameters:
    ///   - title: what the run is called.
    ///   - batches: the run's locations, in the order they were recorded.
    public static func text(_ title: String?, _ batches: [Running.LocationsRecorded]) -> String {
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
            for point in batch.points { text += line(point) }
        }
        if segment != nil { text += "</trkseg>\n" }
        return text + "</trk>\n</gpx>\n"
    }

    private static func line(_ point: Running.RunPoint) -> String {
        guard let coordinate = point.place else { return "" }
        let (latitude, longitude) = (degrees(coordinate.latE9), degrees(coordinate.lonE9))
        let place = "lat=\"\(latitude)\" lon=\"\(longitude)\""
        var content = ""
        if let elevation = point.eleMm?.value {
            content += "<ele>\(elevation.decimalText(places: 3))</ele>"
        }
        if let time = point.time { content += "<time>\(Timestamp.text(time))</time>" }
        return content.isEmpty
            ? "<trkpt \(place)/>\n" : "<trkpt \(place)>\(content)</trkpt>\n"
    }

    /// Billionths of a degree as degrees.
    public static func degrees(_ billionths: Int64) -> String {
        billionths.decimalText(places: 9)
    }
}
