// The switch of the mutants, compiled into a build that is thrown away.
import Daybook
import DaybookLibC

/// Number of the mutant that is switched on; 0 for none.
private let switchedOn = Int(
    getenv("DAYBOOK_MUTANT").map { String(cString: $0) } ?? "") ?? 0

/// A byte for each mutant in the file that a variable names, set where its place is reached.
nonisolated(unsafe) private let reached: UnsafeMutablePointer<UInt8>? = {
    guard let path = getenv("DAYBOOK_MUTANTS_REACHED") else { return nil }
    let file = open(path, O_RDWR)
    guard file >= 0 else { return nil }
    let pages = mmap(nil, 1 << 16, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
    return pages == MAP_FAILED ? nil : pages?.assumingMemoryBound(to: UInt8.self)
}()

func isMutant(_ number: Int) -> Bool {
    reached?[number] = 1
    return number == switchedOn
}

func mutant<T>(_ number: Int, _ a: T, _ b: T) -> T { isMutant(number) ? b : a }
func mutantHolds(_ number: Int, _ a: Bool) -> Bool { isMutant(number) ? true : a }
func mutantFails(_ number: Int, _ a: Bool) -> Bool { isMutant(number) ? false : a }
func mutantNot(_ number: Int, _ a: Bool) -> Bool { isMutant(number) ? !a : a }
func mutantNil<T>(_ number: Int, _ a: T?) -> T? { isMutant(number) ? nil : a }
func mutantMin<T: Comparable>(_ number: Int, _ a: T, _ b: T) -> T {
    isMutant(number) ? max(a, b) : min(a, b)
}
func mutantMax<T: Comparable>(_ number: Int, _ a: T, _ b: T) -> T {
    isMutant(number) ? min(a, b) : max(a, b)
}

/// An integer whose operators are those of the module: saturating where they are there.
protocol MutantNumber {
    func plus(_ b: Self) -> Self
    func minus(_ b: Self) -> Self
    func times(_ b: Self) -> Self
    func over(_ b: Self) -> Self
    func rest(_ b: Self) -> Self
    func wrappedPlus(_ b: Self) -> Self
    func wrappedMinus(_ b: Self) -> Self
    func wrappedTimes(_ b: Self) -> Self
}
extension Int: MutantNumber {
    func plus(_ b: Int) -> Int { self + b }
    func minus(_ b: Int) -> Int { self - b }
    func times(_ b: Int) -> Int { self * b }
    func over(_ b: Int) -> Int { self / b }
    func rest(_ b: Int) -> Int { self % b }
    func wrappedPlus(_ b: Int) -> Int { self &+ b }
    func wrappedMinus(_ b: Int) -> Int { self &- b }
    func wrappedTimes(_ b: Int) -> Int { self &* b }
}
extension Int64: MutantNumber {
    func plus(_ b: Int64) -> Int64 { self + b }
    func minus(_ b: Int64) -> Int64 { self - b }
    func times(_ b: Int64) -> Int64 { self * b }
    func over(_ b: Int64) -> Int64 { self / b }
    func rest(_ b: Int64) -> Int64 { self % b }
    func wrappedPlus(_ b: Int64) -> Int64 { self &+ b }
    func wrappedMinus(_ b: Int64) -> Int64 { self &- b }
    func wrappedTimes(_ b: Int64) -> Int64 { self &* b }
}
extension Int128: MutantNumber {
    func plus(_ b: Int128) -> Int128 { self + b }
    func minus(_ b: Int128) -> Int128 { self - b }
    func times(_ b: Int128) -> Int128 { self * b }
    func over(_ b: Int128) -> Int128 { self / b }
    func rest(_ b: Int128) -> Int128 { self % b }
    func wrappedPlus(_ b: Int128) -> Int128 { self &+ b }
    func wrappedMinus(_ b: Int128) -> Int128 { self &- b }
    func wrappedTimes(_ b: Int128) -> Int128 { self &* b }
}
extension UInt: MutantNumber {
    func plus(_ b: UInt) -> UInt { self + b }
    func minus(_ b: UInt) -> UInt { self - b }
    func times(_ b: UInt) -> UInt { self * b }
    func over(_ b: UInt) -> UInt { self / b }
    func rest(_ b: UInt) -> UInt { self % b }
    func wrappedPlus(_ b: UInt) -> UInt { self &+ b }
    func wrappedMinus(_ b: UInt) -> UInt { self &- b }
    func wrappedTimes(_ b: UInt) -> UInt { self &* b }
}
extension UInt8: MutantNumber {
    func plus(_ b: UInt8) -> UInt8 { self + b }
    func minus(_ b: UInt8) -> UInt8 { self - b }
    func times(_ b: UInt8) -> UInt8 { self * b }
    func over(_ b: UInt8) -> UInt8 { self / b }
    func rest(_ b: UInt8) -> UInt8 { self % b }
    func wrappedPlus(_ b: UInt8) -> UInt8 { self &+ b }
    func wrappedMinus(_ b: UInt8) -> UInt8 { self &- b }
    func wrappedTimes(_ b: UInt8) -> UInt8 { self &* b }
}
extension UInt16: MutantNumber {
    func plus(_ b: UInt16) -> UInt16 { self + b }
    func minus(_ b: UInt16) -> UInt16 { self - b }
    func times(_ b: UInt16) -> UInt16 { self * b }
    func over(_ b: UInt16) -> UInt16 { self / b }
    func rest(_ b: UInt16) -> UInt16 { self % b }
    func wrappedPlus(_ b: UInt16) -> UInt16 { self &+ b }
    func wrappedMinus(_ b: UInt16) -> UInt16 { self &- b }
    func wrappedTimes(_ b: UInt16) -> UInt16 { self &* b }
}
extension UInt32: MutantNumber {
    func plus(_ b: UInt32) -> UInt32 { self + b }
    func minus(_ b: UInt32) -> UInt32 { self - b }
    func times(_ b: UInt32) -> UInt32 { self * b }
    func over(_ b: UInt32) -> UInt32 { self / b }
    func rest(_ b: UInt32) -> UInt32 { self % b }
    func wrappedPlus(_ b: UInt32) -> UInt32 { self &+ b }
    func wrappedMinus(_ b: UInt32) -> UInt32 { self &- b }
    func wrappedTimes(_ b: UInt32) -> UInt32 { self &* b }
}
extension UInt64: MutantNumber {
    func plus(_ b: UInt64) -> UInt64 { self + b }
    func minus(_ b: UInt64) -> UInt64 { self - b }
    func times(_ b: UInt64) -> UInt64 { self * b }
    func over(_ b: UInt64) -> UInt64 { self / b }
    func rest(_ b: UInt64) -> UInt64 { self % b }
    func wrappedPlus(_ b: UInt64) -> UInt64 { self &+ b }
    func wrappedMinus(_ b: UInt64) -> UInt64 { self &- b }
    func wrappedTimes(_ b: UInt64) -> UInt64 { self &* b }
}
extension Int32: MutantNumber {
    func plus(_ b: Int32) -> Int32 { self + b }
    func minus(_ b: Int32) -> Int32 { self - b }
    func times(_ b: Int32) -> Int32 { self * b }
    func over(_ b: Int32) -> Int32 { self / b }
    func rest(_ b: Int32) -> Int32 { self % b }
    func wrappedPlus(_ b: Int32) -> Int32 { self &+ b }
    func wrappedMinus(_ b: Int32) -> Int32 { self &- b }
    func wrappedTimes(_ b: Int32) -> Int32 { self &* b }
}
