import DaybookLibC

/// Ends the process with `SIGABRT` and without a stack trace, as the runtime does without memory.
///
/// Used when a call of libcrypto fails, which happens only without memory.
func stopForLackOfMemory() -> Never { abort() }
