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
                .product(name: "Daybook", package: "daybook"),
                // Brings the wrapper of LMDB, which one row reads with.
                .product(name: "DaybookLog", package: "daybook"),
                .product(name: "DaybookModel", package: "daybook"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)
