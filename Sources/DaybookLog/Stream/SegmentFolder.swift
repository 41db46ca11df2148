import Daybook
import DaybookLibC

/// A folder with the segments of one log.
///
/// A segment's name is the position at which its shipment began and its part, so that the order of
/// names is the order of segments: `00000000000000001200-000000.segment`.
struct SegmentFolder {
    let path: String
    /// The names of the segments, in order.
    private(set) var names: [String]

    private static let suffix = ".segment"

    /// Lists the segments in a folder; other files are ignored.
    init(_ path: String) throws(LogError) {
        self.path = path
        guard let folder = unsafe opendir(path) else { throw .file(.fromErrno(path)) }
        defer { _ = unsafe closedir(folder) }
        names = []
        while let entry = unsafe readdir(folder) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
                unsafe name.withMemoryRebound(to: CChar.self, capacity: 256) {
                    unsafe String(cString: $0)
                }
            }
            if Self.isSegment(name) { names.append(name) }
        }
        names.sort()
    }

    /// True if a name is that of a segment.
    private static func isSegment(_ name: String) -> Bool {
        guard name.hasSuffix(suffix) else { return false }
        let parts = name.dropLast(suffix.count).split(
            separator: "-", omittingEmptySubsequences: false)
        return parts.count == 2 && parts[0].utf8.count == 20 && parts[1].utf8.count == 6
            && parts.allSatisfy { $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }
    }

    /// Returns the name of a segment.
    static func name(shipment: UInt64, part: UInt32) -> String {
        "\(padded("\(shipment)", to: 20))-\(padded("\(part)", to: 6))\(suffix)"
    }

    private static func padded(_ text: String, to count: Int) -> String {
        String(repeating: "0", count: max(0, count - text.utf8.count)) + text
    }

    /// Returns the path of a segment.
    func path(of name: String) -> String { "\(path)/\(name)" }

    /// Reads a segment and checks its digest.
    func reader(of name: String) throws(LogError) -> SegmentReader {
        let path = path(of: name)
        let bytes = try WholeFile.read(path)
        return try SegmentReader(bytes, named: path)
    }

    /// Removes the segments of a shipment that did not get to its end; returns the reader of the
    /// last segment of the last complete shipment.
    mutating func removeIncompleteShipment() throws(LogError) -> SegmentReader? {
        while let name = names.last {
            let last = try reader(of: name)
            guard !last.end.isLast else { return last }
            guard unsafe unlink(path(of: name)) == 0 else {
                throw .file(.fromErrno(path(of: name)))
            }
            names.removeLast()
        }
        return nil
    }
}

/// The lock of a folder of segments, so that only one process writes there; released with this
/// value.
struct SegmentFolderLock: ~Copyable {
    private let descriptor: CInt

    /// Locks a folder; throws `.busy` if another process has locked it.
    init(_ path: String) throws(LogError) {
        let folder = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw .file(.fromErrno(path)) }
        guard flock(folder, LOCK_EX | LOCK_NB) == 0 else {
            _ = close(folder)
            throw .file(.busy(path: path))
        }
        descriptor = folder
    }

    deinit { _ = close(descriptor) }
}
