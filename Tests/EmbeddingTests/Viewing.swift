// The code of docs/embedding.md that shows a log. A test holds the document to this file.
#if canImport(SwiftUI)
    // [view]
    import Daybook
    import DaybookLog
    import SwiftUI

    struct StopwatchView: View {
        let log: EventLog
        @State private var stopwatch = StopwatchModel()

        var body: some View {
            Button(stopwatch.isRunning ? "Running" : "Start") {
                Task { await stopwatch.start("s1", in: log) }
            }
            .disabled(stopwatch.isRunning)
            .task { await stopwatch.follow("s1", in: log) }
        }
    }
// [end]
#endif
