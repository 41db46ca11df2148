import DaybookLibC

/// Ends the process with `SIGABRT` and no stack trace, as Swift does if memory is short.
///
/// Used when a call of libcrypto fails that can fail only for lack of memory.
func stopForLackOfMemory() -> Never { abort() }
