import ArgumentParser
import CivilTime
import EventSourcing
import EventStorage

struct Verify: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Check that the log is whole: chain, positions, clocks, payloads, indexes.")

    @OptionGroup var log: LogOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let log = try log.open(.read)
        let catalogue = try catalogue()
        let showsProgress = StandardError.isTerminal
        let result = try answering {
            let head = try log.head()
            return try log.verify(against: catalogue) { position in
                if showsProgress {
                    StandardError.write("\r\(position) of \(head) events", terminator: "")
                }
            }
        }
        if showsProgress { StandardError.write("\r\u{1B}[K", terminator: "") }
        output.json ? showJSON(result) : show(result)
        if !result.isSound { throw Failure(.log) }
    }

    private func show(_ result: Verification) {
        for finding in result.findings {
            print("position \(finding.position): \(finding.rule): \(finding.message)")
        }
        for (kind, count) in result.unknownKinds.sorted(by: { $0.key < $1.key }) {
            print("\(count) events of \(kind), which this program does not know")
        }
        if result.erasedTexts > 0 { print("\(result.erasedTexts) personal texts are erased") }
        print(
            "\(result.isSound ? "sound" : "DAMAGED"): \(result.events) events in "
                + "\(result.commits) commits, head \(Hexadecimal.text(result.head.prefix(8)))")
    }

    private func showJSON(_ result: Verification) {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("ok", result.isSound)
            writer.member("events", Int64(result.events))
            writer.member("commits", Int64(result.commits))
            writer.member("head", Hexadecimal.text(result.head))
            writer.member("erasedTexts", Int64(result.erasedTexts))
            writer.member("unknownKinds") { writer in
                for (kind, count) in result.unknownKinds.sorted(by: { $0.key < $1.key }) {
                    writer.member(kind.name, Int64(count))
                }
            }
            writer.name("findings")
            writer.array { writer in
                for finding in result.findings {
                    writer.object { writer in
                        writer.member("position", Int64(finding.position.rawValue))
                        writer.member("rule", finding.rule)
                        writer.member("message", finding.message)
                    }
                }
            }
        }
        print(writer.text)
    }
}

struct Stat: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show what the log holds, in numbers.")

    @OptionGroup var log: LogOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let log = try log.open(.read)
        let status = try answering { try log.status() }
        guard output.json else { return show(status) }
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("id", status.id)
            writer.member("events", Int64(status.events))
            writer.member("commits", Int64(status.commits))
            writer.member("head", Hexadecimal.text(status.head))
            writer.member("recordedAt", status.recordedAt.map(Timestamp.text))
            writer.member("fileBytes", Int64(status.fileBytes))
            writer.member("mapBytes", Int64(status.mapBytes))
            writer.member("indexedThrough", Int64(status.indexedThrough.rawValue))
            writer.member("tags", Int64(status.tags))
            writer.member("keys", Int64(status.keys))
            writer.member("personalTexts", Int64(status.personalTexts))
            writer.member("kinds") { writer in
                for row in status.kinds {
                    writer.member(row.kind.name, Int64(row.last.rawValue))
                }
            }
        }
        print(writer.text)
    }

    private func show(_ status: LogStatus) {
        print("log              \(status.id)")
        print("events           \(status.events)")
        print("commits          \(status.commits)")
        print("head             \(Hexadecimal.text(status.head))")
        print("last recorded    \(status.recordedAt.map(Timestamp.text) ?? "–")")
        print("file             \(status.fileBytes) bytes")
        print("indexed through  \(status.indexedThrough)")
        print("tags             \(status.tags)")
        print("keys             \(status.keys)")
        print("personal texts   \(status.personalTexts)")
        print("kinds, with the position of their newest event")
        for row in status.kinds { print("  \(row.kind)  \(row.last)") }
    }
}

struct Reindex: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Make the indexes anew from the events.")

    @OptionGroup var log: LogOptions

    func run() throws {
        let log = try log.open(.write)
        try answering { try log.reindex(afresh: true) }
        print("indexed through \(try log.indexedThrough())")
    }
}
