import Daybook

@testable import DaybookFormats
@testable import DaybookModel

/// A row of a file as a line of what it becomes: `pee count=1 color:green 'note'`.
func line(of row: CareFile.Row) -> String {
    switch row.result {
    case .failure(let reason): return "\(reason.code) \(reason.field)"
    case .success(let content): return content.entries.map(line).joined(separator: " | ")
    }
}

private func line(of entry: BabyCare.ImportedEntry) -> String {
    let value = FlatFields.of(entry.value)
        .filter { $0.value != "null" && !$0.path.hasPrefix("original") }
        .map { "\($0.path)=\($0.value.filter { $0 != "\"" })" }
    let meta = entry.meta.sorted { $0.key < $1.key }.map { "\($0.key):\($0.value)" }
    var parts = [entry.kind.name] + value + meta
    if let ended = entry.ended {
        parts.append("\(ended.microseconds(since: entry.started) / 1_000_000) s")
    }
    if entry.state == .open { parts.append("open") }
    if let text = entry.text?.text { parts.append("'\(text)'") }
    return parts.joined(separator: " ")
}
