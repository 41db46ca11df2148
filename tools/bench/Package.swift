// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "daybook-bench",
    platforms: [.macOS(.v15)],
    products: [.executable(name: "daybook-bench", targets: ["DaybookBench"])],
    traits: [
        .trait(name: "PostgreSQL", description: "Turns over logs in PostgreSQL, by libpq")
    ],
    dependencies: [
        .package(
            name: "daybook", path: "../..",
            traits: [.trait(name: "PostgreSQL", condition: .when(traits: ["PostgreSQL"]))])
    ],
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
                .product(
                    name: "DaybookPostgres", package: "daybook",
                    condition: .when(traits: ["PostgreSQL"])),
            ]),
    ],
    swiftLanguageModes: [.v6]
)
