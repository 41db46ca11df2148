extension Array {
    /// Divides the array into parts of at most `count` elements.
    func divided(by count: Int) -> [[Element]] {
        stride(from: 0, to: self.count, by: count).map { start in
            Array(self[start..<Swift.min(start + count, self.count)])
        }
    }
}
