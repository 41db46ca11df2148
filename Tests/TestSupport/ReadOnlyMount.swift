import Foundation

/// A file system that is mounted for a test, small or read-only, and unmounted after it.
public final class ReadOnlyMount {
    public let path: String

    public static let isPossible: Bool = {
        guard let folder = try? TemporaryFolder() else { return false }
        return (try? ReadOnlyMount(folder.path("probe")) { _ in }) != nil
    }()

    private struct NotPermitted: Error {}

    /// Mounts a small file system in memory.
    public init(_ path: String, size: String) throws {
        self.path = path
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true)
        guard try Self.run("mount", "-t", "tmpfs", "-o", "size=\(size)", "tmpfs", path) == 0 else {
            throw NotPermitted()
        }
    }

    /// Shows a folder a second time, read-only.
    public init(binding folder: String, at path: String) throws {
        self.path = path
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true)
        guard try Self.run("mount", "--bind", folder, path) == 0,
            try Self.run("mount", "-o", "remount,bind,ro", path) == 0
        else { throw NotPermitted() }
    }

    /// Mounts a small file system in memory, lets `fill` write there, and makes it read-only.
    public convenience init(_ path: String, _ fill: (String) throws -> Void) throws {
        try self.init(path, size: "32m")
        try fill(path)
        try? FileManager.default.removeItem(atPath: path + "/file-lock")
        guard try Self.run("mount", "-o", "remount,ro", path) == 0 else { throw NotPermitted() }
    }

    deinit {
        _ = try? Self.run("umount", path)
    }

    private static func run(_ arguments: String...) throws -> Int32 {
        try Program.run(arguments).code
    }
}
