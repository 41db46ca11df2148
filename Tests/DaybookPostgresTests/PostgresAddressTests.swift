#if PostgreSQL
    import Testing

    @testable import DaybookPostgres

    /// Addresses of logs, which never hold a password.
    struct PostgresAddressTests {
        struct Case: CustomTestStringConvertible {
            var text: String
            var log: String?
            var parameters: [String: String]
            var testDescription: String { text }
        }

        @Test(
            "An address is read as libpq reads it, without the name of the log",
            arguments: [
                Case(
                    text: "postgres://kim@db.example:5433/diary?log=home", log: "home",
                    parameters: [
                        "user": "kim", "host": "db.example", "port": "5433", "dbname": "diary",
                    ]),
                Case(
                    text: "postgresql:///diary?host=/run/postgresql&log=a%20b%2F%C3%BC",
                    log: "a b/ü", parameters: ["host": "/run/postgresql", "dbname": "diary"]),
                Case(
                    text: "postgres://a.example:1,b.example:2/diary?log=x&sslmode=verify-full",
                    log: "x",
                    parameters: [
                        "host": "a.example,b.example", "port": "1,2", "dbname": "diary",
                        "sslmode": "verify-full",
                    ]),
                Case(
                    text: "postgres://[::1]:5433/diary", log: nil,
                    parameters: ["host": "::1", "port": "5433", "dbname": "diary"]),
                Case(
                    text: "postgres://kim%40x@h/d?log=l%26&application_name=a@b", log: "l&",
                    parameters: [
                        "user": "kim@x", "host": "h", "dbname": "d", "application_name": "a@b",
                    ]),
            ])
        func addresses(_ wanted: Case) throws {
            let address = try PostgresAddress(wanted.text)
            #expect(address.log == wanted.log)
            #expect(address.description == wanted.text)
            #expect(
                Dictionary(uniqueKeysWithValues: address.parameters.map { ($0.name, $0.value) })
                    == wanted.parameters)
        }

        @Test(
            "An address with a password is refused, and the message has no part of it",
            arguments: [
                "postgres://kim:hunter2@db/diary?log=x", "postgres://:hunter2@db/diary",
                "postgres://kim:hunter%322@db/diary", "postgres://db/diary?password=hunter2&log=x",
                "postgres://db/diary?log=x&p%61ssword=hunter2",
                "postgres://db/d?sslpassword=hunter2",
                "postgres://kim:hunter2/x@db/diary", "postgres://kim:hunter2?@db/diary",
                "postgresql://kim:hunter2@a,b/diary",
            ])
        func passwords(_ text: String) throws {
            let error = #expect(throws: PostgresAddress.Invalid.self) { try PostgresAddress(text) }
            let message = try #require(error).description
            #expect(message.contains("PGPASSFILE"))
            #expect(!message.contains("hunter"))
        }

        @Test(
            "What is no address is refused with the reason",
            arguments: [
                ("log.daybook", "begins with postgres://"),
                ("mysql://x/y", "begins with postgres://"),
                ("postgres://h/d?log=", "1 to 255 characters"),
                ("postgres://h/d?log=%zz", "1 to 255 characters"),
                ("postgres://h/d?log=%FF", "1 to 255 characters"),
                ("postgres://h/d?log=%00", "1 to 255 characters"),
                ("postgres://h/d?log=a&log=b", "names two logs"),
                ("postgres://h/d?unknown=1", "unknown"),
                ("postgres://[::1/d", "]"),
            ])
        func refused(_ text: String, _ reason: String) throws {
            let error = #expect(throws: PostgresAddress.Invalid.self) { try PostgresAddress(text) }
            let message = try #require(error).description
            #expect(message.contains(reason))
            #expect(!message.contains("\n"))
        }

        @Test("Paths are no addresses")
        func paths() {
            #expect(PostgresAddress.isAddress("postgres://h/d"))
            #expect(PostgresAddress.isAddress("postgresql://h/d"))
            #expect(!PostgresAddress.isAddress("postgres:/h"))
            #expect(!PostgresAddress.isAddress("/tmp/postgres://x"))
        }
    }
#endif
