// The code of docs/embedding.md that has dates. A test holds the document to this file.
// [dates]
import Daybook
import DaybookFoundation
import Foundation

/// Returns the event of a start at a date; `nil` for a date that no log can hold.
func start(of id: String, at date: Date) -> NewEvent? {
    Instant(date).map { NewEvent(Stopwatch.Started(id: id), occurredAt: $0) }
}
// [end]
