import Glibc
import LibraryModel
import Platform
import Synchronization
import TagReading

/// A cache of shrunk covers on disk, with a file for each picture, side and form. Its directory can
/// be deleted at any time. Files are verified when they are read, and a cover that can't be stored
/// is made again the next time.
final class ThumbnailCache: Sendable {
  /// The limit of all files in bytes: some thousand covers of the size that a terminal shows.
  static let bytesMost = 64 << 20
  /// The age from which a used file is marked as used again: a day, in nanoseconds.
  private static let usedAnew: Int64 = 86_400_000_000_000
  private static let magic = Array("CRTHUMB1".utf8)
  private static let headBytes = 12
  private static let hashBytes = 8

  /// The cached result for a picture.
  enum Entry: Equatable {
    case made(Thumbnail)
    /// The cover can't be shown.
    case unshowable
  }

  private let directory: BytePath
  private let most: Int
  private let clock: Clock
  /// The size of all files in bytes; nil until they are counted.
  private let bytes = Mutex<Int?>(nil)

  init(directory: BytePath, most: Int = bytesMost, clock: Clock) {
    self.directory = directory
    self.most = most
    self.clock = clock
  }

  private func path(_ digest: CoverDigest, _ side: Int, _ form: Thumbnail.Form) -> BytePath {
    let suffix =
      switch form {
      case .pixels: ""
      case .jpeg: ".jpeg"
      }
    return directory.appending("\(digest)-\(side)\(suffix)".utf8)
  }

  // MARK: Reading

  /// Returns nil, and deletes the file if there is one, when it is missing or damaged.
  func entry(_ digest: CoverDigest, side: Int, form: Thumbnail.Form = .pixels) -> Entry? {
    let path = path(digest, side, form)
    guard let file = OpenFile(path, O_RDONLY | O_NOFOLLOW) else { return nil }
    let longest = Self.headBytes + Thumbnail.bytesMost + Self.hashBytes
    guard let status = FileStatus(descriptor: file.descriptor), status.isFile,
      let bytes = contents(file.descriptor, status.size, most: longest),
      let entry = Self.decoded(bytes, side, form)
    else {
      unlink(path.cString)
      return nil
    }
    markUsed(file.descriptor, status)
    return entry
  }

  private func contents(_ file: Int32, _ size: Int64, most: Int) -> [UInt8]? {
    guard size <= most else { return nil }
    var bytes = [UInt8](repeating: 0, count: Int(size))
    let count = retrying { pread(file, &bytes, bytes.count, 0) }
    return count == bytes.count ? bytes : nil
  }

  private static func decoded(_ bytes: [UInt8], _ side: Int, _ form: Thumbnail.Form) -> Entry? {
    let end = bytes.count - hashBytes
    guard end >= headBytes, bytes.starts(with: magic), hash(bytes[..<end]) == Array(bytes[end...])
    else { return nil }
    let width = Int(bytes[8]) | Int(bytes[9]) << 8
    let height = Int(bytes[10]) | Int(bytes[11]) << 8
    if width == 0, height == 0, end == headBytes { return .unshowable }
    guard max(width, height) <= side else { return nil }
    let kept = Array(bytes[headBytes..<end])
    return Thumbnail(width: width, height: height, form: form, bytes: kept).map(Entry.made)
  }

  private static func hash(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    let number = CoverDigest(of: Array(bytes)).number
    return (0..<hashBytes).map { UInt8(truncatingIfNeeded: number >> UInt64(8 * $0)) }
  }

  /// Marks the file as used now, so that covers that are shown often stay.
  private func markUsed(_ file: Int32, _ status: FileStatus) {
    if clock.wall() - status.modified > Self.usedAnew { futimens(file, nil) }
  }

  // MARK: Writing

  func keep(
    _ entry: Entry, _ digest: CoverDigest, side: Int, form: Thumbnail.Form = .pixels
  ) {
    var bytes = Self.magic
    switch entry {
    case .made(let made):
      for length in [made.width, made.height] {
        bytes += [UInt8(length & 0xFF), UInt8(length >> 8)]
      }
      bytes += made.bytes
    case .unshowable: bytes += [0, 0, 0, 0]
    }
    bytes += Self.hash(bytes[...])
    let path = path(digest, side, form)
    self.bytes.withLock { total in
      do {
        // The directory may have been deleted.
        try makeDirectories(directory.bytes)
        try replaceFile(path.bytes, with: bytes, isDurable: false)
      } catch {
        return
      }
      let before = total ?? files().reduce(0) { $0 + $1.bytes } - bytes.count
      total = before + bytes.count
      if before + bytes.count > most { total = tidied() }
    }
  }

  private func files() -> [(path: BytePath, bytes: Int, used: Int64)] {
    guard let opened = OpenFile(directory, O_RDONLY | O_DIRECTORY) else { return [] }
    var found: [(path: BytePath, bytes: Int, used: Int64)] = []
    try? DirectoryNames().read(opened.descriptor) { name, kind in
      guard kind == .file else { return }
      let path = directory.appending(Array(name))
      guard let status = FileStatus(name: path.cString, followsLinks: false) else { return }
      found.append((path, Int(status.size), status.modified))
    }
    return found
  }

  /// Removes the least recently used files, and returns the size of the rest in bytes.
  private func tidied() -> Int {
    let files = files().sorted { $0.used < $1.used }
    var total = files.reduce(0) { $0 + $1.bytes }
    // Well below the limit, so that cleaning up is rare.
    let enough = most / 4 * 3
    for file in files where total > enough {
      unlink(file.path.cString)
      total -= file.bytes
    }
    return total
  }
}
