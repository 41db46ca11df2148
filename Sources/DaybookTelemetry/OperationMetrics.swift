#if Telemetry
    import CoreMetrics
    import Daybook
    import DaybookLog
    import Synchronization

    /// The metrics of operations, each made when it is first needed, and kept.
    final class OperationMetrics: Sendable {
        private let factory: any MetricsFactory
        private let dimensions: [(String, String)]
        private let timers = Mutex<[OperationName: Timer]>([:])
        private let eventCounters = Mutex<[LogOperation.Kind: Counter]>([:])
        private let commits: Counter
        private let texts: Counter
        private let findings: Counter
        private let writerWait: Timer
        private let head: Gauge
        private let lag: Recorder

        /// The dimensions of a duration.
        private struct OperationName: Hashable {
            var kind: LogOperation.Kind
            var outcome: LogOperation.Outcome
        }

        init(_ factory: any MetricsFactory, _ dimensions: [(String, String)]) {
            self.factory = factory
            self.dimensions = dimensions
            func counter(_ label: String) -> Counter {
                Counter(label: label, dimensions: dimensions, factory: factory)
            }
            commits = counter("daybook_commits")
            texts = counter("daybook_texts_erased")
            findings = counter("daybook_findings")
            writerWait = Timer(
                label: "daybook_writer_wait", dimensions: dimensions, factory: factory)
            head = Gauge(label: "daybook_head_position", dimensions: dimensions, factory: factory)
            lag = Recorder(label: "daybook_follower_lag", dimensions: dimensions, factory: factory)
        }

        func record(_ operation: LogOperation) {
            timer(operation).recordNanoseconds(operation.duration.nanoseconds)
            // Those of a transaction and of a decision are counted with their appends.
            if operation.eventCount > 0, operation.kind != .write, operation.kind != .decide {
                counter(operation.kind).increment(by: operation.eventCount)
            }
            switch operation.kind {
            case .append:
                if operation.commitCount > 0 { commits.increment(by: operation.commitCount) }
                if operation.outcome == .done, let position = operation.position {
                    head.record(position.rawValue)
                }
            case .write: writerWait.recordNanoseconds(operation.waited.nanoseconds)
            case .follow: if let events = operation.lag { lag.record(events) }
            case .erase:
                if operation.textCount > 0 { texts.increment(by: operation.textCount) }
            case .verify:
                if operation.findingCount > 0 { findings.increment(by: operation.findingCount) }
            case .open, .decide, .read, .index: break
            }
        }

        private func timer(_ operation: LogOperation) -> Timer {
            let name = OperationName(kind: operation.kind, outcome: operation.outcome)
            return timers.withLock { timers in
                if let timer = timers[name] { return timer }
                let timer = Timer(
                    label: "daybook_operation_duration",
                    dimensions: dimensions + [
                        ("operation", name.kind.rawValue), ("outcome", name.outcome.rawValue),
                    ], factory: factory)
                timers[name] = timer
                return timer
            }
        }

        private func counter(_ kind: LogOperation.Kind) -> Counter {
            eventCounters.withLock { counters in
                if let counter = counters[kind] { return counter }
                let counter = Counter(
                    label: "daybook_events",
                    dimensions: dimensions + [("operation", kind.rawValue)], factory: factory)
                counters[kind] = counter
                return counter
            }
        }
    }
#endif
