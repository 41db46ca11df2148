#if PostgreSQL
    package import Daybook
    package import DaybookLog

    // What is left to do once an erasure is recorded, and how far it reaches.
    extension PostgresStore {
        package func finishErasures() throws(LogError) -> [ErasureReach.Epoch] {
            try LeavingEpochs(tables: tables, keys: vault, standbys: standbys).finish()
        }

        package func note(_ replica: StoreReplica) throws(LogError) {
            var report = tables.about(
                "select daybook.report_replica($1, $2::text::uuid, $3, $4, $5)")
            report.add(Hexadecimal.text(replica.id))
            report.add(String(replica.label.prefix(255)))
            report.add(Int64(clamping: replica.position.rawValue))
            report.add(Int64(clamping: replica.erasedThrough.rawValue))
            try tables.read { (connection) throws(PostgresError) in _ = try connection.run([report])
            }
        }

        package func reach(of erasure: Position) throws(LogError) -> ErasureReach {
            var select = tables.about(
                """
                select replace(r.replica::text, '-', ''), r.label,
                    (extract(epoch from r.heard_at) * 1000000)::bigint
                from daybook.replicas as r
                where r.log = $1 and r.erased_through < $2
                order by r.heard_at, r.replica
                """)
            select.add(Int64(clamping: erasure.rawValue))
            let connected = tables.about(
                """
                select c.name from daybook.connected_standbys() as c
                where not exists (
                    select from daybook.epochs as e
                    where e.log = $1 and c.name = any (e.standbys))
                """)
            var reach = ErasureReach(askedAt: try end().clock)
            reach.replicas = try tables.read { (connection) throws(PostgresError) in
                let result = try connection.run([select])[0]
                var replicas: [ErasureReach.Replica] = []
                for row in 0..<result.rowCount {
                    replicas.append(
                        ErasureReach.Replica(
                            id: try result.text(row, 0), label: try result.text(row, 1),
                            heardAt: Instant(microseconds: try result.integer(row, 2))))
                }
                return replicas
            }
            reach.otherStandbys = try tables.texts(connected)
            return reach
        }
    }
#endif
