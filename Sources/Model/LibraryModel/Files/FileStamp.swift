/// What tells whether a file has changed without reading it. Compared for equality, never "newer
/// than": clocks jump, and tools put old times on new contents.
package struct FileStamp: Hashable, Sendable {
  package var identity: FileIdentity
  /// Bytes.
  package var size: Int64
  /// Nanoseconds since 1970.
  package var modified: Int64
  /// Nanoseconds since 1970. No program can set it, so it shows changes that hide their time.
  package var changed: Int64

  package init(identity: FileIdentity, size: Int64, modified: Int64, changed: Int64) {
    self.identity = identity
    self.size = size
    self.modified = modified
    self.changed = changed
  }
}

/// Which file this is, whatever it is called. An inode number alone is reused at once by ext4, and
/// a device number changes with every boot.
package struct FileIdentity: Hashable, Sendable {
  /// `f_fsid` of statfs(2).
  package var fileSystem: UInt64
  package var inode: UInt64
  /// Nanoseconds since 1970; 0 where the file system does not say.
  package var birth: Int64

  package init(fileSystem: UInt64, inode: UInt64, birth: Int64) {
    self.fileSystem = fileSystem
    self.inode = inode
    self.birth = birth
  }

  /// Whether a file can be told by it: an inode number alone may be another file's by now, and on
  /// FAT and FUSE there is none.
  package var tellsFile: Bool { birth != 0 }
}
