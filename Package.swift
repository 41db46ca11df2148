// swift-tools-version: 6.2
import PackageDescription

/// Every target but `Cryptography`, `LMDB`, `XML` and `YAML`, whose job is to be unsafe, is held to
/// strict memory safety.
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
/// | macOS 15, iOS 18 | `Mutex`, `Int128` | all but CivilTime and Geodesy |
/// | macOS 10.15 | nothing later | CivilTime, Geodesy |
///
/// `Span` and `RawSpan` are deployed back to macOS 10.14.4 and iOS 12.2; what leads to them from
/// arrays and texts needs macOS 26 and iOS 26, and EventSourcing's `Contents.swift` has another way
/// for earlier ones. Linux and Android have no such list; `LibC` names the C libraries that are
/// known. Only Linux with Glibc is built and tested.
let platforms: [SupportedPlatform] = [
    .macOS(.v15), .macCatalyst(.v18), .iOS(.v18), .tvOS(.v18), .visionOS(.v2), .watchOS(.v11),
]

let package = Package(
    name: "daybook",
    platforms: platforms,
    products: [
        .executable(name: "replay", targets: ["replay"]),
        .library(name: "LMDB", targets: ["LMDB"]),
        .library(name: "CivilTime", targets: ["CivilTime"]),
        .library(name: "Geodesy", targets: ["Geodesy"]),
        .library(name: "XML", targets: ["XML"]),
        .library(name: "EventSourcing", targets: ["EventSourcing"]),
        .library(name: "EventStorage", targets: ["EventStorage"]),
        .library(name: "Domain", targets: ["Domain"]),
        .library(name: "Formats", targets: ["Formats"]),
        .library(name: "Playback", targets: ["Playback"]),
        .library(name: "DaybookTesting", targets: ["DaybookTesting"]),
        .library(name: "Investigation", targets: ["Investigation"]),
        .library(name: "ReplayCommands", targets: ["ReplayCommands"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2")
    ],
    targets: [
        .systemLibrary(
            name: "CLMDB", pkgConfig: "lmdb",
            providers: [.apt(["liblmdb-dev"]), .brew(["lmdb"])]),
        .systemLibrary(
            name: "CExpat", pkgConfig: "expat",
            providers: [.apt(["libexpat1-dev"]), .brew(["expat"])]),
        .systemLibrary(
            name: "CYAML", pkgConfig: "yaml-0.1",
            providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]),
        .systemLibrary(
            name: "COpenSSL", pkgConfig: "libcrypto",
            providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
        .target(name: "LibC", swiftSettings: strict),
        .target(name: "XML", dependencies: ["CExpat"], swiftSettings: careful),
        .target(name: "YAML", dependencies: ["CYAML"], swiftSettings: careful),
        .target(
            name: "LMDB", dependencies: ["CLMDB", "LibC"],
            swiftSettings: careful + lifetimes),
        .target(
            name: "Cryptography",
            dependencies: [
                .target(name: "COpenSSL", condition: .when(platforms: [.linux, .android]))
            ],
            swiftSettings: careful),
        .target(name: "CivilTime", swiftSettings: strict),
        .target(name: "Geodesy", dependencies: ["LibC"], swiftSettings: strict),
        .target(
            name: "EventSourcing", dependencies: ["CivilTime"],
            swiftSettings: strict + lifetimes),
        .target(
            name: "EventStorage",
            dependencies: [
                "CivilTime", "Cryptography", "EventSourcing", "LibC", "LMDB",
            ],
            swiftSettings: strict + lifetimes),
        .target(
            name: "Domain", dependencies: ["CivilTime", "EventSourcing", "Geodesy"],
            swiftSettings: strict),
        .target(
            name: "Formats",
            dependencies: [
                "CivilTime", "Cryptography", "Domain", "EventSourcing", "Geodesy", "XML",
            ],
            swiftSettings: strict),
        .target(
            name: "Playback",
            dependencies: [
                "CivilTime", "Cryptography", "EventSourcing", "Geodesy", "LibC", "YAML",
            ],
            swiftSettings: strict),
        .target(
            name: "Investigation",
            dependencies: [
                "CivilTime", "EventSourcing", "EventStorage", "LMDB", "LibC", "Playback",
            ],
            swiftSettings: strict),
        .target(
            name: "ReplayCommands",
            dependencies: [
                "CivilTime", "EventSourcing", "EventStorage", "Investigation", "LibC", "LMDB",
                "Playback",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: strict),
        .executableTarget(
            name: "replay",
            dependencies: [
                "CivilTime", "Domain", "EventSourcing", "Formats", "ReplayCommands",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: strict),
        .target(
            name: "DaybookTesting", dependencies: ["CivilTime", "EventSourcing", "Playback"],
            swiftSettings: strict),
        .target(
            name: "TestSupport",
            dependencies: [
                "CivilTime", "DaybookTesting", "Domain", "EventSourcing", "EventStorage", "LMDB",
                "Playback",
            ],
            path: "Tests/TestSupport", swiftSettings: careful),
        .testTarget(
            name: "CivilTimeTests", dependencies: ["CivilTime", "TestSupport"],
            swiftSettings: careful),
        .testTarget(
            name: "GeodesyTests", dependencies: ["Geodesy"], swiftSettings: careful),
        .testTarget(
            name: "CryptographyTests", dependencies: ["Cryptography"], swiftSettings: careful),
        .testTarget(name: "XMLTests", dependencies: ["XML"], swiftSettings: careful),
        .testTarget(
            name: "LMDBTests", dependencies: ["LMDB", "TestSupport"], swiftSettings: careful),
        .testTarget(
            name: "EventSourcingTests", dependencies: ["EventSourcing", "TestSupport"],
            swiftSettings: careful),
        .testTarget(
            name: "DaybookTestingTests",
            dependencies: [
                "CivilTime", "DaybookTesting", "Domain", "EventSourcing", "TestSupport",
            ],
            swiftSettings: careful),
        .testTarget(
            name: "EventStorageTests", dependencies: ["EventStorage", "LMDB", "TestSupport"],
            swiftSettings: careful),
        .testTarget(
            name: "EmbeddingTests", dependencies: ["CivilTime", "EventSourcing", "EventStorage"],
            swiftSettings: careful),
        .testTarget(
            name: "DomainTests",
            dependencies: [
                "CivilTime", "DaybookTesting", "Domain", "EventSourcing", "Formats", "Geodesy",
                "Playback", "TestSupport",
            ],
            exclude: [
                "Account", "Assistant", "Chat", "Household", "OfflineQueue", "Permission", "Photo",
                "Shop",
            ].map { "\($0)/layouts.txt" },
            swiftSettings: careful),
        .testTarget(
            name: "FormatsTests",
            dependencies: [
                "CivilTime", "Domain", "EventSourcing", "Formats", "Playback", "TestSupport",
            ],
            swiftSettings: careful),
        .testTarget(
            name: "PlaybackTests", dependencies: ["Domain", "Playback", "TestSupport"],
            swiftSettings: careful),
        .testTarget(
            name: "InvestigationTests",
            dependencies: [
                "CivilTime", "EventSourcing", "EventStorage", "Investigation", "Playback",
                "TestSupport",
            ],
            swiftSettings: careful),
        .executableTarget(
            name: "books", dependencies: ["CivilTime", "EventSourcing", "ReplayCommands"],
            path: "Tests/BooksTool", swiftSettings: careful),
        .testTarget(
            name: "ReplayTests",
            dependencies: [
                "books", "CivilTime", "Cryptography", "Domain", "EventSourcing", "EventStorage",
                "LMDB", "Playback", "replay", "TestSupport",
            ],
            swiftSettings: careful),
    ],
    swiftLanguageModes: [.v6]
)
