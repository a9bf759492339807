import CLinuxShims
import Glibc

/// Renames a file, unless the new name exists (EEXIST).
///
/// - Parameter atOnce: does it in one step, which not every file system supports (EINVAL, ENOSYS).
///   There, the name is checked first, and a file that gets it just after is replaced.
package func renameToFreeName(
  _ old: [CChar], in folder: Int32, to new: [CChar], in newFolder: Int32,
  atOnce: (Int32, [CChar], Int32, [CChar]) -> Int32 = {
    crated_rename_no_replace($0, $1, $2, $3)
  }
) throws(SystemCallError) {
  if atOnce(folder, old, newFolder, new) == 0 { return }
  guard errno == EINVAL || errno == ENOSYS else { throw SystemCallError("rename", "") }
  var status = stat()
  guard fstatat(newFolder, new, &status, AT_SYMLINK_NOFOLLOW) != 0 else {
    throw SystemCallError("rename", "", code: EEXIST)
  }
  guard errno == ENOENT, renameat(folder, old, newFolder, new) == 0 else {
    throw SystemCallError("rename", "")
  }
}
