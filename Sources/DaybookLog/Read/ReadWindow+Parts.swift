package import Daybook

extension ReadWindow {
    /// Divides a window into windows of at most `stride` positions, in the same direction. A window
    /// without an end is not divided.
    ///
    /// - Parameter longest: stride to which that of each window doubles that of the one before; by
    ///   default all have the same.
    package func divided(by stride: UInt64, growingTo longest: UInt64? = nil) -> [ReadWindow] {
        guard let through, from <= through else { return through == nil ? [self] : [] }
        var windows: [ReadWindow] = []
        var (low, high, length) = (from.rawValue, through.rawValue, stride)
        while true {
            let isLast = high - low < length
            if direction == .ascending {
                let end = isLast ? high : low + length - 1
                windows.append(
                    ReadWindow(from: Position(low), through: Position(end), direction))
                low = end
            } else {
                let start = isLast ? low : high - length + 1
                windows.append(
                    ReadWindow(from: Position(start), through: Position(high), direction))
                high = start
            }
            guard !isLast else { return windows }
            if direction == .ascending { low += 1 } else { high -= 1 }
            length = max(stride, min(length * 2, longest ?? stride))
        }
    }

    /// Returns windows that read some positions in the given order; positions that follow each
    /// other share a window.
    ///
    /// - Parameter stride: largest number of positions of a window.
    package static func windows(of positions: [Position], atMost stride: UInt64) -> [ReadWindow] {
        var windows: [ReadWindow] = []
        for position in positions {
            if let last = windows.last, let through = last.through,
                through.rawValue + 1 == position.rawValue,
                position.rawValue - last.from.rawValue < stride
            {
                windows[windows.count - 1].through = position
            } else {
                windows.append(ReadWindow(from: position, through: position))
            }
        }
        return windows
    }
}
