import DaybookLibC
import Foundation
import TestSupport
import Testing

@testable import DaybookTool

@Suite struct ReplicaCacheTests {
    @Test(
        "Replicas are in the folder for caches that the environment names",
        arguments: [
            (["HOME": "/home/kim"], "/home/kim/.cache/daybook"),
            (["HOME": "/home/kim", "XDG_CACHE_HOME": "/caches"], "/caches/daybook"),
            (["HOME": "/home/kim", "XDG_CACHE_HOME": "caches"], "/home/kim/.cache/daybook"),
            (["XDG_CACHE_HOME": "/caches"], "/caches/daybook"),
        ])
    func folder(_ variables: [String: String], _ folder: String) throws {
        #expect(try ReplicaCache(variable: { variables[$0] }).folder == folder)
    }

    @Test("Without a home, the message names the variables")
    func noFolder() throws {
        let failure = #expect(throws: Failure.self) { try ReplicaCache { _ in nil } }
        #expect(failure?.code == .usage)
        #expect(failure?.message.contains("set the variable HOME or XDG_CACHE_HOME") == true)
    }

    @Test("Each log, address and set of keys has a replica of its own, whose name has no address")
    func names() throws {
        let cache = try ReplicaCache { _ in "/caches" }
        let (one, two) = ([UInt8](repeating: 1, count: 16), [UInt8](repeating: 2, count: 16))
        let addresses = ["postgres://kim@db/diary?log=home", "postgres://kim@db2/diary?log=home"]
        var paths: Set<String> = []
        for id in [one, two] {
            for address in addresses {
                for hasKeys in [false, true] {
                    let path = cache.path(of: id, at: address, hasKeys: hasKeys)
                    #expect(path.hasSuffix("-keys.log") == hasKeys)
                    #expect(!path.contains("kim") && !path.contains("home"))
                    paths.insert(path)
                }
            }
        }
        #expect(paths.count == 8)
        #expect(
            cache.path(of: one, at: addresses[0], hasKeys: false)
                == "/caches/daybook/01010101010101010101010101010101-4544cb3231b2d1a8.log")
    }

    @Test("The folder is private, and one that others may write to is refused")
    func permissions() throws {
        let parent = try TestSupport.TemporaryFolder()
        let cache = try ReplicaCache { _ in parent.path("caches") }
        try cache.create()
        try cache.create()
        func mode() -> mode_t {
            var status = stat()
            return stat(cache.folder, &status) == 0 ? status.st_mode & 0o777 : 0
        }
        #expect(mode() == 0o700)
        for (permissions, isRefused) in [(0o750, false), (0o770, true), (0o702, true)] {
            chmod(cache.folder, mode_t(permissions))
            #expect(((try? cache.create()) == nil) == isRefused)
        }
        try FileManager.default.removeItem(atPath: cache.folder)
        try Data().write(to: URL(fileURLWithPath: cache.folder))
        let failure = #expect(throws: Failure.self) { try cache.create() }
        #expect(failure?.message.contains("expected a folder of this user") == true)
    }
}
