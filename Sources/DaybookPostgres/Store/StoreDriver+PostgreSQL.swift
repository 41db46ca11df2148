#if PostgreSQL
    import Daybook
    public import DaybookLog

    extension StoreDriver {
        /// Access to logs in databases of PostgreSQL.
        ///
        ///     ReplayTool.main([Lending.self], store: .postgreSQL)
        public static let postgreSQL = StoreDriver(
            connect: { (address, keys) throws(LogError) in
                try PostgresStore(try parsed(address), keys: keys?.source)
            },
            install: { (address) throws(LogError) in
                let address = try parsed(address)
                return StoreInstallation(
                    isNew: try SchemaInstallation.install(at: address),
                    advice: try SchemaInstallation.advice(at: address))
            },
            logs: { (address) throws(LogError) in
                try PostgresStore.logs(at: try parsed(address))
            },
            createLog: { (address, keys) throws(LogError) in
                try PostgresStore.createLog(at: try parsed(address), keys: keys.source)
            },
            fill: { (address, keys, log) throws(LogError) in
                try PostgresStore.toFill(at: try parsed(address), keys: keys.source, from: log)
            })

        private static func parsed(_ text: String) throws(LogError) -> PostgresAddress {
            do throws(PostgresAddress.Invalid) {
                return try PostgresAddress(text)
            } catch {
                throw .store(.address(reason: error.description))
            }
        }
    }

    extension StoreKeySource {
        /// The keys of epochs from the file or command.
        fileprivate var source: any EpochKeySource {
            switch self {
            case .file(let path): EpochKeyFile(path)
            case .command(let command): EpochKeyCommand(command)
            }
        }
    }
#else
    public import DaybookLog

    extension StoreDriver {
        /// Access to logs in databases of PostgreSQL.
        @available(
            *, unavailable,
            message: "turn on the trait 'PostgreSQL' of the package 'daybook' to use it"
        )
        public static var postgreSQL: StoreDriver { preconditionFailure() }
    }
#endif
