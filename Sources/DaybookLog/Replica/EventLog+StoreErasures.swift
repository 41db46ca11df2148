import Daybook
import DaybookLMDB

extension EventLog {
    /// Does what is left of erasures in a store, and says how far the one at a position reaches.
    ///
    /// The erasure is recorded, so a failure is a part of the answer and no error.
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

    /// Finishes erasures that were interrupted, as far as this program may and can.
    ///
    /// The log can be used whatever comes of it, so the next erasure says what is left.
    func finishInterruptedErasures(of store: any ErasingStore) {
        do throws(StoreError) {
            _ = try store.finishErasures()
        } catch {
            observe(.erase, since: operationStart) { LogError.store(error).describe(in: &$0) }
        }
    }
}
