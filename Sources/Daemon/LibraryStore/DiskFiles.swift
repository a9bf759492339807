import CLinuxShims
import Glibc
package import LibraryModel
package import Platform

/// The store's directory on a real disk. Plain system calls: Foundation's atomic write does not
/// synchronize the directory.
package final class DiskFiles: StoreFiles, Sendable {
  package let directory: BytePath
  private let store: OpenFile
  private let backups: OpenFile

  /// Opens the directory and its backups, and makes those that are missing (0700), durably.
  ///
  /// - Throws: the call that failed, with its path. Directories that were made stay.
  package init(directory: BytePath) throws(SystemCallError) {
    self.directory = directory
    try DiskFiles.make(directory)
    self.store = try DiskFiles.openFolder(directory)
    try DiskFiles.make(directory.appending("backups".utf8))
    self.backups = try DiskFiles.openFolder(directory.appending("backups".utf8))
  }

  /// Opens the same directories once more: the kernel reports a failed synchronization once to each
  /// open file, so two users of one descriptor would miss each other's.
  ///
  /// - Throws: the call that failed, with its path.
  package init(again other: DiskFiles) throws(SystemCallError) {
    directory = other.directory
    store = try DiskFiles.openFolder(directory)
    backups = try DiskFiles.openFolder(directory.appending("backups".utf8))
  }

  /// Opens the directory for reading. Nothing is made; the backups may be missing.
  ///
  /// - Throws: the call that failed, with its path.
  package init(reading directory: BytePath) throws(SystemCallError) {
    self.directory = directory
    self.store = try DiskFiles.openFolder(directory)
    let backups = directory.appending("backups".utf8)
    do {
      self.backups = try DiskFiles.openFolder(backups)
    } catch {
      guard error.code == ENOENT else { throw error }
      self.backups = OpenFile(owning: -1)
    }
  }

  private static func make(_ folder: BytePath) throws(SystemCallError) {
    try makeDirectories(folder.bytes)
    // An earlier start may have been cut off before this. Some parents can't be opened, and hold a
    // store nevertheless.
    let parent = OpenFile(
      owning: open(folder.beside.cString, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
    if parent.descriptor >= 0, fsync(parent.descriptor) != 0, errno != EROFS, errno != EINVAL {
      throw SystemCallError("fsync", folder.parent.display)
    }
  }

  private static func openFolder(_ folder: BytePath) throws(SystemCallError) -> OpenFile {
    let descriptor = open(folder.cString, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw SystemCallError("open", folder.display) }
    return OpenFile(owning: descriptor)
  }

  func opened(_ folder: StoreName.Folder) -> Int32 {
    folder == .store ? store.descriptor : backups.descriptor
  }

  private func path(_ name: StoreName) -> String {
    directory.appending(name.description.utf8).display
  }

  private func failure(_ call: String, _ code: Int32 = errno) -> SystemCallError {
    SystemCallError(call, directory.display, code: code)
  }

  private func status(of name: StoreName) -> FileStatus? {
    FileStatus(directory: opened(name.folder), name: name.name, followsLinks: false)
  }

  package func names(in folder: StoreName.Folder) throws(SystemCallError) -> [String] {
    // A store that is only read may have no backups.
    if opened(folder) == -1 { return [] }
    let directory = OpenFile(
      owning: openat(opened(folder), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC))
    guard directory.descriptor >= 0 else { throw failure("open") }
    var names: [String] = []
    do {
      try DirectoryNames().read(directory.descriptor) { name, _ in
        names.append(String(decoding: name, as: UTF8.self))
      }
    } catch {
      throw failure(error.call, error.code)
    }
    return names.sorted()
  }

  package func size(of name: StoreName) throws(SystemCallError) -> Int? {
    if let status = status(of: name) { return Int(status.size) }
    if errno == ENOENT { return nil }
    throw SystemCallError("stat", path(name))
  }

  package func read(_ name: StoreName) throws(SystemCallError) -> [UInt8]? {
    let descriptor = openat(
      opened(name.folder), name.name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    return try DiskFiles.read(descriptor, path(name), StoreLimits.largestFile)
  }

  /// Reads a whole file from anywhere, such as a backup on another disk; nil if there is none.
  ///
  /// - Throws: the call that failed, with the path; EFBIG for more than 4 GiB, EISDIR or EINVAL for
  ///   what is no file.
  package static func read(_ path: BytePath) throws(SystemCallError) -> [UInt8]? {
    try read(path, most: StoreLimits.largestFile)
  }

  /// - Parameter most: bytes; a larger file is an error (EFBIG).
  static func read(_ path: BytePath, most: Int) throws(SystemCallError) -> [UInt8]? {
    try read(open(path.cString, O_RDONLY | O_CLOEXEC | O_NONBLOCK), path.display, most)
  }

  private static func read(
    _ descriptor: Int32, _ path: String, _ most: Int
  ) throws(SystemCallError) -> [UInt8]? {
    if descriptor < 0 {
      if errno == ENOENT { return nil }
      throw SystemCallError("open", path)
    }
    let file = OpenFile(owning: descriptor)
    guard let status = FileStatus(descriptor: file.descriptor) else {
      throw SystemCallError("stat", path)
    }
    guard status.isFile else {
      throw SystemCallError("read", path, code: status.isDirectory ? EISDIR : EINVAL)
    }
    guard status.size <= most else { throw SystemCallError("read", path, code: EFBIG) }
    do {
      return try readWhole(file.descriptor, bytes: Int(status.size))
    } catch {
      throw SystemCallError(error.call, path, code: error.code)
    }
  }

  package func create(_ name: StoreName) throws(SystemCallError) -> Int32 {
    let descriptor = openat(
      opened(name.folder), name.name,
      O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw SystemCallError("create", path(name)) }
    return descriptor
  }

  package func append(_ bytes: [UInt8], to file: Int32) throws(SystemCallError) {
    try writeAll(bytes, to: file, directory.display)
  }

  package func size(of file: Int32) throws(SystemCallError) -> Int {
    guard let status = FileStatus(descriptor: file) else { throw failure("stat") }
    return Int(status.size)
  }

  package func startWriting(_ file: Int32) {
    crated_start_writing(file)
  }

  package func synchronize(_ file: Int32) throws(SystemCallError) {
    if fdatasync(file) != 0 { throw failure("fdatasync") }
  }

  package func synchronizeFound(_ name: StoreName) throws(SystemCallError) {
    let descriptor = openat(
      opened(name.folder), name.name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { throw SystemCallError("open", path(name)) }
    let file = OpenFile(owning: descriptor)
    if fdatasync(file.descriptor) != 0 { throw SystemCallError("fdatasync", path(name)) }
  }

  package func truncate(_ file: Int32, to size: Int) throws(SystemCallError) {
    if ftruncate(file, off_t(size)) != 0 { throw failure("truncate") }
  }

  package func close(_ file: Int32) throws(SystemCallError) {
    if Glibc.close(file) != 0 { throw failure("close") }
  }

  package func rename(_ old: StoreName, to new: StoreName) throws(SystemCallError) {
    // The store's lock keeps other daemons from taking the name meanwhile.
    do {
      try renameToFreeName(
        Array(old.name.utf8CString), in: opened(old.folder), to: Array(new.name.utf8CString),
        in: opened(new.folder))
    } catch {
      throw SystemCallError(error.call, path(old), code: error.code)
    }
  }

  package func remove(_ name: StoreName) throws(SystemCallError) {
    if unlinkat(opened(name.folder), name.name, 0) != 0 {
      throw SystemCallError("unlink", path(name))
    }
  }

  package func synchronize(_ folder: StoreName.Folder) throws(SystemCallError) {
    if fsync(opened(folder)) != 0 { throw failure("fsync") }
  }

  /// Returns the files and directories of the store that others than their owner may read or write,
  /// with the mode that they should have.
  ///
  /// - Throws: the call that failed while listing the names.
  package func openToOthers() throws(SystemCallError) -> [(name: StoreName, mode: String)] {
    var found: [(StoreName, String)] = []
    let top = StoreName(".")
    if isOpenToOthers(top) { found.append((top, "700")) }
    for folder in [StoreName.Folder.backups, .store] {
      for name in try names(in: folder).map({ StoreName($0, in: folder) }) {
        guard name.isOurs, isOpenToOthers(name) else { continue }
        found.append((name, name == StoreName("backups") ? "700" : "600"))
      }
    }
    return found
  }

  private func isOpenToOthers(_ name: StoreName) -> Bool {
    status(of: name).map { $0.mode & 0o077 != 0 } ?? false
  }

  package func probe() throws(SystemCallError) {
    let descriptor = crated_open_unnamed(store.descriptor)
    guard descriptor >= 0 else {
      // Not all file systems support unnamed files; the next change then shows whether there is
      // room.
      if [EOPNOTSUPP, EISDIR, EINVAL, ENOENT].contains(errno) { return }
      throw failure("create")
    }
    let file = OpenFile(owning: descriptor)
    try append([UInt8](repeating: 0, count: StoreLimits.probe), to: file.descriptor)
  }

  package var isIntact: Bool {
    guard let opened = FileStatus(descriptor: store.descriptor),
      let named = FileStatus(name: directory.cString, followsLinks: true)
    else { return false }
    return (opened.device, opened.inode) == (named.device, named.inode)
  }
}
