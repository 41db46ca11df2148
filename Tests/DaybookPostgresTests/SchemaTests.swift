#if PostgreSQL
    import Foundation
    import TestSupport
    import Testing

    @testable import DaybookPostgres

    @Suite struct SchemaTests {
        @Test("The program installs the files of the schema, in the order of their names")
        func files() throws {
            let folder = Checkout.root.appending(path: "Sources/DaybookPostgres/Schema")
            let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
                .map { try String(contentsOf: folder.appending(path: $0), encoding: .utf8) }
            #expect(files.count > 1)
            #expect(SchemaInstallation.script == files.joined())
        }
    }
#endif
