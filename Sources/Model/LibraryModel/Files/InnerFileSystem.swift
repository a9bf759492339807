/// A place in a music folder where another file system begins. It is stored across runs, because
/// files that vanish with a mount are offline, and files that vanish with a directory are gone.
package struct InnerFileSystem: Hashable, Sendable {
  package enum Kind: String, Sendable {
    case mount
    /// Part of the mount that it lies in, such as a btrfs subvolume. It vanishes like a directory.
    case volume
    /// A symbolic link to a directory on another mount.
    case link
  }

  package var kind: Kind
  package var path: BytePath
  /// `f_fsid` of statfs(2).
  package var fileSystem: UInt64
  /// The inode of the directory at the path, which distinguishes two directories of one file
  /// system. 0 for links.
  package var inode: UInt64
  /// Whether the stamps of its files contain the file system.
  package var isInStamps: Bool

  package init(
    _ kind: Kind, at path: BytePath, fileSystem: UInt64, inode: UInt64, isInStamps: Bool
  ) {
    self.kind = kind
    self.path = path
    self.fileSystem = fileSystem
    self.inode = inode
    self.isInStamps = isInStamps
  }

  /// The file system's number as it is stored in the stamps of its files.
  package var stamped: UInt64 { isInStamps ? fileSystem : 0 }
}
