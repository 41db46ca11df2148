import DaybookLibC

/// Ends the process with `SIGABRT` and no stack trace, as the Swift runtime does without memory.
///
/// Used when a call of libcrypto fails that can fail only for lack of memory.
func stopForLackOfMemory() -> Never { abort() }
