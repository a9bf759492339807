/// Metadata that shows whether a file has changed without reading it. Stamps are compared for
/// equality, never for "newer than": clocks jump, and tools give new contents old times.
package struct FileStamp: Hashable, Sendable {
  package var identity: FileIdentity
  /// Bytes.
  package var size: Int64
  /// Nanoseconds since 1970.
  package var modified: Int64
  /// Nanoseconds since 1970. Programs can't set it, so it reveals changes that hide their time.
  package var changed: Int64

  package init(identity: FileIdentity, size: Int64, modified: Int64, changed: Int64) {
    self.identity = identity
    self.size = size
    self.modified = modified
    self.changed = changed
  }
}

/// The identity of a file, independent of its name. An inode number alone is not enough because
/// ext4 reuses it at once, and a device number changes with every boot.
package struct FileIdentity: Hashable, Sendable {
  /// `f_fsid` of statfs(2).
  package var fileSystem: UInt64
  package var inode: UInt64
  /// Nanoseconds since 1970. 0 if the file system does not report it.
  package var birth: Int64

  package init(fileSystem: UInt64, inode: UInt64, birth: Int64) {
    self.fileSystem = fileSystem
    self.inode = inode
    self.birth = birth
  }

  /// Whether the identity is reliable. An inode number alone may be another file's by now, and FAT
  /// and FUSE have none.
  package var tellsFile: Bool { birth != 0 }
}
