#if PostgreSQL
    import DaybookLog
    import DaybookPostgres
    import DaybookReplayProgram

    /// The program `replay-postgres`: `replay` with access to logs in PostgreSQL.
    @main
    enum ReplayPostgres {
        static func main() { ReplayProgram.main(store: .postgreSQL) }
    }
#else
    import DaybookLibC

    /// The program `replay-postgres` of a build without the trait `PostgreSQL`.
    @main
    enum ReplayPostgres {
        static func main() {
            let message =
                "replay-postgres: this program was built without access to PostgreSQL; build it "
                + "with 'swift build --traits PostgreSQL --product replay-postgres', which needs "
                + "libpq-dev\n"
            let bytes = Array(message.utf8)
            _ = unsafe write(STDERR_FILENO, bytes, bytes.count)
            exit(2)
        }
    }
#endif
