import Daybook
import DaybookTesting
import Testing

@testable import DaybookModel

/// Layouts in logs, to the last field of a record in a record; `layouts.txt` of each area has them.
@Suite struct StoredLayoutTests {
    private static let areas: [(folder: String, area: any Area.Type)] = [
        ("Assistant", Assistant.self), ("Household", Household.self),
        ("OfflineQueue", OfflineQueue.self), ("Permission", Permission.self),
        ("Photo", Photo.self),
    ]

    @Test(
        "No layout of an area's events changes without a new version of its kind",
        arguments: areas.map(\.folder))
    func layouts(_ folder: String) throws {
        let area = try #require(Self.areas.first { $0.folder == folder }?.area)
        let path = #filePath.split(separator: "/", omittingEmptySubsequences: false)
            .dropLast().joined(separator: "/")
        try LayoutPins(of: area).check(heldIn: "\(path)/\(folder)/layouts.txt")
    }
}
