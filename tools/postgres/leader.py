"""The leader of a process: one thread appends what came while the last transaction ran."""
import threading

import writer
from writer import FORBIDDEN


class Leader:
    def __init__(self, address, log, most=1000):
        self.writer = writer.Writer(address, log)
        self.most = most
        self.waiting, self.is_leading = [], False
        self.monitor = threading.Condition()

    def append(self, request):
        """Appends a request, or gives it its outcome; by this thread or by that of another request."""
        with self.monitor:
            self.waiting.append(request)
            while request.outcome is None:
                if self.is_leading:
                    self.monitor.wait()
                    continue
                self.is_leading = True
                batch, self.waiting = self.waiting[:self.most], self.waiting[self.most:]
                self.monitor.release()
                try:
                    self.write(batch)
                finally:
                    self.monitor.acquire()
                    self.is_leading = False
                    self.monitor.notify_all()
        return request

    def write(self, batch):
        """Appends a batch, of which no request is forbidden by an earlier one of the batch.

        The server looks at stored events only. A request whose condition an earlier request of the
        batch breaks must be decided again, even if that one is not written in the end.
        """
        tags, kinds = {}, {}
        free = []
        for request in batch:
            if any(self.is_broken(item, tags, kinds) for item in request.items):
                request.outcome, request.place = FORBIDDEN, self.writer.end.position
                continue
            for index, (kind, of_event, _) in enumerate(request.events):
                event = (len(free), index)
                kinds.setdefault(kind, set()).add(event)
                kinds.setdefault(None, set()).add(event)
                for tag in of_event:
                    tags.setdefault(tag, set()).add(event)
            free.append(request)
        if free:
            self.writer.append(free)

    def is_broken(self, item, tags, kinds):
        """True if an event of the batch has one of the item's kinds and all of its tags."""
        names = {number: kind for kind, number in self.writer.names.items()}
        wanted = [names[n] for n in item.kinds if n in names] if item.kinds else [None]
        events = set().union(*(kinds.get(kind, set()) for kind in wanted))
        for tag in item.tags:
            events &= tags.get(tag, set())
        return bool(events)
