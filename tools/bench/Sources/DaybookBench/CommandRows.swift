import Foundation

/// Commands that read a whole log, over an imported file with a note in each row, and one without.
struct CommandRows {
    let logs: Logs
    let rows: Int
    let commands: Commands
    private static let header =
        "Date and Time,End Time,Duration (min),Activity,Quantity,Extra data,Text,Notes,Caregiver"

    func measure() throws -> [Row] {
        try commands.check()
        return try [true, false].flatMap { hasTexts in
            let file = try file(withTexts: hasTexts)
            let log = "\(logs.folder)/rows-\(rows)\(hasTexts ? "-texts" : "").daybook"
            let what = "\(rows) events \(hasTexts ? "with" : "without") texts"
            var measured = [
                try throughput("import of \(what)", "≥ 50 k", 1) {
                    for suffix in ["", "-lock"] { unlink(log + suffix) }
                    return try commands.run([
                        "import", "--format", "babyconnect", "--baby", "mia", "--zone",
                        "America/Los_Angeles", "--log", log, file,
                    ])
                }
            ]
            for (arguments, reach) in Self.questions(withTexts: hasTexts) {
                let name = arguments.joined(separator: " ")
                measured.append(
                    try throughput("\(name), \(what)", reach, 3) {
                        try commands.run(arguments + ["--log", log])
                    })
            }
            measured.append(try backup(log, what))
            return measured
        }
    }

    /// Commands with the rate that they are to reach, in events a second.
    private static func questions(withTexts hasTexts: Bool) -> [([String], String)] {
        [
            (["verify"], hasTexts ? "≥ 500 k" : "≥ 1.5 M"),
            (["audit"], "≥ 200 k"),
            (["log", "--json"], "≥ 500 k"),
            (["compare", "--projection", "entry", "--other-rules", "source"], "≥ 500 k"),
            (["transitions"], "≥ 1 M"),
            (["list", "entries"], "≥ 1 M"),
            (["state", "entry", "--json"], "≥ 500 k"),
        ]
    }

    private func backup(_ log: String, _ what: String) throws -> Row {
        let copy = "\(logs.folder)/copy.daybook"
        return try throughput("backup with its proof, \(what)", "–", 3) {
            for suffix in ["", "-lock"] { unlink(copy + suffix) }
            return try commands.run(["backup", copy, "--log", log])
        }
    }

    private func throughput(
        _ work: String, _ reach: String, _ repeats: Int, _ run: () throws -> Commands.Run
    ) throws -> Row {
        try commands.throughput("commands", work, reach, of: rows, repeats: repeats, run)
    }

    /// A file of Baby Connect, newest row first as the app writes it.
    private func file(withTexts hasTexts: Bool) throws -> String {
        let path = "\(logs.folder)/rows-\(rows)\(hasTexts ? "-texts" : "").csv"
        if FileManager.default.fileExists(atPath: path) { return path }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let began = Date(timeIntervalSince1970: 1_262_304_000)  // 2010-01-01
        var lines = [Self.header]
        for number in stride(from: rows - 1, through: 0, by: -1) {
            let start = began.addingTimeInterval(Double(number) * 24 * 60)
            let note = hasTexts ? "note number \(number) of the day" : ""
            let at = Self.text(start, calendar)
            let end = Self.text(start.addingTimeInterval(15 * 60), calendar)
            let line =
                switch number % 4 {
                case 0: "\(at),,,Bottle,\(number % 8 + 1),Formula,,\(note),Ana"
                case 1: "\(at),\(end),15,Sleep,,,,\(note),Ben"
                case 2: "\(at),,,Diaper,,Wet,,\(note),Ana"
                default: "\(at),\(end),15,Nursing,,Left,,\(note),Ben"
                }
            lines.append(line)
        }
        let text = lines.joined(separator: "\n") + "\n"
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }

    /// A time as the app writes it: `3/8/20 7:07 PM`.
    private static func text(_ date: Date, _ calendar: Calendar) -> String {
        let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute], from: date)
        guard let year = parts.year, let month = parts.month, let day = parts.day,
            let hour = parts.hour, let minute = parts.minute
        else { return "" }
        let clock = String(format: "%d:%02d", hour % 12 == 0 ? 12 : hour % 12, minute)
        return "\(month)/\(day)/\(year % 100) \(clock) \(hour < 12 ? "AM" : "PM")"
    }
}
