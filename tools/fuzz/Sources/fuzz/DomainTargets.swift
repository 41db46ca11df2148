import DaybookModel
import Foundation

@testable import Daybook

private let kinds: [EventDescription] = catalogue.events.values.sorted {
    $0.kind.name < $1.kind.name
}

/// Payloads of every kind, alone and one after the other through every projection.
nonisolated(unsafe) let domainTargets: [Target] = [
    Target("payload", seeds: payloads, decode: decodePayload),
    Target("history", seeds: histories, decode: foldHistory),
]

/// The number of a kind and a payload of it.
private func payloads() -> [[UInt8]] {
    kinds.enumerated().flatMap { number, kind in
        (1...3).map { seed in
            var sampler = Sampler(seed: UInt64(seed))
            return [UInt8(truncatingIfNeeded: number)] + kind.sample(&sampler)
        }
    }
}

/// Each payload with its number and its length before it.
private func histories() -> [[UInt8]] {
    let parts = payloads().map { part in
        [part[0], UInt8(truncatingIfNeeded: part.count - 1)] + part.dropFirst()
    }
    return stride(from: 0, to: parts.count, by: 6).map { Array(parts[$0...].prefix(12).joined()) }
}

private func decodePayload(_ bytes: [UInt8]) -> Int {
    guard let first = bytes.first else { return 0 }
    let kind = kinds[Int(first) % kinds.count]
    let payload = Array(bytes.dropFirst())
    let span = payload.span.bytes
    guard let json = try? kind.json(payload, { _ in nil }) else { return 0 }
    let leaves = (try? kind.leaves(span) { _ in nil })?.count ?? 0
    let tags = (try? kind.tags(span))?.count ?? 0
    let seals = (try? kind.inspect(span))?.seals.count ?? 0
    // What was printed can be read again, or is refused with a reason.
    if let tree = try? JSONParser.parse(json.utf8) {
        return (try? kind.read(tree, "data", .standard))?.payload.count ?? leaves
    }
    return leaves + tags + seals
}

/// Folds a history of any payloads: states may say anything, but no fold may trap.
private func foldHistory(_ bytes: [UInt8]) -> Int {
    var events: [RecordedEvent] = []
    var rest = bytes[...]
    while rest.count > 2, events.count < 40 {
        let kind = kinds[Int(rest.removeFirst()) % kinds.count]
        let count = min(Int(rest.removeFirst()), rest.count)
        let payload = Array(rest.prefix(count))
        rest = rest.dropFirst(count)
        let position = UInt64(events.count + 1)
        guard let tags = try? kind.tags(payload.span.bytes) else { continue }
        events.append(
            RecordedEvent(
                envelope: Envelope(
                    position: Position(position),
                    occurredAt: Instant(microseconds: Int64(position)),
                    recordedAt: Instant(microseconds: Int64(position)), offsetS: 0),
                kind: kind.kind, tags: tags, zone: "UTC", payload: payload))
    }
    var sum = 0
    for projection in catalogue.projections.values {
        for rules in projection.rules {
            var fold = projection.fold(rules)
            for event in events where projection.kinds.contains(event.kind) {
                do {
                    try fold.apply(try catalogue.upcast(event))
                } catch {
                    break
                }
            }
            sum &+= fold.json.utf8.count &+ fold.leaves.count
        }
    }
    return sum
}
