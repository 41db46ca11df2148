import Daybook
import Foundation
import TestSupport
import Testing

@testable import DaybookLog

/// Proofs as a program in another language checks them, by `docs/format.md` alone.
@Suite struct OtherLanguageProofTests {
    /// Checks a proof; with a log too, hashes its commits and compares the root and the tiles.
    static let script = """
        import base64, hashlib, struct, sys
        H = lambda data: hashlib.sha256(data).digest()
        leaf, node = lambda data: H(b"\\0" + data), lambda a, b: H(b"\\1" + a + b)
        def mth(leaves):
            if len(leaves) < 2: return leaves[0] if leaves else H(b"")
            k = 1 << (len(leaves) - 1).bit_length() - 1
            return node(mth(leaves[:k]), mth(leaves[k:]))
        # RFC 9162, sections 2.1.3.2 and 2.1.4.2.
        def included(h, fn, size, path):
            sn = size - 1
            assert 0 <= fn < size
            for p in path:
                assert sn
                if fn & 1 or fn == sn:
                    h = node(p, h)
                    while not fn & 1 and fn: fn, sn = fn >> 1, sn >> 1
                else:
                    h = node(h, p)
                fn, sn = fn >> 1, sn >> 1
            assert sn == 0
            return h
        def consistent(old, new, root, path):
            if old == new: return (root, root) if not path else None
            if old & old - 1 == 0: path = [root] + path
            fn, sn = old - 1, new - 1
            while fn & 1: fn, sn = fn >> 1, sn >> 1
            fr = sr = path[0]
            for c in path[1:]:
                assert sn
                if fn & 1 or fn == sn:
                    fr, sr = node(c, fr), node(c, sr)
                    while not fn & 1 and fn: fn, sn = fn >> 1, sn >> 1
                else:
                    sr = node(sr, c)
                fn, sn = fn >> 1, sn >> 1
            assert sn == 0
            return fr, sr
        def event_data(position, kind, zone, row):
            return struct.pack("<QHH", position, len(kind), len(zone)) + kind + zone + row
        def commit_data(log, number, first, events, row):
            return log + struct.pack("<QQ", number, first) + events + row

        body, _, note = open(sys.argv[1], encoding="utf-8").read().partition("\\n\\n")
        note, _, signatures = note.partition("\\n\\n")
        lines = body.split("\\n")
        assert lines[0] == "daybook-proof-v1"
        f = dict(line.split(" ", 1) for line in lines[1:])
        raw = lambda text: base64.b64decode(text, validate=True)
        hashes = lambda name: [] if f[name] == "-" else [raw(h) for h in f[name].split(" ")]
        origin, size, root = note.rstrip("\\n").split("\\n")
        size, root, log = int(size), raw(root), bytes.fromhex(origin[len("daybook/"):])
        position, first, row = int(f["position"]), int(f["first"]), raw(f["commit"])
        count = struct.unpack_from("<I", row, 8)[0]
        zone = b"" if f["zone"] == "-" else f["zone"].encode()
        h = leaf(event_data(position, f["kind"].encode(), zone, raw(f["event"])))
        events = included(h, position - first, count, hashes("event-path"))
        index = int(f["index"])
        assert included(leaf(commit_data(log, index, first, events, row)), index, size,
                        hashes("path")) == root
        def newest(name, size, root):
            position, chain = f[name].split(":")
            row = raw(f[name + "-commit"])
            first = int(position) - struct.unpack_from("<I", row, 8)[0] + 1
            assert row[16:48].hex() == chain
            data = commit_data(log, size - 1, first, raw(f[name + "-events"]), row)
            assert included(leaf(data), size - 1, size, hashes(name + "-path")) == root
        newest("head", size, root)
        if "since" in f:
            old, old_root = int(f["since-size"]), raw(f["since-root"])
            newest("since", old, old_root)
            assert consistent(old, size, old_root, hashes("since-consistency")) == (old_root, root)
        print("position", position, "of", size, "root", root.hex())

        for line in signatures.splitlines():
            mark, name, signature = line.split(" ")
            signature, key = raw(signature), bytes.fromhex(sys.argv[3])
            assert (mark, name) == ("\\u2014", origin)
            assert signature[:4] == H(name.encode() + b"\\n\\1" + key)[:4]
            try:
                from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
            except ImportError:
                print("signature not checked")
            else:
                Ed25519PublicKey.from_public_bytes(key).verify(signature[4:], (note + "\\n").encode())
                print("signature checked")

        if len(sys.argv) > 2 and sys.argv[2] != "-":
            import lmdb
            env = lmdb.open(sys.argv[2], subdir=False, readonly=True, max_dbs=32)
            table = lambda name: env.open_db(name, create=False, integerkey=True)
            tables = [table(name) for name in (b"names", b"events", b"commits", b"tree")]
            number = lambda key: struct.unpack("<Q", key)[0]
            with env.begin() as txn:
                rows = [[(number(k), v[:-8]) for k, v in txn.cursor(t)] for t in tables]
            names, events, commits, tree = [dict(r) for r in rows]
            text = lambda row: names[row][9:] if row else b""
            leaves = []
            for first, row in sorted(commits.items()):
                count = struct.unpack_from("<I", row, 8)[0]
                hashes = [leaf(event_data(p, *map(text, struct.unpack_from("<HH", events[p], 16)),
                                          events[p])) for p in range(first, first + count)]
                leaves.append(leaf(commit_data(log, len(leaves), first, mth(hashes), row)))
            assert mth(leaves) == root and len(leaves) == size
            stored, through = struct.unpack("<QQ", tree.pop(2**64 - 1))
            assert stored == size and through == max(events)
            level, below, starts = 0, leaves, sorted(commits)
            while below:
                for tile in range(0, len(below), 256):
                    row = tree.pop(level << 56 | tile // 256)
                    assert row[:8] == struct.pack("<Q", starts[tile * 256 ** level])
                    assert row[8:] == b"".join(below[tile:tile + 256]), (level, tile)
                full = len(below) // 256
                below = [mth(below[256 * t:256 * t + 256]) for t in range(full)]
                level += 1
            assert not tree, tree.keys()
            print("tree", size)
        """

    @Test("Python checks a proof and its signature")
    func pythonChecksIt() throws {
        let folder = try TemporaryFolder()
        let log = try EventLog(path: folder.path("log"), access: .create)
        try log.appendNotes(0..<40)
        let key = try HeadSigningKey(pem: Array(ExampleKeys.privatePEM.utf8))
        let root = Hexadecimal.text(try log.proofs.note().root)
        for (position, size) in [(1, 1), (30, 17), (79, 40)] as [(UInt64, UInt64)] {
            let proof = try log.proofs.proof(of: Position(position), since: .commits(size))
            let answer = try check("\(try proof.signed(by: key))", folder, "-")
            #expect(answer.code == 0, "\(answer)")
            #expect(answer.out.hasPrefix("position \(position) of 40 root \(root)\nsignature "))
        }
        let text = "\(try log.proofs.proof(of: Position(5)))"
        let false1 = try check(text.replacing("position 5\n", with: "position 6\n"), folder, "-")
        #expect(false1.code != 0)
    }

    @Test(
        "Python hashes the log to the root of a proof, and finds the tiles in the file",
        .enabled(if: Python.hasLMDB, "needs Python's lmdb package"))
    func pythonReadsTheTree() throws {
        let folder = try TemporaryFolder()
        let text: String
        do {
            let log = try EventLog(path: folder.path("log"), access: .create)
            try log.appendNotes(0..<300)
            try log.reindex(afresh: true)
            text = "\(try log.proofs.proof(of: Position(300), since: .commits(256)))"
        }
        let answer = try check(text, folder, folder.path("log"))
        #expect(answer.code == 0, "\(answer)")
        #expect(answer.out.hasSuffix("\ntree 300\n"))
    }

    private func check(
        _ proof: String, _ folder: TemporaryFolder, _ log: String
    ) throws -> Program.Answer {
        let file = folder.path("proof")
        try Data(proof.utf8).write(to: URL(fileURLWithPath: file))
        return try Python.run(Self.script, [file, log, Self.publicKey])
    }

    private static let publicKey =
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"
}
