import Daybook
import DaybookModel
import Foundation

@testable import DaybookLog

/// Decoders of rows of a log: commits, events, names, indexes, snapshots.
nonisolated(unsafe) let storedTargets: [Target] = [
    Target(
        "commit",
        seeds: { [[UInt8](repeating: 0, count: 96), commit] },
        decode: { bytes in
            (try? CommitRecord(decoding: bytes.span.bytes))?.metadata.actor.utf8.count ?? 0
        }),
    Target(
        "header",
        seeds: { [[UInt8](repeating: 0, count: 32)] },
        decode: { bytes in
            (try? EventHeader(decoding: bytes.span.bytes))?.tagCount.hashValue ?? 0
        }),
    Target(
        "name",
        seeds: { [Array("k\0\0\0\0\0\0\0\0a.b.v1".utf8), Array("z\0\0\0\0\0\0\0\0UTC".utf8)] },
        decode: { bytes in (try? Name(decoding: bytes.span.bytes))?.text.utf8.count ?? 0 }),
    Target(
        "head-line",
        seeds: { [Array(Head.origin.description.utf8), Array(signedHead.utf8)] },
        decode: { bytes in
            let line = String(decoding: bytes, as: UTF8.self)
            if let head = SignedHead(line) {
                precondition(Array(head.description.utf8) == bytes, "A signed head has one form")
            }
            guard let head = Head(line) else { return 0 }
            precondition(Array(head.description.utf8) == bytes, "A head has one form")
            return head.chain.count
        }),
    Target(
        "proof",
        seeds: { [Array(proof.description.utf8)] },
        decode: { bytes in
            guard let proof = try? EventProof(parsing: bytes) else { return 0 }
            precondition(Array(proof.description.utf8) == bytes, "A proof has one form")
            return (try? proof.check())?.event.tags.count ?? 0
        }),
    Target(
        "tree-tile",
        seeds: { [TreeTile().bytes + [UInt8](repeating: 1, count: 64), TreeState().bytes] },
        decode: { bytes in
            let size = (try? TreeState(decoding: bytes.span.bytes))?.size.hashValue ?? 0
            let count = UInt64(max(0, bytes.count - 8) / 32)
            let tile = try? TreeTile(decoding: bytes.span.bytes, count: count)
            return size &+ (tile?.hashes.count ?? 0)
        }),
    Target(
        "person",
        seeds: { [PersonRow(slot: 1).bytes] },
        decode: { bytes in
            (try? PersonRow(decoding: bytes.span.bytes))?.sealedName.count ?? 0
        }),
    Target(
        "text-row",
        seeds: { [TextRow.erased.bytes, [1, 0, 0, 0] + [UInt8](repeating: 0, count: 60)] },
        decode: { bytes in (try? TextRow(decoding: bytes.span.bytes))?.sealed.count ?? 0 }),
    Target(
        "index-block",
        seeds: { [IndexBlock.bytes([3, 5, 900][...], after: 1)].map { number(900) + $0 } },
        decode: { bytes in
            guard bytes.count > 8 else { return 0 }
            let last = bytes[..<8].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            var count = 0
            _ = try? IndexBlock.forEach(Array(bytes[8...]).span.bytes, endingAt: last) { _ in
                count += 1
                return true
            }
            return count
        }),
    Target(
        "index-summary",
        seeds: { [IndexSummary(last: 9, count: 3).bytes] },
        decode: { bytes in
            (try? IndexSummary(decoding: bytes.span.bytes))?.count.hashValue ?? 0
        }),
    Target(
        "snapshot",
        seeds: { states.map { [0] + [UInt8](repeating: 0, count: 40) + $0 } },
        decode: { bytes in
            guard let first = bytes.first else { return 0 }
            let value = Array(bytes.dropFirst())
            let key = Array("p\0\0id\0".utf8) + [UInt8](repeating: 0, count: 8)
            let snapshot = Snapshot(
                "p", .standard, key: key.span.bytes, value: value.span.bytes)
            return restore(first, snapshot?.state ?? [])
        }),
    Target(
        "state",
        seeds: { states.enumerated().map { [UInt8(truncatingIfNeeded: $0.offset)] + $0.element } },
        decode: { bytes in restore(bytes.first ?? 0, Array(bytes.dropFirst())) }),
]

private func number(_ value: UInt64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
}

/// A line in the form of a signed head, under no key.
private var signedHead: String {
    let chain = String(repeating: "a1", count: 32)
    let signature = Base64.text([UInt8](repeating: 7, count: 64))
    let id = String(repeating: "0f", count: 16)
    return "daybook-head-v1 \(id) 12:\(chain) 2026-03-03T00:00:00Z \(signature)"
}

/// A proof of the only event of a log; its root is not the one to which the event leads.
private var proof: EventProof {
    let hash = [UInt8](repeating: 5, count: 32)
    var row = [UInt8](repeating: 0, count: 128)
    (row[8], row[12]) = (1, 1)
    let commit = ProvenCommit(number: 0, first: 1, eventsRoot: hash, row: row, path: [hash])
    return EventProof(
        position: Position(1), kind: "a.b.v1", zone: "UTC",
        row: [UInt8](repeating: 0, count: EventHeader.byteCount), path: [], commit: commit,
        head: commit, earlier: nil,
        note: TreeNote(log: [UInt8](repeating: 7, count: 16), size: 2, root: hash))
}

private var commit: [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 96)
    bytes[8] = 1
    bytes[88] = 3
    return bytes + Array("ana".utf8)
}

private var projections: [ProjectionDescription] {
    catalogue.projections.values.sorted { $0.name < $1.name }
}

private var states: [[UInt8]] { projections.map { $0.fold(.standard).bytes } }

/// A state of some projection from its binary form, as snapshots keep it.
private func restore(_ number: UInt8, _ bytes: [UInt8]) -> Int {
    let projections = projections
    var fold = projections[Int(number) % projections.count].fold(.standard)
    guard (try? fold.restore(bytes.span.bytes)) != nil else { return 0 }
    return fold.json.utf8.count + fold.answer.utf8.count + fold.bytes.count
}
