/// A place in a music folder where another file system begins, as it is remembered from one run to
/// the next: what went with a mount is offline, what went with a directory is gone.
package struct InnerFileSystem: Hashable, Sendable {
  package enum Kind: String, Sendable {
    case mount
    /// Part of the mount it lies in, as btrfs has them: it goes like a directory.
    case volume
    /// A symbolic link to a directory on another mount.
    case link
  }

  package var kind: Kind
  package var path: BytePath
  /// `f_fsid` of statfs(2).
  package var fileSystem: UInt64
  /// The inode of the directory that is seen at the path, which tells two of one file system apart;
  /// 0 for links.
  package var inode: UInt64
  /// Whether the stamps of its files name the file system.
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

  /// The file system's number as it is in the stamps of its files.
  package var stamped: UInt64 { isInStamps ? fileSystem : 0 }
}
