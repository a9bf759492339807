import CLinuxShims
import Glibc

/// An exclusive lock of one process on a directory. It uses flock(2) on a lock file in the
/// directory, which is never unlinked, and on the directory itself. So a lock file that was deleted
/// and made anew gives no other process access.
///
/// The kernel drops both when the process ends, however it ends.
package final class FileLock: Sendable {
  package enum Failure: Error, Hashable, Sendable {
    /// Another process has the lock. The value is its id, if that can be determined.
    case held(by: Int32?)
    case system(SystemCallError)
  }

  private let path: [CChar]
  private let file: OpenFile
  private let directory: OpenFile

  /// Takes the lock without waiting. The directory must exist; the file is made if it is missing.
  package init(path: [UInt8]) throws(Failure) {
    let name = path.map { CChar(bitPattern: $0) } + [0]
    let display = String(decoding: path, as: UTF8.self)
    let slash = path.lastIndex(of: UInt8(ascii: "/")) ?? path.startIndex
    let parent = slash == path.startIndex ? [CChar(bitPattern: 0x2F)] : Array(name[..<slash])
    let directory = OpenFile(owning: open(parent + [0], O_RDONLY | O_DIRECTORY | O_CLOEXEC))
    guard directory.descriptor >= 0 else { throw .system(SystemCallError("open", display)) }
    let folder = directory.descriptor
    let flags = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
    var descriptor = open(name, O_RDWR | O_CREAT | flags, 0o600)
    // On a read-only file system, the file can still be locked.
    let isReadOnly = descriptor < 0 && errno == EROFS
    if isReadOnly { descriptor = open(name, O_RDONLY | flags) }
    guard descriptor >= 0 else { throw .system(SystemCallError("open", display)) }
    let file = OpenFile(owning: descriptor)

    guard retrying({ flock(descriptor, LOCK_EX | LOCK_NB) }) == 0 else {
      guard errno == EWOULDBLOCK else { throw .system(SystemCallError("flock", display)) }
      // The process with the directory is the owner. Another process, about to be refused, may have
      // locked the file, and the file may contain the id of a former owner.
      let owner = lockingProcess(folder) ?? lockingProcess(descriptor)
      throw .held(by: owner ?? writtenProcess(descriptor))
    }
    // Some network file systems can't lock a directory. There, the lock on the file must do.
    if retrying({ flock(folder, LOCK_EX | LOCK_NB) }) != 0 && errno == EWOULDBLOCK {
      throw .held(by: lockingProcess(folder))
    }
    // Between open and flock, the file could have been replaced. Then the lock would be worthless.
    guard isSame(name, descriptor) else { throw .held(by: nil) }
    let text = Array("\(getpid())\n".utf8)
    guard
      isReadOnly
        || ftruncate(descriptor, 0) == 0 && pwrite(descriptor, text, text.count, 0) == text.count
    else { throw .system(SystemCallError("write", display)) }
    self.path = name
    self.file = file
    self.directory = directory
  }

  /// Unlocks explicitly: a program that is just being started also has both files open until it
  /// runs.
  deinit {
    flock(file.descriptor, LOCK_UN)
    flock(directory.descriptor, LOCK_UN)
  }

  /// Returns the process that has the lock, as far as the kernel's table tells. Locks nothing.
  package static func holder(path: [UInt8]) -> Int32? {
    let name = path.map { CChar(bitPattern: $0) } + [0]
    let descriptor = open(name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    if descriptor < 0 { return nil }
    let file = OpenFile(owning: descriptor)
    return lockingProcess(file.descriptor)
  }

  /// Whether the lock file at the path is still the one that is locked here.
  package var isIntact: Bool {
    isSame(path, file.descriptor)
  }
}

private func isSame(_ path: [CChar], _ descriptor: Int32) -> Bool {
  var ours = stat()
  var theirs = stat()
  return fstat(descriptor, &ours) == 0 && lstat(path, &theirs) == 0
    && ours.st_dev == theirs.st_dev && ours.st_ino == theirs.st_ino
}

/// Returns the process id that the owner wrote at the beginning of the file.
func writtenProcess(_ descriptor: Int32) -> Int32? {
  var bytes = [UInt8](repeating: 0, count: 16)
  let count = pread(descriptor, &bytes, bytes.count, 0)
  let digits = bytes.prefix(max(0, count)).prefix { (0x30...0x39).contains($0) }
  return Int32(String(decoding: digits, as: UTF8.self))
}

/// The number of bytes of the kernel's lock table that are searched: about 4,000 locks.
private let mostOfTable = 256 << 10

/// Returns the process that has locked the file, by the kernel's lock table.
private func lockingProcess(_ descriptor: Int32) -> Int32? {
  var status = stat()
  let table = OpenFile(owning: open("/proc/locks", O_RDONLY | O_CLOEXEC))
  guard table.descriptor >= 0, fstat(descriptor, &status) == 0 else { return nil }
  var bytes: [UInt8] = []
  var room = [UInt8](repeating: 0, count: 64 << 10)
  while bytes.count < mostOfTable {
    let count = read(table.descriptor, &room, room.count)
    guard count > 0 else { break }
    bytes += room.prefix(count)
  }
  return lockingProcess(
    in: bytes[...], device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
}

/// Returns the process that has locked the file with this device and inode, by a table such as
/// /proc/locks; nil if there is none that can be determined.
func lockingProcess(in table: ArraySlice<UInt8>, device: UInt64, inode: UInt64) -> Int32? {
  // As packed by makedev(3).
  let major = (device >> 8 & 0xFFF) | (device >> 32 & ~0xFFF)
  let minor = (device & 0xFF) | (device >> 12 & ~0xFF)
  for line in table.split(separator: UInt8(ascii: "\n")) {
    // 7: FLOCK  ADVISORY  WRITE 4711 fe:01:123456 0 EOF
    let words = String(decoding: line, as: UTF8.self).split(separator: " ")
    guard words.count >= 6, words[1] == "FLOCK", let process = Int32(words[4]), process > 0
    else { continue }
    let file = words[5].split(separator: ":")
    guard file.count == 3, UInt64(file[2]) == inode, let tableMajor = UInt64(file[0], radix: 16),
      let tableMinor = UInt64(file[1], radix: 16)
    else { continue }
    // If there is no device, as on btrfs, the table may have another number than stat(2).
    if tableMajor != 0, major != 0, (tableMajor, tableMinor) != (major, minor) { continue }
    return process
  }
  return nil
}
