import DaybookInput
import Foundation

@testable import Daybook
@testable import DaybookFormats
@testable import DaybookModel

private let zone: Zone = {
    let path = "/usr/share/zoneinfo/America/Los_Angeles"
    let bytes = (try? Data(contentsOf: URL(fileURLWithPath: path))).map { Array($0) } ?? []
    return (try? Zone(name: "America/Los_Angeles", tzif: bytes)) ?? .utc
}()

/// Decoders of whole files: CSV, exports of other apps, GPX, configs, compiled zones.
nonisolated(unsafe) let fileTargets: [Target] =
    [
        Target("csv", ["a,b\n\"c \"\"d\"\"\",e\r\n", "\u{FEFF}a;b\n1;2\n"]) {
            try CSVParser.parse($0).count
        },
        Target(
            "gpx",
            seeds: { seeds(below: "docs", ending: ".gpx") },
            decode: { bytes in
                let reader = GPXReader(rules: .standard)
                // In two pieces, so that names and texts are cut anywhere.
                let middle = bytes.count / 2
                guard (try? reader.feed(Array(bytes[..<middle]))) != nil,
                    (try? reader.feed(Array(bytes[middle...]))) != nil,
                    let file = try? reader.finish()
                else { return 0 }
                return file.segments.count + file.notes.count
            }),
        Target(
            "config",
            seeds: { [seed("docs/tour-config.json")] },
            decode: { bytes in
                (try? RemoteConfig.read(bytes, rules: .standard))?.warnings.count ?? 0
            }),
        Target(
            "tzif",
            seeds: {
                ["America/Los_Angeles", "Asia/Seoul", "UTC", "Africa/Casablanca", "Europe/Dublin"]
                    .map { name in
                        let file = URL(fileURLWithPath: "/usr/share/zoneinfo/\(name)")
                        return (try? Data(contentsOf: file)).map { Array($0) } ?? []
                    }
            },
            decode: useZone),
    ]
    + BabyCare.FileFormat.allCases.map { format in
        Target(
            "care-\(format)",
            seeds: { seeds(below: "Tests", ending: ".csv") + [seed("docs/tour-baby.csv")] },
            decode: { bytes in
                let rows = try? CareFile.read(bytes, as: format, zone: zone, rules: .standard)
                return rows?.count ?? 0
            })
    }

/// Reads a zone, and asks it about moments near its ends.
private func useZone(_ bytes: [UInt8]) -> Int {
    guard let zone = try? Zone(name: "a", tzif: bytes) else { return 0 }
    return [Int64.min, -1, 0, 1_783_857_600_000_000, 253_402_300_799_000_000, Int64.max]
        .reduce(0) { sum, microseconds in
            sum &+ zone.offsetS(at: Instant(microseconds: microseconds))
        }
}
