public import Daybook
import DaybookLibC

extension Instant {
    /// The current time of the machine's clock.
    ///
    /// Areas, which import only `Daybook`, do not see it: their rules and folds get the time as an
    /// argument or with the event.
    public static var now: Instant {
        var time = timespec()
        _ = unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Instant(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000)
    }
}
