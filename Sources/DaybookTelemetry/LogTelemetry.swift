#if Telemetry
    public import CoreMetrics
    import Daybook
    public import DaybookLog
    public import Logging

    /// An observer that writes the operations of a log to swift-log and swift-metrics.
    ///
    ///     let log = try EventLog(path: path, access: .create, observer: LogTelemetry())
    ///
    /// It uses the backends that the app has chosen, and chooses none. Texts, tags, names, keys and
    /// paths go nowhere. `docs/embedding.md` lists the records and the metrics.
    public struct LogTelemetry: LogObserver {
        private let logger: Logger
        private let metrics: OperationMetrics

        /// Creates an observer, which several logs may share; each metric also gets `dimensions`.
        ///
        /// By default the metrics go to the factory that the app has chosen.
        public init(
            logger: Logger = Logger(label: "daybook"),
            metrics: any MetricsFactory = MetricsSystem.factory,
            dimensions: [(String, String)] = []
        ) {
            self.logger = logger
            self.metrics = OperationMetrics(metrics, dimensions)
        }

        public func observe(_ operation: LogOperation) {
            metrics.record(operation)
            logger.log(
                level: operation.level, "\(operation.kind.rawValue): \(operation.outcome.rawValue)",
                metadata: operation.metadata, source: "DaybookLog")
        }
    }

    extension LogOperation {
        /// The level of the record of the operation.
        ///
        /// Libraries log below `info`, so only what an operator has to look at is above.
        fileprivate var level: Logger.Level {
            if outcome == .failed {
                return reason == "locked" || reason == "keysNotHere" ? .warning : .error
            }
            if findingCount > 0 { return .error }
            return switch kind {
            case .read, .write, .follow: .trace
            case .open, .append, .decide, .index, .erase, .verify: .debug
            }
        }

        /// The numbers of the operation, without those that are zero.
        fileprivate var metadata: Logger.Metadata {
            var metadata: Logger.Metadata = [
                "duration_us": .stringConvertible(duration.microseconds)
            ]
            if let logID { metadata["log"] = .string(logID) }
            if let position { metadata["position"] = .stringConvertible(position.rawValue) }
            if let lag { metadata["lag"] = .stringConvertible(lag) }
            if let reason { metadata["reason"] = .string(reason) }
            if waited > .zero { metadata["waited_us"] = .stringConvertible(waited.microseconds) }
            let counts = [
                ("commits", UInt64(commitCount)), ("events", UInt64(eventCount)),
                ("texts", textCount), ("findings", UInt64(findingCount)),
            ]
            for (name, count) in counts where count > 0 {
                metadata[name] = .stringConvertible(count)
            }
            return metadata
        }
    }

    extension Duration {
        fileprivate var microseconds: Int64 {
            components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000
        }

        var nanoseconds: Int64 {
            components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000
        }
    }
#else
    /// An observer that writes the operations of a log to swift-log and swift-metrics.
    @available(
        *, unavailable,
        message: "turn on the trait 'Telemetry' of the package 'daybook' to use LogTelemetry"
    )
    public struct LogTelemetry {}
#endif
