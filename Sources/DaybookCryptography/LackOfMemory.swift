import DaybookLibC

/// Ends the process as the runtime does if it gets no memory: with `SIGABRT`, and without a stack
/// trace, for which there is no memory either. Calls of libcrypto fail only then.
func stopForLackOfMemory() -> Never { abort() }
