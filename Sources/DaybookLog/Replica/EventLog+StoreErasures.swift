import Daybook
import DaybookLMDB

extension EventLog {
    /// Finishes the erasures in a store, and returns the reach of the one at a position.
    ///
    /// The erasure is recorded, so a failure is part of the result and not an error.
    func finishErasures(
        of store: any ErasingStore, since position: Position
    ) throws(LogError) -> ErasureReach {
        var left: [ErasureReach.Epoch] = []
        do throws(StoreError) {
            left = try store.finishErasures()
        } catch {
            left = [ErasureReach.Epoch(0, .failed("\(error)"))]
        }
        reportToStore()
        var reach = ErasureReach(askedAt: clock())
        do throws(StoreError) {
            reach = try store.reach(of: position)
        } catch {
            left.append(ErasureReach.Epoch(0, .failed("\(error)")))
        }
        reach.epochs = left
        return reach
    }

    /// Finishes interrupted erasures, as far as the keys and rights of this program allow.
    ///
    /// The log is usable without it, so failures are left to the next erasure.
    func finishInterruptedErasures(of store: any ErasingStore) {
        do throws(StoreError) {
            _ = try store.finishErasures()
        } catch {
            observe(.erase, since: operationStart) { LogError.store(error).describe(in: &$0) }
        }
    }
}
