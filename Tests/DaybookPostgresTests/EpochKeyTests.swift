#if PostgreSQL
    import DaybookLibC
    import Foundation
    import TestSupport
    import Testing

    @testable import DaybookPostgres

    /// Keys of epochs in a file and by a command.
    struct EpochKeyTests {
        private let folder: TemporaryFolder
        private let log = Array(UInt8(0)..<16)
        private let id = "000102030405060708090a0b0c0d0e0f"
        private var path: String { folder.path("keys") }
        private var file: EpochKeyFile { EpochKeyFile(path) }

        init() throws {
            folder = try TemporaryFolder()
        }

        private func content() throws -> String {
            try String(contentsOfFile: path, encoding: .utf8)
        }

        private func write(_ text: String, mode: Int = 0o600) throws {
            try Data(text.utf8).write(to: URL(fileURLWithPath: path))
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        }

        @Test("A key is made once, in a file that only its owner may read")
        func creation() throws {
            let key = try file.createKey(of: 1, log: log)
            let other = try file.createKey(of: 2, log: log)
            #expect(key.count == 32)
            #expect(key != other)
            #expect(try file.createKey(of: 1, log: log) == key)
            #expect(try file.key(of: 1, log: log) == key)
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
            #expect(mode as? Int == 0o600)
            let lines = try content().split(separator: "\n").map(String.init)
            #expect(lines.count == 3)
            #expect(lines[0] == "daybook-epoch-keys-v1")
            #expect(lines[1].hasPrefix("\(id) 1 "))
            let missing = #expect(throws: EpochKeyError.self) { try file.key(of: 3, log: log) }
            #expect(missing == .missing(source: path, epoch: 3, log: id))
        }

        @Test("A destroyed key is zeros in its place, and is not made again")
        func destruction() throws {
            let key = try file.createKey(of: 1, log: log)
            let other = try file.createKey(of: 2, log: log)
            let size = try content().utf8.count
            try file.destroyKey(of: 1, log: log)
            try file.destroyKey(of: 1, log: log)
            try file.destroyKey(of: 9, log: log)
            #expect(try content().utf8.count == size)
            #expect(try content().contains("\(id) 1 " + String(repeating: "0", count: 64) + "\n"))
            #expect(key != other)
            for call in [file.key, file.createKey] {
                let error = #expect(throws: EpochKeyError.self) { try call(1, log) }
                #expect(error == .destroyed(source: path, epoch: 1, log: id))
            }
            #expect(try file.key(of: 2, log: log) == other)
        }

        @Test("A line that a killed program has begun is replaced by the next key")
        func tornLine() throws {
            let key = try file.createKey(of: 1, log: log)
            let sound = try content()
            for torn in ["\(id) 2 00ff", "x"] {
                try write(sound + torn)
                #expect(try file.key(of: 1, log: log) == key)
                #expect(throws: EpochKeyError.self) { try file.key(of: 2, log: log) }
            }
            let other = try file.createKey(of: 2, log: log)
            #expect(try file.key(of: 2, log: log) == other)
            #expect(try content().hasPrefix(sound + "\(id) 2 "))
            try write("daybook-epo")
            #expect(try file.createKey(of: 1, log: log) != key)
        }

        @Test("A file that others may read is refused", arguments: [0o640, 0o604, 0o620, 0o601])
        func mode(_ mode: Int) throws {
            _ = try file.createKey(of: 1, log: log)
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
            let error = #expect(throws: EpochKeyError.self) { try file.key(of: 1, log: log) }
            #expect("\(try #require(error))".contains("chmod 600"))
        }

        @Test(
            "A malformed file names the line, and shows nothing of it",
            arguments: [
                ("daybook-keys-v1\n", 1), ("hello", 1),
                ("daybook-epoch-keys-v1\n\n", 2), ("daybook-epoch-keys-v1\n% 1 %%\nx\n", 3),
                ("daybook-epoch-keys-v1\n% 0 %%\n", 2), ("daybook-epoch-keys-v1\n% 01 %%\n", 2),
                ("daybook-epoch-keys-v1\n% 1 %%0\n", 2), ("daybook-epoch-keys-v1\n%  1 %%\n", 2),
                ("daybook-epoch-keys-v1\n%% 1 %%\n", 2), ("daybook-epoch-keys-v1\n% 1 %% \n", 2),
            ])
        func malformed(_ text: String, _ line: Int) throws {
            let digits = String(repeating: "ab", count: 16)
            try write(text.replacingOccurrences(of: "%", with: digits))
            for call in [file.key, file.createKey] {
                let error = #expect(throws: EpochKeyError.self) { try call(1, log) }
                let message = "\(try #require(error))"
                #expect(message.hasPrefix("\(path):\(line): "))
                #expect(!message.contains("abab"))
            }
        }

        @Test("A missing file and a folder are refused, and a missing file is not made by a look")
        func missingFile() throws {
            #expect(throws: EpochKeyError.self) { try file.key(of: 1, log: log) }
            #expect(throws: EpochKeyError.self) { try file.destroyKey(of: 1, log: log) }
            #expect(!FileManager.default.fileExists(atPath: path))
            #expect(throws: EpochKeyError.self) {
                try EpochKeyFile(folder.url.path).key(of: 1, log: log)
            }
        }

        /// A command that keeps keys in a folder.
        private func command(_ script: String) throws -> EpochKeyCommand {
            let path = folder.path("command")
            try Data(script.utf8).write(to: URL(fileURLWithPath: path))
            // The longer deadline only ends a hang; a busy machine may take seconds for a command.
            let hangs = ["sleep 5", "yes"].contains(script)
            return EpochKeyCommand(
                "sh '\(path)' --some option", deadline: hangs ? .milliseconds(500) : .seconds(120))
        }

        @Test("A command creates, gives and destroys keys")
        func command() throws {
            let keys = try command(
                """
                file='\(folder.url.path)'/$4-$5
                case $3 in
                create) [ -e "$file" ] || od -An -tx1 -N32 /dev/urandom | tr -d ' \\n' >"$file"
                    cat "$file" ;;
                get) cat "$file" ;;
                destroy) rm -f "$file" ;;
                esac
                """)
            let key = try keys.createKey(of: 12, log: log)
            #expect(key.count == 32)
            #expect(try keys.createKey(of: 12, log: log) == key)
            #expect(try keys.key(of: 12, log: log) == key)
            #expect(FileManager.default.fileExists(atPath: folder.path("\(id)-12")))
            try keys.destroyKey(of: 12, log: log)
            try keys.destroyKey(of: 12, log: log)
            let error = #expect(throws: EpochKeyError.self) { try keys.key(of: 12, log: log) }
            #expect("\(try #require(error))".hasSuffix("ended with 1 after 'get'"))
        }

        @Test(
            "A command that fails, hangs or writes something else is refused without its output",
            arguments: [
                ("exit 3", "ended with 3 after 'get'"), ("kill -9 $$", "ended with 137"),
                ("echo abc", "has written something else"),
                ("printf 'ab%.0s' $(seq 31)", "has written something else"),
                ("printf 'ab%.0s' $(seq 33)", "has written something else"),
                ("printf '0%.0s' $(seq 64)", "has written something else"),
                ("printf 'ab%.0s' $(seq 32); exit 1", "ended with 1"),
                ("sleep 5", "did not end in time"), ("yes", "did not end in time"),
            ])
        func failing(_ script: String, _ reason: String) throws {
            let keys = try command(script)
            let error = #expect(throws: EpochKeyError.self) { try keys.key(of: 1, log: log) }
            let message = "\(try #require(error))"
            #expect(message.contains(reason))
            #expect(!message.contains("abab"))
        }

        @Test("A command that is ended by a signal is refused with its number")
        func killed() throws {
            let keys = EpochKeyCommand("kill -9 $$;")
            let error = #expect(throws: EpochKeyError.self) { try keys.key(of: 1, log: log) }
            #expect("\(try #require(error))".contains("was ended by the signal 9 after 'get'"))
        }
    }
#endif
