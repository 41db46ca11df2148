"""Small file systems that can be filled, and a server on one."""
import atexit
import os

import processes
import server as servers


class SmallDisk:
    """A file system in memory on a folder, of a few megabytes."""

    def __init__(self, folder, megabytes):
        self.folder = folder
        made = processes.run(["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", folder])
        if made.code != 0:
            raise OSError(str(made))
        self.is_mounted = True
        atexit.register(self.unmount)

    def fill(self):
        """Takes all space that is left."""
        with open(os.path.join(self.folder, "ballast"), "ab", buffering=0) as file:
            for size in (1 << 20, 1 << 12):
                try:
                    while file.write(bytes(size)) == size:
                        pass
                except OSError:
                    pass

    def free(self):
        try:
            os.remove(os.path.join(self.folder, "ballast"))
        except FileNotFoundError:
            pass

    def unmount(self):
        if self.is_mounted:
            processes.run(["umount", "-l", self.folder])
            self.is_mounted = False

    @staticmethod
    def is_possible():
        """True if this user may mount one."""
        try:
            SmallDisk(processes.temporary("daybook-disk-"), 1).unmount()
            return True
        except OSError:
            return False


class SmallServer(servers.Server):
    """A server whose data folder is on a small disk."""

    MEGABYTES = 320
    OPTIONS = ["max_wal_size = '96MB'", "min_wal_size = '32MB'", "wal_keep_size = 0"]

    def __init__(self):
        super().__init__(self.OPTIONS)

    def make_folder(self):
        super().make_folder()
        self.disk = SmallDisk(self.folder, self.MEGABYTES)

    def stop(self):
        super().stop()
        self.disk.unmount()
