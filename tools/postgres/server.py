"""A PostgreSQL server of its own in a temporary folder, with the schema of Sources/DaybookPostgres.

It listens on a socket in the folder and on no port. As root, it runs as the user `postgres`.
"""
import glob
import os
import pwd
import shutil
import signal

import pq
import processes
from processes import ROOT, STDOUT, temporary

SCHEMA = os.path.join(ROOT, "Sources", "DaybookPostgres", "Schema")


def programs():
    """The folder with initdb and postgres, newest version first; None if there is none."""
    for folder in sorted(glob.glob("/usr/lib/postgresql/*/bin"), reverse=True):
        if os.path.exists(os.path.join(folder, "initdb")):
            return folder
    return os.path.dirname(shutil.which("initdb") or "") or None


def is_answered(address):
    """True where somebody answers at an address."""
    try:
        pq.Connection(address).close()
        return True
    except pq.Failed:
        return False


class Server:
    def __init__(self, options=()):
        self.place()
        self.run("initdb", "-D", self.data, "-U", "daybook", "--auth=trust", "-E", "UTF8",
                 "--locale=C")
        self.configure([
            "listen_addresses = ''", f"unix_socket_directories = '{self.folder}'",
            "max_connections = 200", "shared_buffers = '128MB'", "max_wal_size = '2GB'", *options])
        self.start()
        with pq.Connection(self.address("postgres")) as connection:
            connection.run("create database logs encoding 'UTF8'")

    def place(self):
        """Makes the temporary folder."""
        self.bin, self.process = programs(), None
        self.make_folder()
        self.data = os.path.join(self.folder, "data")
        self.user = "postgres" if os.getuid() == 0 else None
        if self.user:
            account = pwd.getpwnam(self.user)
            os.chown(self.folder, account.pw_uid, account.pw_gid)

    def make_folder(self):
        self.folder = temporary("daybook-postgres-")

    def configure(self, lines):
        with open(os.path.join(self.data, "postgresql.conf"), "a", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")

    def standby(self, name):
        """A server that follows this one under a name; it is complete up to now."""
        other = type(self).__new__(type(self))
        other.place()
        self.run("pg_basebackup", "-D", other.data, "-R", "-c", "fast", "-d",
                 f"host={self.folder} user=daybook application_name={name}")
        other.configure([f"unix_socket_directories = '{other.folder}'"])
        other.start()
        return other

    def run(self, program, *arguments):
        return processes.run([os.path.join(self.bin, program), *arguments], user=self.user,
                             cwd=self.folder, stderr=STDOUT).needs().text

    def address(self, database="logs", user="daybook"):
        return f"host={self.folder} dbname={database} user={user} connect_timeout=5"

    def start(self):
        with open(os.path.join(self.folder, "log"), "ab") as log:
            def is_there():
                if self.process is None or self.process.poll() is not None:
                    # Again, if children of a killed server still held its memory.
                    self.process = processes.start(
                        [os.path.join(self.bin, "postgres"), "-D", self.data], user=self.user,
                        cwd=self.folder, stdout=log, stderr=log)
                return is_answered(self.address("postgres"))

            if not processes.wait_until(is_there, pause=0.05):
                raise SystemExit(f"the server does not start; see {log.name}")

    def install(self):
        """Runs the files of the schema in one transaction."""
        script = ["set client_min_messages = warning;", "begin;"]
        for path in sorted(glob.glob(os.path.join(SCHEMA, "*.sql"))):
            with open(path, encoding="utf-8") as file:
                script.append(file.read())
        with pq.Connection(self.address()) as connection:
            connection.run("\n".join(script + ["commit;"]))

    def crash(self):
        """Kills the server and all its processes at once, and starts it again."""
        self.kill()
        self.start()

    def kill(self):
        """Kills the server and all its processes, which are in sessions of their own."""
        # Stopped first, so that it starts none meanwhile.
        self.process.send_signal(signal.SIGSTOP)
        for number in [*self.children(), self.process.pid]:
            try:
                os.kill(number, signal.SIGKILL)
            except ProcessLookupError:
                pass
        self.process.wait()

    def children(self):
        """The numbers of the processes that the server has started."""
        try:
            with open(f"/proc/{self.process.pid}/task/{self.process.pid}/children",
                      encoding="ascii") as file:
                return [int(number) for number in file.read().split()]
        except OSError:
            return []

    def stop(self):
        processes.end(self.process)
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()
