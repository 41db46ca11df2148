public import Foundation

/// The folder of the package, and the real input beside it.
public enum Checkout {
    /// The folder of Package.swift, without links.
    public static let root = URL(filePath: #filePath).resolvingSymlinksInPath()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Real input with computed answers. Tests that read it are skipped where it is missing.
    public static let sharedData = root.deletingLastPathComponent().appending(path: "shared/data")
}
