// swift-tools-version: 6.2
import PackageDescription

/// Decoders under libFuzzer and the address sanitizer. `tools/fuzz/run` builds and runs it; the
/// package itself knows nothing of it.
let package = Package(
    name: "fuzz",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "daybook", path: "../..")],
    targets: [
        .executableTarget(
            name: "fuzz",
            dependencies: [
                .product(name: "CivilTime", package: "daybook"),
                .product(name: "Domain", package: "daybook"),
                .product(name: "EventSourcing", package: "daybook"),
                .product(name: "EventStorage", package: "daybook"),
                .product(name: "Formats", package: "daybook"),
                .product(name: "Playback", package: "daybook"),
                .product(name: "XML", package: "daybook"),
            ],
            swiftSettings: [.unsafeFlags(["-parse-as-library"])])
    ],
    swiftLanguageModes: [.v6]
)
