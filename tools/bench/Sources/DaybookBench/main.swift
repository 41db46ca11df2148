import Foundation

let usage = """
    usage: daybook-bench [--events N] [--dir PATH] [--only ROW]
      --events N   events in the log that the reading rows use (default 1000000)
      --dir PATH   where the logs go; not in memory (default: a folder beside the build)
      --only ROW   one row: 1 … 10, babies, commands, proofs, questions,
                   replicas, runs or view
      --babies N   babies with a year of entries each in the log of the row 'babies'
                   (default 100)
      --runners N  runners with a run in each of ten weeks in the log of the row 'runs'
                   (default 100000)
      --devices N  devices with equally many events in the log of the row 'questions'
                   (default 1000)
      --rows N     rows of the imported files of the row 'commands' (default 100000)
      --replay P   the binary whose commands those rows time (default: the release build)
    usage: daybook-bench --turn STORE single|batches|writers|clients|pull COMMITS TARGET
      STORE is daybook or c, where TARGET is a folder, or postgres or postgres-by-4,
      where it is a folder, a colon and the folder of the server's socket; one measurement on a new log, for `tools/bench/run --peers`; prints events and seconds
    usage: daybook-bench --machine FOLDER COMMAND …
      describes the machine for the table of a command; refuses a folder in memory
    usage: daybook-bench --print-events N
      the first N events of the benchmark, a line each: kind, microseconds, payload in
      hexadecimal digits and three tags, with tabs between them
    """

func run() throws {
    var events = 1_000_000
    var folder = ""
    var only: String?
    var babies = 100
    var runners = 100_000
    var devices = 1_000
    var importedRows = 100_000
    var replay = Commands.builtReplay
    var arguments = CommandLine.arguments.dropFirst()
    while let argument = arguments.popFirst() {
        switch (argument, arguments.popFirst()) {
        case ("--events", let value?):
            guard let count = Int(value), count >= 1_000 else {
                throw Failed(description: "--events is a count from 1000 up")
            }
            events = count
        case ("--dir", let value?): folder = value
        case ("--only", let value?): only = value
        case ("--babies", let value?):
            guard let count = Int(value), count >= 1 else {
                throw Failed(description: "--babies is a count from 1 up")
            }
            babies = count
        case ("--runners", let value?):
            guard let count = Int(value), count >= 100 else {
                throw Failed(description: "--runners is a count from 100 up")
            }
            runners = count
        case ("--devices", let value?):
            guard let count = Int(value), count >= 100 else {
                throw Failed(description: "--devices is a count from 100 up")
            }
            devices = count
        case ("--rows", let value?):
            guard let count = Int(value), count >= 100 else {
                throw Failed(description: "--rows is a count from 100 up")
            }
            importedRows = count
        case ("--replay", let value?): replay = value
        default: throw Failed(description: usage)
        }
    }
    let isTemporary = folder.isEmpty
    if isTemporary {
        folder =
            URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../.build/logs-\(getpid())").standardized.path
    }
    defer { if isTemporary { try? FileManager.default.removeItem(atPath: folder) } }
    let logs = try Logs(folder)
    print(Machine.describe(folder))
    print("\n| row | work | unit | baseline | Daybook | ratio | reach |")
    print("|---|---|---|---|---|---|---|")
    let reads = ReadRows(logs: logs, events: events)
    let appends = AppendRows(logs: logs, events: events)
    let commands = Commands(replay: replay)
    // Memory first: the peak is the process's, not the row's.
    let rows: [(String, () throws -> [Row])] = [
        ("9", { try reads.memory() }),
        ("1", { [try reads.scanWithPointer()] }),
        ("2", { [try reads.scanWithSpan()] }),
        ("3", { [try reads.fold()] }),
        ("4", { [try reads.folds(), try reads.toolFolds()] }),
        ("5", { try appends.single() }),
        ("6", { try appends.concurrent() }),
        ("7", { try appends.batches() + [try appends.texts()] }),
        ("8", { [try appends.conditional()] }),
        ("10", { try FollowRows(logs: logs).measure() }),
        ("babies", { try BabyRows(logs: logs, babies: babies, commands: commands).measure() }),
        (
            "commands",
            {
                try CommandRows(logs: logs, rows: importedRows, commands: commands).measure()
            }
        ),
        (
            "questions",
            {
                try QuestionRows(
                    logs: logs, events: events, commands: commands, devices: devices
                ).measure()
            }
        ),
        (
            "replicas",
            {
                try ReplicaRows(logs: logs, events: events, commands: commands).measure()
            }
        ),
        ("proofs", { try ProofRows(logs: logs, events: events).measure() }),
        ("runs", { try RunRows(logs: logs, runners: runners, commands: commands).measure() }),
        ("view", { try ViewRows(logs: logs, events: events, commands: commands).measure() }),
    ]
    for (name, measure) in rows where only == nil || only == name {
        for row in try measure() {
            print(row.text)
            fflush(nil)
        }
    }
}

do {
    let arguments = Array(CommandLine.arguments.dropFirst())
    switch arguments.first {
    case "--child":
        try Commands.runChild(
            Array(arguments.dropFirst(2)), into: arguments.dropFirst().first ?? "/dev/null")
    case "--commits": try FollowRows.commit(Array(arguments.dropFirst()))
    case "--part": try StoreTurn.append(Array(arguments.dropFirst()))
    case "--turn": try Turn(Array(arguments.dropFirst())).run()
    case "--machine": try Turn.describeMachine(Array(arguments.dropFirst()))
    case "--print-events": try Turn.printEvents(Array(arguments.dropFirst()))
    case "--help", "-h": print(usage)
    default: try run()
    }
} catch {
    FileHandle.standardError.write(Data("daybook-bench: \(error)\n".utf8))
    exit(1)
}
