import CDaybookLMDB
import DaybookLibC

/// Renames a file, unless the new name is taken, in one step. `false` with an `errno`: `EEXIST` for
/// a name that is taken, `EINVAL`, `ENOSYS` or `ENOTSUP` where the file system cannot do it.
package func renameWithoutReplacing(_ path: String, _ target: String) -> Bool {
    #if canImport(Darwin)
        renamex_np(path, target, UInt32(RENAME_EXCL)) == 0
    #else
        daybook_rename_without_replacing(path, target) == 0
    #endif
}
