/// The system's C library under one name.
///
/// Other targets import this module and never a C library itself, so that a further system is one
/// line here. `canImport(Darwin)` elsewhere marks what Linux and Apple's systems do differently.
#if canImport(Darwin)
    @_exported public import Darwin
#elseif canImport(Glibc)
    @_exported public import Glibc
#elseif canImport(Musl)
    @_exported public import Musl
#elseif canImport(Android)
    @_exported public import Android
#else
    #error("DaybookLibC supports only the C libraries Darwin, Glibc, Musl and Android")
#endif
