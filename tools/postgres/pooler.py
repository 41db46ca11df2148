"""64 contenders behind PgBouncer in transaction mode, with eight connections to the server."""
import os
import shutil

import processes
import races
from server import is_answered


class Pooler:
    def __init__(self, server):
        self.folder, self.server = os.path.join(server.folder, "pooler"), server
        os.mkdir(self.folder)
        path = os.path.join(self.folder, "pgbouncer.ini")
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"""[databases]
logs = host={server.folder} dbname=logs user=daybook
[pgbouncer]
listen_addr =
listen_port = 5432
unix_socket_dir = {self.folder}
auth_type = any
pool_mode = transaction
default_pool_size = 8
max_client_conn = 200
""")
        if server.user:
            shutil.chown(self.folder, server.user)
        self.process = processes.start(
            [shutil.which("pgbouncer", path="/usr/sbin:/usr/bin"), "-q", path], user=server.user,
            stdout=processes.DEVNULL, stderr=processes.DEVNULL)
        if not processes.wait_until(lambda: is_answered(self.address())):
            raise SystemExit("pgbouncer does not start")

    def address(self):
        return f"host={self.folder} dbname=logs user=daybook connect_timeout=5"

    def stop(self):
        processes.end(self.process)


class Pooled:
    """The server, reached through the pooler."""

    def __init__(self, pooler):
        self.address = pooler.address


def run(server, expect, seed, seconds):
    if not shutil.which("pgbouncer", path="/usr/sbin:/usr/bin"):
        return "skipped, PgBouncer is not installed; "
    pooler = Pooler(server)
    try:
        return races.run(Pooled(pooler), expect, seed, seconds)
    finally:
        pooler.stop()
