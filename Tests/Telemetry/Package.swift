// swift-tools-version: 6.2
import PackageDescription

/// An app that turns the trait on. A package of its own, because a trait is on or off for a whole
/// build, and all of Daybook would be built twice.
let package = Package(
    name: "telemetry",
    platforms: [.macOS(.v15), .iOS(.v18)],
    dependencies: [
        .package(name: "daybook", path: "../..", traits: ["Telemetry"]),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
    ],
    targets: [
        .testTarget(
            name: "TelemetryTests",
            dependencies: [
                .product(name: "Daybook", package: "daybook"),
                .product(name: "DaybookLog", package: "daybook"),
                .product(name: "DaybookTelemetry", package: "daybook"),
                .product(name: "InMemoryLogging", package: "swift-log"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "MetricsTestKit", package: "swift-metrics"),
            ])
    ],
    swiftLanguageModes: [.v6]
)
