// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "lending",
    platforms: [.macOS(.v15), .iOS(.v18)],
    dependencies: [.package(name: "daybook", path: "../../..")],
    targets: [
        .target(
            name: "Lending",
            dependencies: [
                .product(name: "Daybook", package: "daybook")
            ]),
        .executableTarget(
            name: "library",
            dependencies: ["Lending", .product(name: "DaybookTool", package: "daybook")]),
        .testTarget(
            name: "LendingTests",
            dependencies: [
                "Lending",
                .product(name: "Daybook", package: "daybook"),
                .product(name: "DaybookTesting", package: "daybook"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)
