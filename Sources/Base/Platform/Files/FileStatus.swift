import CLinuxShims
import Glibc

/// The status of a file or directory from statx(2). Times in nanoseconds since 1970.
package struct FileStatus: Sendable, Hashable {
  package var inode: UInt64
  package var size: Int64
  /// 0 if the file system doesn't say.
  package var birth: Int64
  package var modified: Int64
  package var changed: Int64
  /// Changes with every boot: only for comparisons within one run.
  package var device: UInt64
  /// 0 if the kernel doesn't say.
  package var mount: UInt64
  package var mode: UInt32
  /// Whether a mount begins there; nil if the kernel doesn't say (before Linux 5.8).
  package var isMountRoot: Bool?

  package var isFile: Bool { mode & kindMask == UInt32(S_IFREG) }
  package var isDirectory: Bool { mode & kindMask == UInt32(S_IFDIR) }

  private init(_ found: crated_stat) {
    inode = found.inode
    size = Int64(clamping: found.size)
    birth = found.birth_ns
    modified = found.modified_ns
    changed = found.changed_ns
    device = found.device
    mount = found.mount
    mode = found.mode
    isMountRoot = found.is_known_mount_root == 0 ? nil : found.is_mount_root != 0
  }

  /// Reads the status of an open descriptor. Returns nil with errno set on failure.
  package init?(descriptor: Int32) {
    var found = crated_stat()
    let atEmptyPath: Int32 = 0x1000
    guard crated_statx(descriptor, "", atEmptyPath, &found) == 0 else { return nil }
    self.init(found)
  }

  /// Reads the status of a name in an open directory, or of a path. Returns nil with errno set on
  /// failure.
  package init?(
    directory: Int32 = AT_FDCWD, name: UnsafePointer<CChar>, followsLinks: Bool
  ) {
    var found = crated_stat()
    let flags = followsLinks ? 0 : AT_SYMLINK_NOFOLLOW
    guard crated_statx(directory, name, flags, &found) == 0 else { return nil }
    self.init(found)
  }
}

/// The status of a file system from statfs(2).
package struct FileSystemStatus: Sendable, Hashable {
  /// The `f_fsid`.
  package var identifier: UInt64
  package var type: UInt64

  /// Returns nil with errno set on failure.
  package init?(descriptor: Int32) {
    var found = crated_file_system()
    guard crated_fstatfs(descriptor, &found) == 0 else { return nil }
    identifier = found.identifier
    type = found.type
  }

  /// Returns nil with errno set on failure.
  package init?(path: UnsafePointer<CChar>) {
    var found = crated_file_system()
    guard crated_statfs(path, &found) == 0 else { return nil }
    identifier = found.identifier
    type = found.type
  }

  /// Whether an inode number will still name the same file tomorrow.
  package var hasStableInodes: Bool { !unstableInodeTypes.contains(type) }

  /// Whether other machines or programs may change it without this kernel's knowledge.
  package var isRemote: Bool { remoteTypes.contains(type) }

  /// Whether the kernel makes up the contents, such as in `/proc`: they are no user's files.
  package var isOfKernel: Bool { kernelTypes.contains(type) }
}

private let kindMask = UInt32(S_IFMT)

// Magic numbers of statfs(2).
private let fuse: UInt64 = 0x6573_5546
private let plan9: UInt64 = 0x0102_1997
private let smb: [UInt64] = [0x517B, 0xFE53_4D42, 0xFF53_4D42]
private let remoteTypes = Set<UInt64>(
  [fuse, plan9, 0x6969 /* NFS */, 0x00C3_6400 /* Ceph */, 0x5346_414F /* AFS */] + smb)
private let kernelTypes: Set<UInt64> = [
  0x9FA0 /* proc */, 0x6265_6572 /* sysfs */, 0x0027_E0EB /* cgroup */, 0x6367_7270 /* cgroup2 */,
  0x1CD1 /* devpts */, 0x7472_6163 /* tracefs */, 0x6462_6720 /* debugfs */,
  0x7363_6673 /* securityfs */, 0x6265_6570 /* configfs */, 0xCAFE_4A11 /* bpf */,
  0xDE5E_81E4 /* efivarfs */, 0x6165_676C /* pstore */, 0xF97C_FF8C /* selinux */,
  0x4341_5D53 /* smack */, 0x6E73_6673 /* nsfs */, 0x1980_0202 /* mqueue */,
  0x4249_4E4D /* binfmt_misc */, 0x6573_5543 /* fusectl */,
]
private let unstableInodeTypes = Set<UInt64>(
  [fuse, plan9, 0x4D44 /* FAT */, 0x2011_BAB0 /* exFAT */] + smb)
