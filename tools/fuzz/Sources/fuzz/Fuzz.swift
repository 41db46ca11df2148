import Daybook
import DaybookModel
import Foundation

/// A decoder that is given bytes of any kind, and the seeds that its corpus begins with.
struct Target {
    let name: String
    let seeds: () -> [[UInt8]]
    /// A number made of what was decoded, so that nothing of it is optimised away.
    let decode: ([UInt8]) -> Int

    init(_ name: String, seeds: @escaping () -> [[UInt8]], decode: @escaping ([UInt8]) -> Int) {
        self.name = name
        self.seeds = seeds
        self.decode = decode
    }

    /// A target whose errors are what it is allowed to answer.
    init(
        _ name: String, _ texts: [String], _ decode: @escaping ([UInt8]) throws -> some Any
    ) {
        self.init(name, seeds: { texts.map { Array($0.utf8) } }) { bytes in
            guard let decoded = try? decode(bytes) else { return 0 }
            return "\(decoded)".utf8.count
        }
    }
}

/// Everything the program knows of its areas.
let catalogue: Catalogue = {
    do throws(InvalidCatalogue) {
        return try Catalogue(Catalog.areas)
    } catch {
        preconditionFailure("\(error)")
    }
}()

nonisolated(unsafe) let targets: [Target] =
    textTargets + fileTargets + storedTargets + domainTargets

nonisolated(unsafe) var chosen: Target = {
    let name = ProcessInfo.processInfo.environment["FUZZ_TARGET"] ?? ""
    guard let target = targets.first(where: { $0.name == name }) else {
        print(targets.map(\.name).joined(separator: "\n"))
        exit(name.isEmpty ? 0 : 2)
    }
    if let folder = ProcessInfo.processInfo.environment["FUZZ_SEEDS"] {
        for (number, seed) in target.seeds().enumerated() {
            let file = URL(fileURLWithPath: "\(folder)/seed-\(number)")
            try? Data(seed).write(to: file)
        }
        exit(0)
    }
    return target
}()

/// Read by nobody, written by all: without it, the code under test may be left out.
nonisolated(unsafe) var sink = 0

@_cdecl("LLVMFuzzerInitialize")
public func initialize(_ count: UnsafePointer<CInt>?, _ arguments: UnsafeRawPointer?) -> CInt {
    sink = chosen.name.utf8.count
    return 0
}

@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    sink = sink &+ chosen.decode(Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}

/// Bytes as text, the way input files are read: invalid UTF-8 is refused there.
func text(_ bytes: [UInt8]) throws -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else { throw NotText() }
    return text
}

struct NotText: Error {}

/// A file of the repository as a seed.
func seed(_ path: String) -> [UInt8] {
    let root = ProcessInfo.processInfo.environment["FUZZ_ROOT"] ?? "."
    return (try? Data(contentsOf: URL(fileURLWithPath: "\(root)/\(path)"))).map { Array($0) } ?? []
}

/// All files below a folder of the repository with that ending, as seeds.
func seeds(below folder: String, ending: String, atMost count: Int = 60) -> [[UInt8]] {
    let root = ProcessInfo.processInfo.environment["FUZZ_ROOT"] ?? "."
    let names = FileManager.default.enumerator(atPath: "\(root)/\(folder)")
    let paths = (names?.allObjects as? [String] ?? []).filter { $0.hasSuffix(ending) }.sorted()
    return paths.prefix(count).map { seed("\(folder)/\($0)") }
}
