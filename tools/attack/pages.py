"""The pages of an LMDB file (0.9, 64 bit): their uses, and the bytes that matter.

Damage in bytes without meaning (gaps in pages, free pages, the fallback of the older meta page)
changes no answer and is fine; damage in any other byte has to be found.
"""

import struct

PAGE = 4096
HEADER = 16
BRANCH, LEAF, OVERFLOW, META, LEAF2, SUBPAGE = 1, 2, 4, 8, 0x20, 0x40
BIG, SUBTREE, DUPLICATES = 1, 2, 4
NONE = (1 << 64) - 1
MAGIC = 0xBEEFC0DE
TREE = struct.Struct("<IHHQQQQQ")


class Tree:
    """A row of a table of trees: flags, depth, root."""

    def __init__(self, data):
        (self.pad, self.flags, self.depth, self.branches, self.leaves, self.overflows,
         self.entries, self.root) = TREE.unpack(data)


class Meta:
    def __init__(self, data, number):
        offset = number * PAGE + HEADER
        self.number = number
        self.magic, self.version, self.address, self.mapsize = struct.unpack_from(
            "<IIQQ", data, offset)
        self.free = Tree(data[offset + 24:offset + 72])
        self.main = Tree(data[offset + 72:offset + 120])
        self.last, self.transaction = struct.unpack_from("<QQ", data, offset + 120)


class Pages:
    """A walk over an intact file: the role of each page, and its bytes that matter."""

    def __init__(self, data):
        self.data = data
        self.count = len(data) // PAGE
        self.roles = {}
        self.telling = {}
        self.tables = {}
        metas = [Meta(data, 0), Meta(data, 1)]
        self.meta = max(metas, key=lambda meta: meta.transaction)
        for meta in metas:
            start = HEADER
            page = [(8, 12), (start, start + 8), (start + 128, start + 136)]
            if meta is self.meta:
                # All but the address of a fixed map and the size of the map.
                page += [(start + 24, start + 128)]
            if meta.transaction == 0 and meta is not self.meta:
                page = [(8, 12), (start, start + 8), (start + 128, start + 136)]
            self.take(meta.number, "meta" if meta is self.meta else "older meta", page)
        self.table_of = None
        self.walk(self.meta.free.root, "free list")
        self.walk(self.meta.main.root, "main")

    def take(self, number, role, ranges):
        if number in self.roles:
            raise ValueError(f"page {number} is used twice")
        self.roles[number] = role
        self.telling[number] = sorted(ranges)

    def page(self, number):
        return self.data[number * PAGE:(number + 1) * PAGE]

    def walk(self, root, role, is_subtree=False):
        if root == NONE:
            return
        page = self.page(root)
        pad, flags, lower, upper = struct.unpack_from("<HHHH", page, 8)
        count = (lower - HEADER) // 2
        ranges = [(0, 8), (10, 16)]
        if flags & LEAF2:
            ranges += [(8, 10), (HEADER, HEADER + count * pad)]
            self.take(root, f"{role} set", ranges)
            return
        ranges.append((HEADER, lower))
        below = []
        for index in range(count):
            at, = struct.unpack_from("<H", page, HEADER + 2 * index)
            low, high, node_flags, key_size = struct.unpack_from("<HHHH", page, at)
            size = low | high << 16
            start = at + 8
            if flags & BRANCH:
                below.append((size | node_flags << 32, None))
                # The first key of a branch is never compared.
                ranges.append((at, at + 6 if index == 0 else start + key_size))
                continue
            ranges.append((at, start + key_size))
            data = start + key_size
            if node_flags & BIG:
                ranges.append((data, data + 8))
                below.append((struct.unpack_from("<Q", page, data)[0], size))
            elif node_flags & SUBTREE:
                ranges.append((data, data + size))
                tree = Tree(page[data:data + 48])
                name = role
                if role == "main" and not node_flags & DUPLICATES:
                    name = page[start:start + key_size].decode("utf-8", "replace")
                    self.tables[name] = tree
                self.walk(tree.root, name)
            elif node_flags & DUPLICATES:
                ranges += self.set_ranges(page, data)
            else:
                ranges.append((data, data + size))
        self.take(root, f"{role} {'branch' if flags & BRANCH else 'leaf'}", ranges)
        for number, size in below:
            if size is None:
                self.walk(number, role)
            else:
                self.overflow(number, size, role)

    def set_ranges(self, page, at):
        """A small set of values inside a leaf: a page in a page."""
        pad, flags, lower, _ = struct.unpack_from("<HHHH", page, at + 8)
        count = (lower - HEADER) // 2
        ranges = [(at + 10, at + 14)]
        if flags & LEAF2:
            return ranges + [(at + 8, at + 10), (at + HEADER, at + HEADER + count * pad)]
        ranges.append((at + HEADER, at + lower))
        for index in range(count):
            node, = struct.unpack_from("<H", page, at + HEADER + 2 * index)
            size, = struct.unpack_from("<H", page, at + node + 6)
            ranges.append((at + node + 6, at + node + 8 + size))
        return ranges

    def overflow(self, number, size, role):
        pages, = struct.unpack_from("<I", self.data, number * PAGE + 12)
        self.take(number, f"{role} overflow",
                  [(0, 8), (10, 16), (HEADER, min(PAGE, HEADER + size))])
        rest = HEADER + size - PAGE
        for following in range(1, pages):
            self.take(number + following, f"{role} overflow",
                      [(0, min(PAGE, max(rest, 0)))])
            rest -= PAGE

    @property
    def used(self):
        """Used pages but for the meta pages."""
        return [number for number in self.roles if number > 1]

    def of_kind(self, kind):
        return [number for number in self.used if self.roles[number].endswith(" " + kind)]

    def nodes(self, number):
        """Where the nodes of a leaf or branch page begin."""
        page = self.page(number)
        lower, = struct.unpack_from("<H", page, 12)
        count = (lower - HEADER) // 2
        return [struct.unpack_from("<H", page, HEADER + 2 * index)[0] for index in range(count)]

    def changes(self, other):
        """The pages in which `other` differs in a byte that matters."""
        changed = []
        for number, ranges in self.telling.items():
            before = self.page(number)
            after = other[number * PAGE:(number + 1) * PAGE]
            if before == after:
                continue
            if any(before[start:end] != after[start:end] for start, end in ranges):
                changed.append(number)
        return sorted(changed)

    def differing(self, other, number):
        """The bytes of a page that matter and differ in `other`."""
        before = self.page(number)
        after = other[number * PAGE:(number + 1) * PAGE].ljust(PAGE, b"\0")
        return [
            place for start, end in self.telling[number] for place in range(start, end)
            if before[place] != after[place]]
