import DaybookGeodesy
import Testing

// Holds: s1-distance
/// Distances against figures computed elsewhere (Python, haversine, R = 6,371,008.8 m).
@Suite struct DistanceTests {
    struct Way: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var from: Coordinate
        var to: Coordinate
        var mm: Int64

        init(_ sentence: String, _ a: (Int64, Int64), _ b: (Int64, Int64), is mm: Int64) {
            testDescription = sentence
            from = Coordinate(latE9: a.0, lonE9: a.1)
            to = Coordinate(latE9: b.0, lonE9: b.1)
            self.mm = mm
        }
    }

    @Test(
        "Distances are exact to the millimetre and equal in both directions",
        arguments: [
            Way(
                "nowhere", (37_566_500_000, 126_978_000_000), (37_566_500_000, 126_978_000_000),
                is: 0),
            Way("a thousandth of a degree on the equator", (0, 0), (0, 1_000_000), is: 111_195),
            Way("the same up", (0, 0), (1_000_000, 0), is: 111_195),
            Way(
                "one metre in Seoul", (37_566_500_000, 126_978_000_000),
                (37_566_500_000, 126_978_011_346), is: 1_000),
            Way("across the date line", (0, 179_999_500_000), (0, -179_999_500_000), is: 111_195),
            Way("along the pole", (90_000_000_000, 0), (90_000_000_000, 90_000_000_000), is: 0),
            Way("half way around", (0, 0), (0, 180_000_000_000), is: 20_015_114_442),
            Way("from pole to pole", (90_000_000_000, 0), (-90_000_000_000, 0), is: 20_015_114_442),
            Way("less than half a millimetre", (0, 0), (0, 4), is: 0),
        ])
    func isMeasured(_ way: Way) {
        #expect(way.from.distanceMm(to: way.to) == way.mm)
        #expect(way.to.distanceMm(to: way.from) == way.mm)
    }

    @Test("A place is possible up to the poles and the date line")
    func aPlaceIsPossibleUpToThePolesAndTheDateLine() {
        #expect(Coordinate(latE9: 90_000_000_000, lonE9: -180_000_000_000).isPossible)
        #expect(!Coordinate(latE9: 90_000_000_001, lonE9: 0).isPossible)
        #expect(!Coordinate(latE9: 0, lonE9: 180_000_000_001).isPossible)
        #expect(!Coordinate(latE9: .min, lonE9: .min).isPossible)
    }

    @Test("A track on a turned globe has steps of the same length", arguments: 0..<50)
    func relocated(_ round: Int) {
        var number = UInt64(round + 1) &* 0x9E37_79B9_7F4A_7C15
        func next(_ range: ClosedRange<Int64>) -> Int64 {
            number = number &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return range.lowerBound + Int64(number >> 33) % (range.upperBound - range.lowerBound)
        }
        var place = Coordinate(
            latE9: next(-89_000_000...89_000_000) * 1_000,
            lonE9: next(-180_000_000...180_000_000) * 1_000)
        let origin = place
        #expect(origin.relocated(from: origin) == Coordinate(latE9: 0, lonE9: 0))
        for _ in 0..<50 {
            let following = Coordinate(
                latE9: place.latE9 + next(-900_000...900_000),
                lonE9: place.lonE9 + next(-900_000...900_000))
            guard following.isPossible else { continue }
            let moved = [place, following].map { $0.relocated(from: origin) }
            let difference = moved[0].distanceMm(to: moved[1]) - place.distanceMm(to: following)
            #expect(abs(difference) <= 1, "\(place) to \(following)")
            place = following
        }
        #expect(!Coordinate(latE9: .max, lonE9: 5).relocated(from: origin).isPossible)
    }
}
