package import Daybook

extension ReadWindow {
    /// Divides a window into windows of at most `stride` positions, in the same direction. A window
    /// without an end is not divided.
    package func divided(by stride: UInt64) -> [ReadWindow] {
        guard let through else { return [self] }
        var windows: [ReadWindow] = []
        var first = from.rawValue
        while first <= through.rawValue {
            let last = through.rawValue - first < stride ? through.rawValue : first + stride - 1
            windows.append(ReadWindow(from: Position(first), through: Position(last), direction))
            guard last < through.rawValue else { break }
            first = last + 1
        }
        return direction == .ascending ? windows : windows.reversed()
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
