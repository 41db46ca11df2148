// swift-tools-version: 6.2
import PackageDescription

/// Every target is held to strict memory safety but `DaybookCryptography`, `DaybookLMDB`,
/// `DaybookXML` and `DaybookYAML`, whose job is to be unsafe.
let careful: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]
let strict: [SwiftSetting] = careful + [.strictMemorySafety()]
let lifetimes: [SwiftSetting] = [.enableExperimentalFeature("Lifetimes")]

/// The least releases of Apple's systems that have what the targets take from Swift's library.
///
/// A package has one list for all targets. By target, as the library's interface says and as
/// `tools/availability` compiles it:
///
/// | release | because of | in |
/// |---|---|---|
/// | macOS 15, iOS 18 | `Mutex`, `Int128` | all but DaybookGeodesy |
/// | macOS 10.15 | nothing later | DaybookGeodesy |
///
/// `Span` and `RawSpan` are deployed back to macOS 10.14.4 and iOS 12.2; what leads to them from
/// arrays and texts needs macOS 26 and iOS 26, and Daybook's `Contents.swift` has another way for
/// earlier ones. Linux and Android have no such list; `DaybookLibC` names the C libraries that are
/// known. Only Linux with Glibc is built and tested.
///
/// Of Apple's systems, macOS alone has liblmdb and libyaml, from a package manager. On the others
/// an app has `Daybook` and `DaybookFoundation`; `tools/availability` compiles `Daybook` for iOS.
let platforms: [SupportedPlatform] = [
    .macOS(.v15), .macCatalyst(.v18), .iOS(.v18), .tvOS(.v18), .visionOS(.v2), .watchOS(.v11),
]

let package = Package(
    name: "daybook",
    platforms: platforms,
    products: [
        .executable(name: "replay", targets: ["DaybookReplay"]),
        .executable(name: "replay-postgres", targets: ["DaybookReplayPostgres"]),
        .library(name: "Daybook", targets: ["Daybook"]),
        .library(name: "DaybookFoundation", targets: ["DaybookFoundation"]),
        .library(name: "DaybookLog", targets: ["DaybookLog"]),
        .library(name: "DaybookModel", targets: ["DaybookModel", "DaybookFormats"]),
        .library(name: "DaybookPostgres", targets: ["DaybookPostgres"]),
        .library(name: "DaybookTelemetry", targets: ["DaybookTelemetry"]),
        .library(name: "DaybookTesting", targets: ["DaybookTesting"]),
        .library(name: "DaybookTool", targets: ["DaybookTool"]),
    ],
    traits: [
        .trait(
            name: "PostgreSQL",
            description: "DaybookPostgres: logs in databases of PostgreSQL, by libpq"),
        .trait(
            name: "Telemetry",
            description: "DaybookTelemetry: operations of a log for swift-log and swift-metrics"),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        // Not fetched without the trait.
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
    ],
    targets: [
        // System libraries, and the only unsafe code: a wrapper for each.
        .systemLibrary(
            name: "CDaybookLMDB", pkgConfig: "lmdb",
            providers: [.apt(["liblmdb-dev"]), .brew(["lmdb"])]),
        .systemLibrary(
            name: "CDaybookExpat", pkgConfig: "expat",
            providers: [.apt(["libexpat1-dev"]), .brew(["expat"])]),
        .systemLibrary(
            name: "CDaybookYAML", pkgConfig: "yaml-0.1",
            providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]),
        .systemLibrary(
            name: "CDaybookOpenSSL", pkgConfig: "libcrypto",
            providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
        // Not looked for without the trait.
        .systemLibrary(
            name: "CDaybookPQ", pkgConfig: "libpq",
            providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
        // Files that the C compiler embeds: the page of `view`, and the SQL of DaybookPostgres.
        .target(name: "CDaybookPage"),
        .target(
            name: "CDaybookSchema",
            cSettings: [.define("PostgreSQL", .when(traits: ["PostgreSQL"]))]),
        .target(name: "DaybookLibC", swiftSettings: strict),
        .target(name: "DaybookXML", dependencies: ["CDaybookExpat"], swiftSettings: careful),
        .target(name: "DaybookYAML", dependencies: ["CDaybookYAML"], swiftSettings: careful),
        .target(
            name: "DaybookLMDB", dependencies: ["CDaybookLMDB", "DaybookLibC"],
            swiftSettings: careful + lifetimes),
        .target(
            name: "DaybookCryptography",
            dependencies: [
                "DaybookLibC",
                .target(name: "CDaybookOpenSSL", condition: .when(platforms: [.linux, .android])),
            ],
            swiftSettings: careful),
        .target(name: "DaybookGeodesy", dependencies: ["DaybookLibC"], swiftSettings: strict),

        // The engine, for any domain.
        .target(name: "Daybook", swiftSettings: strict + lifetimes),
        // Times as dates, apart so that no other target brings Foundation into a program.
        .target(name: "DaybookFoundation", dependencies: ["Daybook"], swiftSettings: strict),
        .target(
            name: "DaybookLog",
            dependencies: ["Daybook", "DaybookCryptography", "DaybookLibC", "DaybookLMDB"],
            swiftSettings: strict + lifetimes),
        .target(
            name: "DaybookPostgres",
            dependencies: [
                "Daybook", "DaybookCryptography", "DaybookLibC", "DaybookLog",
                .target(name: "CDaybookPQ", condition: .when(traits: ["PostgreSQL"])),
                .target(name: "CDaybookSchema", condition: .when(traits: ["PostgreSQL"])),
            ],
            exclude: ["Schema"], swiftSettings: strict + lifetimes),
        .target(
            name: "DaybookTelemetry",
            dependencies: [
                "Daybook", "DaybookLog",
                .product(
                    name: "Logging", package: "swift-log", condition: .when(traits: ["Telemetry"])),
                .product(
                    name: "Metrics", package: "swift-metrics",
                    condition: .when(traits: ["Telemetry"])),
            ],
            swiftSettings: strict),
        .target(
            name: "DaybookInput",
            dependencies: ["Daybook", "DaybookCryptography", "DaybookLibC", "DaybookYAML"],
            swiftSettings: strict),
        .target(
            name: "DaybookScenarios", dependencies: ["Daybook", "DaybookInput"],
            swiftSettings: strict),
        .target(
            name: "DaybookInvestigation",
            dependencies: [
                "Daybook", "DaybookCryptography", "DaybookGeodesy", "DaybookInput", "DaybookLibC",
                "DaybookLog", "DaybookScenarios",
            ],
            swiftSettings: strict),
        .target(
            name: "DaybookView", dependencies: ["CDaybookPage"], exclude: ["Page"],
            swiftSettings: strict),
        .target(name: "DaybookServer", dependencies: ["DaybookLibC"], swiftSettings: strict),
        .target(
            name: "DaybookTool",
            dependencies: [
                "Daybook", "DaybookCryptography", "DaybookInput", "DaybookInvestigation",
                "DaybookLibC", "DaybookLMDB", "DaybookLog", "DaybookScenarios", "DaybookServer",
                "DaybookView",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: strict),
        .target(
            name: "DaybookTesting", dependencies: ["Daybook", "DaybookInput", "DaybookScenarios"],
            swiftSettings: strict),

        // Daybook's own areas, a model to try the engine on.
        .target(
            name: "DaybookModel", dependencies: ["Daybook", "DaybookGeodesy"],
            swiftSettings: strict),
        .target(
            name: "DaybookFormats",
            dependencies: [
                "Daybook", "DaybookCryptography", "DaybookGeodesy", "DaybookLibC", "DaybookModel",
                "DaybookXML",
            ],
            swiftSettings: strict),
        .target(
            name: "DaybookReplayProgram",
            dependencies: [
                "Daybook", "DaybookFormats", "DaybookLog", "DaybookModel", "DaybookTool",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: strict),
        .executableTarget(
            name: "DaybookReplay", dependencies: ["DaybookReplayProgram"], swiftSettings: strict),
        // Without the trait, a few lines that name it.
        .executableTarget(
            name: "DaybookReplayPostgres",
            dependencies: [
                "DaybookLibC",
                .target(name: "DaybookLog", condition: .when(traits: ["PostgreSQL"])),
                .target(name: "DaybookPostgres", condition: .when(traits: ["PostgreSQL"])),
                .target(name: "DaybookReplayProgram", condition: .when(traits: ["PostgreSQL"])),
            ],
            swiftSettings: strict),

        .target(
            name: "TestSupport",
            dependencies: [
                "Daybook", "DaybookInput", "DaybookLibC", "DaybookLMDB", "DaybookLog",
                "DaybookModel", "DaybookTesting",
            ],
            path: "Tests/TestSupport", swiftSettings: careful),
        .testTarget(
            name: "DaybookLMDBTests", dependencies: ["DaybookLMDB", "TestSupport"],
            swiftSettings: careful),
        .testTarget(
            name: "DaybookXMLTests", dependencies: ["DaybookXML"], swiftSettings: careful),
        .testTarget(
            name: "DaybookCryptographyTests", dependencies: ["DaybookCryptography"],
            swiftSettings: careful),
        .testTarget(
            name: "DaybookGeodesyTests", dependencies: ["DaybookGeodesy"],
            swiftSettings: careful),
        .testTarget(
            name: "DaybookTests", dependencies: ["Daybook", "TestSupport"],
            swiftSettings: careful),
        .testTarget(
            name: "DaybookLogTests",
            dependencies: ["DaybookCryptography", "DaybookLMDB", "DaybookLog", "TestSupport"],
            swiftSettings: careful),
        .testTarget(
            name: "DaybookPostgresTests",
            dependencies: [
                "Daybook", "DaybookCryptography", "DaybookLibC", "DaybookLMDB", "DaybookLog",
                "DaybookPostgres", "DaybookReplay", "DaybookReplayPostgres", "TestSupport",
            ],
            swiftSettings: careful),
        .testTarget(
            name: "DaybookScenariosTests",
            dependencies: ["DaybookInput", "DaybookModel", "DaybookScenarios", "TestSupport"],
            swiftSettings: careful),
        .testTarget(
            name: "DaybookInvestigationTests",
            dependencies: [
                "Daybook", "DaybookFormats", "DaybookInput", "DaybookInvestigation", "DaybookLog",
                "DaybookModel", "TestSupport",
            ],
            swiftSettings: careful),
        .testTarget(
            name: "DaybookServerTests",
            dependencies: ["DaybookLibC", "DaybookServer", "TestSupport"],
            swiftSettings: careful),
        .testTarget(
            name: "DaybookTestingTests",
            dependencies: ["Daybook", "DaybookModel", "DaybookTesting", "TestSupport"],
            swiftSettings: careful),
        .testTarget(
            name: "DaybookModelTests",
            dependencies: [
                "Daybook", "DaybookFormats", "DaybookGeodesy", "DaybookInvestigation",
                "DaybookModel", "DaybookScenarios", "DaybookTesting", "TestSupport",
            ],
            exclude: [
                "Account", "Assistant", "Chat", "Household", "OfflineQueue", "Permission", "Photo",
                "Shop",
            ].map { "\($0)/layouts.txt" },
            swiftSettings: careful),
        .testTarget(
            name: "DaybookFormatsTests",
            dependencies: [
                "Daybook", "DaybookFormats", "DaybookInput", "DaybookModel", "TestSupport",
            ],
            swiftSettings: careful),
        .testTarget(
            name: "EmbeddingTests",
            dependencies: ["Daybook", "DaybookFoundation", "DaybookLog", "TestSupport"],
            swiftSettings: careful),
        .executableTarget(
            name: "books", dependencies: ["Daybook", "DaybookTool"],
            path: "Tests/BooksTool", swiftSettings: careful),
        .testTarget(
            name: "DaybookToolTests",
            dependencies: [
                "books", "Daybook", "DaybookCryptography", "DaybookInput", "DaybookInvestigation",
                "DaybookLMDB", "DaybookLog", "DaybookModel", "DaybookReplay", "DaybookScenarios",
                "DaybookTool", "TestSupport",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: careful),
    ],
    swiftLanguageModes: [.v6],
    // C23 has `#embed`.
    cLanguageStandard: .c2x
)
