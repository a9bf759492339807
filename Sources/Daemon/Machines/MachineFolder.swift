import Glibc
import LibraryModel
import LibraryStore
import Platform
import SharedOrder
import Text

/// The folder in which each machine has a file, opened for one round. A sync program transfers the
/// files between machines. It may add them, remove them and bring old ones back at any time.
struct MachineFolder: ~Copyable {
  /// The maximum number of files that are read.
  static let mostFiles = 64

  /// The name of a machine's file.
  struct Name: Hashable, Sendable, Comparable {
    let bytes: BytePath
    let machine: MachineID

    /// Returns nil for a name that no machine gives to its file, such as that of a conflict copy.
    init?(_ bytes: BytePath) {
      let text = bytes.bytes
      guard text.starts(with: Self.start), text.suffix(Self.end.count) == Self.end[...] else {
        return nil
      }
      let middle = text.dropFirst(Self.start.count).dropLast(Self.end.count)
      guard middle.count > MachineID.length + 1, !Self.isConflict(middle),
        middle.dropLast(MachineID.length).last == UInt8(ascii: "-"),
        let machine = MachineID(middle.suffix(MachineID.length))
      else { return nil }
      (self.bytes, self.machine) = (bytes, machine)
    }

    init(of order: MachineOrder) {
      let name = percentEscaped(order.name.utf8, leaving: .path).replacing("/", with: "%2F")
      bytes = BytePath("order.\(name)-\(order.machine).txt")
      machine = order.machine
    }

    /// Returns whether a sync program made this name for a conflict copy of a machine's file.
    static func isConflictCopy(_ bytes: BytePath) -> Bool {
      bytes.bytes.starts(with: start) && isConflict(bytes.bytes[...])
    }

    private static let start = Array("order.".utf8)
    private static let end = Array(".txt".utf8)

    private static func isConflict(_ name: ArraySlice<UInt8>) -> Bool {
      let name = String(decoding: name, as: UTF8.self).lowercased()
      return [".sync-conflict-", "conflicted copy", "(conflict"].contains(where: name.contains)
    }

    static func < (left: Name, right: Name) -> Bool { left.bytes < right.bytes }
  }

  /// The names in the folder.
  struct Listing {
    var files: [Name: FileStatus] = [:]
    var conflictCopies = 0
  }

  /// Whether other machines may change the folder without events from this kernel.
  let isRemote: Bool
  private let opened: OpenFile

  /// - Throws: the call that failed, without a path. The folder is never made.
  init(_ path: BytePath) throws(SystemCallError) {
    let descriptor = open(path.cString, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw SystemCallError("open", "") }
    opened = OpenFile(owning: descriptor)
    isRemote = FileSystemStatus(descriptor: descriptor)?.isRemote ?? true
  }

  /// - Throws: the call that failed, without a path.
  borrowing func list() throws(SystemCallError) -> Listing {
    let again = OpenFile(owning: openat(opened.descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC))
    guard again.descriptor >= 0 else { throw SystemCallError("open", "") }
    var listing = Listing()
    var names: [Name] = []
    try DirectoryNames().read(again.descriptor) { bytes, _ in
      let name = BytePath(Array(bytes))
      if let name = Name(name) {
        names.append(name)
      } else if Name.isConflictCopy(name) {
        listing.conflictCopies += 1
      }
    }
    for name in names {
      if let status = status(of: name) { listing.files[name] = status }
    }
    return listing
  }

  /// Returns the status of a file, without following a link; nil if it does not exist.
  borrowing func status(of name: Name) -> FileStatus? {
    FileStatus(directory: opened.descriptor, name: name.bytes.cString, followsLinks: false)
  }

  /// Reads a file that is no link, and not larger than a machine's file may be.
  ///
  /// - Returns: its bytes, and its status when it was opened.
  /// - Throws: the call that failed, without a path.
  borrowing func read(_ name: Name) throws(SystemCallError) -> (bytes: [UInt8], status: FileStatus)
  {
    let file = OpenFile(
      owning: openat(
        opened.descriptor, name.bytes.cString, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC))
    guard file.descriptor >= 0 else { throw SystemCallError("open", "") }
    guard let status = FileStatus(descriptor: file.descriptor) else {
      throw SystemCallError("statx", "")
    }
    guard status.isFile else { throw SystemCallError("open", "", code: ELOOP) }
    guard status.size <= MachineText.mostBytes else {
      throw SystemCallError("read", "", code: EFBIG)
    }
    return (try readWhole(file.descriptor, bytes: Int(status.size)), status)
  }

  /// Replaces this machine's file.
  ///
  /// - Throws: the call that failed, without a path. The former file is as it was then, unless
  ///   syncing the directory failed.
  borrowing func write(_ name: Name, _ bytes: [UInt8]) throws(SystemCallError) {
    var draft = try FileDraft(
      Array(".order-\(name.machine).tmp".utf8CString), in: opened.descriptor)
    try writeAll(bytes, to: draft.descriptor)
    if let former = status(of: name) { date(draft.descriptor, after: former) }
    try draft.synchronize()
    try draft.take(name.bytes.cString, replacing: true)
    try synchronizeDirectory(opened.descriptor)
  }

  /// Sets a file's modification time to a second after another one's, unless it is later already,
  /// or the other one is far ahead. rsync takes two files of the same size and second for the same.
  /// A failure is ignored, as on a file system without such times.
  private borrowing func date(_ descriptor: Int32, after former: FileStatus) {
    let second: Int64 = 1_000_000_000
    guard let status = FileStatus(descriptor: descriptor) else { return }
    let ahead = former.modified / second - status.modified / second
    if ahead < 0 || ahead > Self.mostSecondsAhead { return }
    let time = timespec(tv_sec: Int(former.modified / second + 1), tv_nsec: 0)
    futimens(descriptor, [time, time])
  }

  /// The limit beyond which a time was written by a wrong clock.
  private static let mostSecondsAhead: Int64 = 60

  /// Removes a file; a missing one is no error.
  ///
  /// - Throws: the call that failed, without a path.
  borrowing func remove(_ name: Name) throws(SystemCallError) {
    guard unlinkat(opened.descriptor, name.bytes.cString, 0) == 0 || errno == ENOENT else {
      throw SystemCallError("unlink", "")
    }
    try synchronizeDirectory(opened.descriptor)
  }
}
