import EventSourcing

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Reads files and standard input.
enum InputFile {
    /// All bytes of a file; `-` is standard input.
    static func bytes(of path: String) throws -> [UInt8] {
        let isInput = path == "-"
        guard let file = isInput ? unsafe stdin : unsafe fopen(path, "rb") else {
            let reason = unsafe String(cString: strerror(errno))
            throw Failure(.usage, "\(path): cannot be read: \(reason)")
        }
        defer { if !isInput { unsafe fclose(file) } }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = unsafe fread(&chunk, 1, chunk.count, file)
            bytes.append(contentsOf: chunk[..<count])
            if count < chunk.count { break }
        }
        guard unsafe ferror(file) == 0 else {
            throw Failure(.usage, "\(path): cannot be read: is it a folder?")
        }
        return bytes
    }

    /// Lines of standard input as they come, without their ends, numbered from 1.
    static func forEachLine(_ body: (Int, [UInt8]) throws -> Void) throws {
        var line: UnsafeMutablePointer<CChar>?
        var capacity = 0
        var number = 0
        defer { unsafe free(line) }
        while true {
            let count = unsafe getline(&line, &capacity, stdin)
            guard count >= 0, let start = unsafe line else { return }
            number += 1
            var bytes = unsafe [UInt8](
                UnsafeRawBufferPointer(start: start, count: count))
            while let last = bytes.last, last == 10 || last == 13 { bytes.removeLast() }
            try body(number, bytes)
        }
    }
}
