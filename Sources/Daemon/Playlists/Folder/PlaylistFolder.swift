import Glibc
package import LibraryModel
import Platform

/// The directory of playlists, opened for one update.
package struct PlaylistFolder: ~Copyable {
  /// The name of a list while it is written.
  static let draft = ".crated-playlist.tmp"

  let path: BytePath
  private let opened: OpenFile
  private let status: FileStatus

  /// Opens the directory, and makes it if it is missing.
  ///
  /// - Throws: the problem of the directory; see `make`.
  init(_ path: BytePath) throws(PlaylistProblem) {
    var descriptor = open(path.cString, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    if descriptor < 0, errno == ENOENT {
      try Self.make(path)
      descriptor = open(path.cString, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    }
    guard descriptor >= 0 else { throw PlaylistProblem(path, SystemCallError("open", "")) }
    let opened = OpenFile(owning: descriptor)
    guard let status = FileStatus(descriptor: descriptor) else {
      throw PlaylistProblem(path, SystemCallError("statx", ""))
    }
    self.opened = opened
    self.status = status
    self.path = path
  }

  /// Makes the directory, as readable as its parent. The parent has to be there, and not empty: in
  /// the mount point of an offline drive, the playlists would be hidden when the drive comes.
  ///
  /// - Throws: why it can't be made, with advice. Nothing is left on the disk then.
  package static func make(_ path: BytePath) throws(PlaylistProblem) {
    if access(path.cString, F_OK) == 0 { return }
    let parent = path.parent.isEmpty ? BytePath("/") : path.parent
    let descriptor = open(parent.cString, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    if descriptor < 0, errno == ENOENT {
      throw PlaylistProblem(
        path,
        "\(parent.display) is not there: plug in its drive, or make it; it is looked for"
          + " again every minute")
    }
    guard descriptor >= 0 else { throw PlaylistProblem(path, SystemCallError("open", "")) }
    let above = OpenFile(owning: descriptor)
    var isEmpty = true
    do {
      try DirectoryNames().read(above.descriptor) { _, _ in isEmpty = false }
    } catch {
      throw PlaylistProblem(path, error)
    }
    if isEmpty {
      throw PlaylistProblem(
        path,
        "\(parent.display) is empty, like the place of a drive that is away: plug that in, or make"
          + " this folder; it is looked for again every minute")
    }
    let mode = mode_t(FileStatus(descriptor: above.descriptor)?.mode ?? 0) & 0o755 | 0o700
    guard mkdir(path.cString, mode) == 0 else {
      throw PlaylistProblem(path, SystemCallError("mkdir", ""))
    }
    // Restores what the umask removed.
    chmod(path.cString, mode)
  }

  /// Returns the status of a name, without following a link; nil if there is none.
  func status(of name: BytePath) -> FileStatus? {
    FileStatus(directory: opened.descriptor, name: name.cString, followsLinks: false)
  }

  /// Opens a file for reading. Returns nil if there is none.
  ///
  /// - Throws: a `SystemCallError` if it can't be opened. What is no file, such as a link, is
  ///   ELOOP.
  borrowing func read(_ name: BytePath) throws(SystemCallError) -> PlaylistFile? {
    let descriptor = openat(
      opened.descriptor, name.cString, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    if descriptor < 0, errno == ENOENT { return nil }
    guard descriptor >= 0 else { throw SystemCallError("open", "") }
    let file = OpenFile(owning: descriptor)
    guard let status = FileStatus(descriptor: descriptor) else {
      throw SystemCallError("statx", "")
    }
    guard status.isFile else { throw SystemCallError("open", "", code: ELOOP) }
    return PlaylistFile(file, status)
  }

  /// Writes a file under another name, syncs it, and renames it. It survives a power cut then.
  ///
  /// - Parameters:
  ///   - former: the file that it replaces; nil: there is none, and one that appears meanwhile is
  ///     an error (EEXIST).
  ///   - beforeRename: called with its digest before the rename.
  ///   - body: writes the file by calling its argument with one piece after the other.
  /// - Returns: the status of the new file; nil if the former one was changed meanwhile: it stays.
  /// - Throws: a `SystemCallError`, or what the closures throw. The former file is as it was then,
  ///   unless syncing the directory failed, and no other file is left.
  borrowing func write(
    _ name: BytePath, over former: FileStatus?,
    beforeRename: (TextDigest) throws(SystemCallError) -> Void,
    _ body: (_ append: ([UInt8]) throws(SystemCallError) -> Bool) throws(SystemCallError) -> Void
  ) throws(SystemCallError) -> FileStatus? {
    var draft = try FileDraft(Array(Self.draft.utf8CString), in: opened.descriptor)
    let descriptor = draft.descriptor
    // Users who may read the directory may read the playlists. Some file systems have no modes.
    fchmod(descriptor, mode_t(status.mode) & 0o644 | 0o600)
    var hasher = TextHasher()
    try body { (bytes) throws(SystemCallError) in
      hasher.add(bytes)
      try writeAll(bytes, to: descriptor)
      return true
    }
    try draft.synchronize()
    guard let written = FileStatus(descriptor: descriptor) else {
      throw SystemCallError("statx", "")
    }
    try beforeRename(hasher.digest)
    // What a player wrote meanwhile has to be read first.
    if let former, self.status(of: name) != former { return nil }
    try draft.take(name.cString, replacing: former != nil)
    try synchronizeDirectory(opened.descriptor)
    // The rename changes only the time of the status. If more differs, a player has written the
    // file since: the older status makes the next update see that.
    guard let named = FileStatus(descriptor: descriptor), named.size == written.size,
      named.modified == written.modified
    else { return written }
    return named
  }

  /// Removes a list that a killed daemon left unfinished.
  borrowing func removeDraft() {
    unlinkat(opened.descriptor, Self.draft, 0)
  }

  /// Removes a file if its bytes are crated's, durably: after a power cut it would come back
  /// without a record.
  ///
  /// - Throws: a `SystemCallError` if it can't be read or removed; it is there then, unless syncing
  ///   the directory failed.
  borrowing func remove(
    _ name: BytePath, where isOurs: (TextDigest) -> Bool
  ) throws(SystemCallError) {
    guard let digest = try digest(of: name), isOurs(digest) else { return }
    guard unlinkat(opened.descriptor, name.cString, 0) == 0 || errno == ENOENT else {
      throw SystemCallError("unlink", "")
    }
    try synchronizeDirectory(opened.descriptor)
  }

  /// Returns nil for anything but a readable file, which can't be crated's.
  private borrowing func digest(of name: BytePath) throws(SystemCallError) -> TextDigest? {
    do throws(SystemCallError) {
      return try read(name)?.digest()
    } catch {
      if [ELOOP, ENXIO, EACCES].contains(error.code) { return nil }
      throw error
    }
  }
}

/// An open file of the directory.
struct PlaylistFile: ~Copyable {
  /// The maximum size of a list that a player changed, in bytes: 100,000 songs.
  static let mostBytes = 16 << 20
  /// The number of bytes read at once.
  private static let piece = 64 << 10

  private let file: OpenFile
  let status: FileStatus

  init(_ file: consuming OpenFile, _ status: FileStatus) {
    self.file = file
    self.status = status
  }

  borrowing func digest() throws(SystemCallError) -> TextDigest {
    var hasher = TextHasher()
    var offset = 0
    while true {
      let piece = try bytes(at: offset, most: Self.piece)
      hasher.add(piece)
      offset += piece.count
      if piece.count < Self.piece { return hasher.digest }
    }
  }

  /// Reads the whole file, as long as it was when it was opened.
  ///
  /// - Throws: a `SystemCallError`; EFBIG if the file is longer than `mostBytes`.
  borrowing func bytes() throws(SystemCallError) -> [UInt8] {
    guard status.size <= Self.mostBytes else {
      throw SystemCallError("read", "", code: EFBIG)
    }
    return try bytes(at: 0, most: Int(status.size))
  }

  /// Reads a part of the file. Less than asked for is returned only at its end.
  borrowing func bytes(at offset: Int, most count: Int) throws(SystemCallError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
      let got = bytes.withUnsafeMutableBytes { room in
        retrying {
          pread(
            file.descriptor, room.baseAddress?.advanced(by: filled), count - filled,
            off_t(offset + filled))
        }
      }
      guard got >= 0 else { throw SystemCallError("read", "") }
      if got == 0 { break }
      filled += got
    }
    bytes.removeLast(count - filled)
    return bytes
  }
}
