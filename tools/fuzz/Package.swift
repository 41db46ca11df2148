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
            // These bring the modules that they are made of, such as the XML reader.
            dependencies: [
                .product(name: "Daybook", package: "daybook"),
                .product(name: "DaybookLog", package: "daybook"),
                .product(name: "DaybookModel", package: "daybook"),
                .product(name: "DaybookTool", package: "daybook"),
            ],
            swiftSettings: [.unsafeFlags(["-parse-as-library"])])
    ],
    swiftLanguageModes: [.v6]
)
