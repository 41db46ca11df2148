import DaybookLibC

/// Information about processes from `/proc`, on systems that have it.
enum ProcessInformation {
    /// Returns the command name of a process, without control characters; `nil` without `/proc`.
    static func commandName(of processID: Int32) -> String? {
        let descriptor = Descriptor.open("/proc/\(processID)/comm", O_RDONLY)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = read(descriptor, &bytes, bytes.count)
        guard count > 0 else { return nil }
        let name = String(decoding: bytes[..<count], as: UTF8.self).unicodeScalars
        return String(String.UnicodeScalarView(name.filter { $0.properties.isPrintable }))
    }

    /// True if a process has mapped a file with this inode into memory, as far as the system tells.
    static func hasMapped(_ inode: UInt64, _ processID: Int32) -> Bool {
        let descriptor = Descriptor.open("/proc/\(processID)/maps", O_RDONLY)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var text: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = read(descriptor, &part, part.count), count > 0 {
            text += part[..<count]
        }
        // Each line has addresses, rights, offset, device and inode, and then perhaps a path.
        return text.split(separator: UInt8(ascii: "\n")).contains { line in
            let words = line.split(separator: UInt8(ascii: " "), maxSplits: 5)
            return words.count > 4 && words[4].elementsEqual("\(inode)".utf8)
        }
    }

    /// Returns a number that identifies the process id namespace; 0 on systems without namespaces.
    static func namespace() -> UInt32 {
        var status = stat()
        guard stat("/proc/self/ns/pid", &status) == 0 else { return 0 }
        return UInt32(truncatingIfNeeded: status.st_ino)
    }
}

extension Unicode.Scalar.Properties {
    /// False for control characters, line separators and other invisible or unassigned scalars.
    fileprivate var isPrintable: Bool {
        switch generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned,
            .privateUse:
            false
        default: true
        }
    }
}
