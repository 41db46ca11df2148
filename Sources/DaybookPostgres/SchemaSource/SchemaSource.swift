// Written by tools/postgres-schema from the files in Schema; edit those.

#if PostgreSQL
    /// The files of SQL that make the tables and functions of logs.
    enum SchemaSource {
        /// All files, in the order in which they are run.
        static let all = [tables, bytes, append, read, epochs, erase, logs, roles]
    }
#endif
