import CDaybookLMDB
import DaybookLibC

/// Renames a file in one atomic step, unless a file named `target` exists.
///
/// - Returns: `false` with `errno` set on failure: `EEXIST` if `target` exists; `EINVAL`, `ENOSYS`
///   or `ENOTSUP` if the file system does not support this.
package func renameWithoutReplacing(_ path: String, _ target: String) -> Bool {
    #if canImport(Darwin)
        renamex_np(path, target, UInt32(RENAME_EXCL)) == 0
    #else
        daybook_rename_without_replacing(path, target) == 0
    #endif
}
