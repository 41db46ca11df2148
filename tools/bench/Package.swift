// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "daybook-bench",
    platforms: [.macOS(.v15)],
    products: [.executable(name: "daybook-bench", targets: ["DaybookBench"])],
    dependencies: [.package(name: "daybook", path: "../..")],
    targets: [
        .target(
            name: "CBaseline",
            linkerSettings: [.linkedLibrary("lmdb"), .linkedLibrary("pthread")]),
        .executableTarget(
            name: "DaybookBench",
            dependencies: [
                "CBaseline",
                .product(name: "CivilTime", package: "daybook"),
                .product(name: "Domain", package: "daybook"),
                .product(name: "EventSourcing", package: "daybook"),
                .product(name: "EventStorage", package: "daybook"),
                .product(name: "LMDB", package: "daybook"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)
