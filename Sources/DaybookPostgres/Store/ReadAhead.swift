#if PostgreSQL
    import DaybookLibC
    import DaybookLog

    /// A segment, and whether more commits follow.
    struct MadeSegment: Sendable {
        var bytes: [UInt8]
        /// The head after the segment.
        var head: Head
        var isLast: Bool
    }

    /// The segment that a caller will ask for next, made ahead on another thread.
    final class ReadAhead: @unchecked Sendable {
        /// Makes the segment after a head.
        typealias Maker = @Sendable (Head, Int) -> Result<MadeSegment?, LogError>

        /// Protects all properties; a caller waits on it until the segment is made.
        private let monitor = Monitor()
        private var head: Head?
        private var most = 0
        private var made: Result<MadeSegment?, LogError>?
        private var begun = ContinuousClock.now
        /// The number of segments begun so far, by which a forgotten one is recognised.
        private var number = 0

        /// The age from which a segment is discarded, because the log may have grown.
        private static let longestAge = Duration.seconds(5)

        /// Begins to make the segment after a head, in place of any other one.
        func begin(after head: Head, most: Int, _ make: @escaping Maker) {
            monitor.lock()
            number += 1
            let own = number
            (self.head, self.most, made, begun) = (head, most, nil, .now)
            monitor.unlock()
            let isStarted = Threads.detach {
                let result = make(head, most)
                self.monitor.lock()
                if self.number == own { self.made = result }
                self.monitor.wakeAll()
                self.monitor.unlock()
            }
            if !isStarted { forget() }
        }

        /// Returns the segment after a head if it was begun, and forgets it; waits until it is made.
        func take(after head: Head, most: Int) -> Result<MadeSegment?, LogError>? {
            monitor.lock()
            defer { monitor.unlock() }
            guard self.head == head, self.most == most else { return nil }
            let own = number
            while made == nil, number == own { monitor.wait() }
            guard number == own, let made else { return nil }
            let isOld = ContinuousClock.now - begun > Self.longestAge
            (self.head, self.made) = (nil, nil)
            number += 1
            return isOld ? nil : made
        }

        /// Forgets the segment that is being made.
        private func forget() {
            monitor.lock()
            (head, made) = (nil, nil)
            number += 1
            monitor.wakeAll()
            monitor.unlock()
        }
    }
#endif
