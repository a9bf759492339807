import Glibc
package import LibraryModel
import Platform

/// The directory of playlists, opened for as long as they are compared and written.
/// `PlaylistRecords` know which of its files are crated's.
package struct PlaylistFolder: ~Copyable {
  /// What is written before it gets its name.
  static let draft = ".crated-playlist.tmp"

  let path: BytePath
  private let opened: OpenFile
  private let status: FileStatus

  /// Opens the directory, and makes it where it is not there.
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

  /// Makes the directory, as readable as the one above it. That must be there, and not empty: on a
  /// drive that is away, playlists would be hidden below it when it comes.
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
    // What the umask took away.
    chmod(path.cString, mode)
  }

  /// The status of a name, which may be a link; nil where there is nothing, or nothing can be told
  /// of it.
  func status(of name: BytePath) -> FileStatus? {
    FileStatus(directory: opened.descriptor, name: name.cString, followsLinks: false)
  }

  /// Opens a file to be read.
  ///
  /// - Returns: nil where there is none. What is no file, such as a link, is an error (ELOOP).
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

  /// Writes a whole file under another name and gives it its name when it is on the disk. It
  /// outlives a power cut then.
  ///
  /// - Parameters:
  ///   - former: what it takes the place of; nil where nothing is there, and what others put there
  ///     meanwhile is an error (EEXIST).
  ///   - isNamed: is called with its digest before it gets its name.
  /// - Returns: the file as it is then; nil where the former one became another meanwhile, and
  ///   stays.
  borrowing func write(
    _ name: BytePath, over former: FileStatus?,
    before isNamed: (TextDigest) throws(SystemCallError) -> Void,
    _ body: (_ take: ([UInt8]) throws(SystemCallError) -> Bool) throws(SystemCallError) -> Void
  ) throws(SystemCallError) -> FileStatus? {
    var draft = try FileDraft(Array(Self.draft.utf8CString), in: opened.descriptor)
    let descriptor = draft.descriptor
    // Whoever may read the directory may read the playlists. Some file systems have no modes.
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
    try isNamed(hasher.digest)
    // A player may have written it while we wrote ours: what it did is looked at first.
    if let former, self.status(of: name) != former { return nil }
    try draft.take(name.cString, replacing: former != nil)
    try synchronizeDirectory(opened.descriptor)
    // To get its name changes the time of its status alone. Where more differs, a player has
    // written it since, which the next look is to see.
    guard let named = FileStatus(descriptor: descriptor), named.size == written.size,
      named.modified == written.modified
    else { return written }
    return named
  }

  /// What a daemon left that was killed, or had no room.
  borrowing func removeDraft() {
    unlinkat(opened.descriptor, Self.draft, 0)
  }

  /// Removes the file if its bytes are ours. It stays away after a power cut: it would be nobody's
  /// where it came back.
  borrowing func remove(
    _ name: BytePath, where isOurs: (TextDigest) -> Bool
  ) throws(SystemCallError) {
    guard let digest = try digest(of: name), isOurs(digest) else { return }
    guard unlinkat(opened.descriptor, name.cString, 0) == 0 || errno == ENOENT else {
      throw SystemCallError("unlink", "")
    }
    try synchronizeDirectory(opened.descriptor)
  }

  /// Nil for what is no file that we can read, and so can't have written.
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
  /// Bytes of a list that others changed. One of 100,000 songs has as many.
  static let mostBytes = 16 << 20
  /// Bytes that are read at once.
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

  /// All of it; of what grows meanwhile, what was there when it was opened. One that is longer than
  /// `mostBytes` is an error (EFBIG).
  borrowing func bytes() throws(SystemCallError) -> [UInt8] {
    guard status.size <= Self.mostBytes else {
      throw SystemCallError("read", "", code: EFBIG)
    }
    return try bytes(at: 0, most: Int(status.size))
  }

  /// What the file has there; less than asked for at its end only.
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
