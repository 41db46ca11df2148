import Daybook

extension EventLog {
    /// Returns the first position at which the histories of a replica and its store differ. The
    /// store must lack the head of the replica.
    ///
    /// Asks the store for some of the replica's heads: about 20 for a million commits.
    func parting(from store: any EventStore) throws(LogError) -> Position {
        var known = Position.origin
        var unknown = try head()
        var parting = unknown
        while known < unknown {
            let middle = Position(known.rawValue + (unknown.rawValue - known.rawValue + 1) / 2)
            guard let (first, head) = try commitHead(at: middle) else { break }
            if try Self.has(head, store) {
                known = head.position
            } else {
                parting = first
                unknown = Position(first.rawValue - 1)
            }
        }
        return parting
    }

    /// True if a store's log has this head.
    private static func has(_ head: Head, _ store: any EventStore) throws(LogError) -> Bool {
        do throws(StoreError) {
            _ = try store.segment(after: head, most: 1)
            return true
        } catch .parted {
            return false
        } catch .restored {
            return false
        } catch {
            throw .store(error)
        }
    }
}
