import Daybook
package import DaybookLog
import Synchronization

/// A maker of stores for the tests that every store has to pass.
package protocol StoreMaker: Sendable {
    /// Makes a store of a new, empty log, opened with its keys.
    func makeStore() throws -> any EventStore

    /// Opens the log of a store once more, as another machine does.
    ///
    /// - Parameter hasKeys: false for a machine that has no keys.
    func another(_ store: any EventStore, hasKeys: Bool) throws -> any EventStore

    /// Erases texts in the log of a store, by other means than the replicas of the test.
    func erase(_ target: ErasureTarget, in store: any EventStore) throws
}

/// Makes stores in files.
package final class FileStoreMaker: StoreMaker {
    private let folder: TemporaryFolder
    private let count = Mutex(0)

    package init() throws {
        folder = try TemporaryFolder()
    }

    package func makeStore() throws -> any EventStore {
        let number = count.withLock {
            $0 += 1
            return $0
        }
        let log = try EventLog(
            path: folder.path("store-\(number)"), access: .create,
            catalogue: try Catalogue([Tallies.self]))
        return FileStore(log)
    }

    package func another(_ store: any EventStore, hasKeys: Bool) throws -> any EventStore {
        guard let file = store as? FileStore else { return store }
        return hasKeys ? file : FileStore(file.log, hasKeys: false)
    }

    package func erase(_ target: ErasureTarget, in store: any EventStore) throws {
        guard let file = store as? FileStore else { throw Unexpected("the store is no file") }
        _ = try file.log.erase(target)
    }
}

/// The sentence of a test of a store that does not hold.
package struct Unexpected: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}

/// Throws an error with the line of the test unless a condition holds.
package func expect(
    _ condition: Bool, _ reason: @autoclosure () -> String, file: String = #fileID,
    line: Int = #line
) throws {
    guard condition else { throw Unexpected("\(file):\(line): \(reason())") }
}

/// Throws an error with the line of the test unless two values are equal.
package func expectEqual<Value: Equatable>(
    _ found: Value, _ expected: Value, _ place: @autoclosure () -> String = "",
    file: String = #fileID, line: Int = #line
) throws {
    guard found == expected else {
        throw Unexpected("\(file):\(line): \(place()): found \(found), expected \(expected)")
    }
}
