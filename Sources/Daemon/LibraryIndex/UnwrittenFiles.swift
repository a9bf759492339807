import Glibc
import LibraryModel
import Platform

/// A log beside the index of files that were read and are not in the index yet. The index isn't
/// written during a first scan; after a kill the next daemon need not read these files again.
/// Appending copies a few hundred bytes, whereas SQLite sorts in a row and updates the words.
///
/// The log is derived data, like the index: if it can't be written, the files are read again.
package struct UnwrittenFiles: ~Copyable {
  /// The maximum size of the log in bytes, some three million files. Files beyond it are read
  /// again.
  static let most = 1 << 30
  /// The size of an average record in bytes.
  private static let usual = 256
  /// The bytes before each record: its length, the length of the path in it, and the song's number.
  private static let head = 16

  private let path: String
  private let most: Int
  private var file: OpenFile?
  private var length = 0
  private var hasFailed = false

  /// - Parameter index: the path of the index.
  package init(besideIndex index: String) {
    self.init(besideIndex: index, most: Self.most)
  }

  init(besideIndex index: String, most: Int) {
    path = Self.path(besideIndex: index)
    self.most = most
  }

  private static func path(besideIndex index: String) -> String { index + ".unwritten" }

  package var isEmpty: Bool { length == 0 }

  /// Appends files. After a failure nothing is appended until `remove`: only what precedes a
  /// damaged record is read.
  package mutating func append(_ files: [IndexedFile]) {
    guard !hasFailed, !files.isEmpty else { return }
    var bytes: [UInt8] = []
    for file in files { Self.append(file, to: &bytes) }
    guard length + bytes.count <= most, let descriptor = opened(),
      (try? writeAll(bytes, to: descriptor)) != nil
    else {
      hasFailed = true
      return
    }
    length += bytes.count
  }

  /// Removes the log; called when the index has all of its files.
  package mutating func remove() {
    file = nil
    length = 0
    hasFailed = false
    unlink(path)
  }

  /// Returns the descriptor of the log, which is opened on first use; nil if that fails.
  private mutating func opened() -> Int32? {
    if let descriptor { return descriptor }
    // Appends to the log of an earlier daemon, whose files are not in the index yet.
    let flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW
    let descriptor = Glibc.open(path, flags, 0o600)
    guard descriptor >= 0 else { return nil }
    file = OpenFile(owning: descriptor)
    return descriptor
  }

  private var descriptor: Int32? {
    switch file {
    case .some(let file): file.descriptor
    case .none: nil
    }
  }

  private static func append(_ file: IndexedFile, to bytes: inout [UInt8]) {
    let facts = file.facts.packed
    for number in [UInt32(file.path.bytes.count + facts.count), UInt32(file.path.bytes.count)] {
      withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }
    withUnsafeBytes(of: file.song.number.littleEndian) { bytes.append(contentsOf: $0) }
    bytes += file.path.bytes
    bytes += facts
  }

  // MARK: Reading

  /// The files in a log, the newest record of each path.
  struct Contents {
    /// In the order in which the paths first appeared.
    private(set) var files: [IndexedFile] = []
    private var places: [BytePath: Int32] = [:]

    fileprivate init(capacity count: Int = 0) {
      files.reserveCapacity(count)
      places.reserveCapacity(count)
    }

    func contains(_ path: BytePath) -> Bool { places[path] != nil }

    fileprivate mutating func add(_ file: IndexedFile) {
      if let former = places.updateValue(Int32(files.count), forKey: file.path) {
        places[file.path] = former
        files[Int(former)] = file
      } else {
        files.append(file)
      }
    }
  }

  /// Reads the log up to the first damaged record. A log longer than `most`, or one that can't be
  /// read, counts as empty.
  static func read(besideIndex index: String, most: Int = UnwrittenFiles.most) -> Contents {
    let descriptor = Glibc.open(path(besideIndex: index), O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return Contents() }
    let file = OpenFile(owning: descriptor)
    var found = stat()
    guard fstat(file.descriptor, &found) == 0, found.st_size <= most else { return Contents() }
    let bytes = [UInt8](unsafeUninitializedCapacity: Int(found.st_size)) { room, count in
      while count < room.count {
        let more = retrying {
          Glibc.read(file.descriptor, room.baseAddress?.advanced(by: count), room.count - count)
        }
        guard more > 0 else { break }
        count += more
      }
    }
    return bytes.withUnsafeBytes { bytes in
      var contents = Contents(capacity: bytes.count / usual)
      var rest = bytes[...]
      while let file = parseFirst(of: &rest) { contents.add(file) }
      return contents
    }
  }

  private static func number(in bytes: UnsafeRawBufferPointer, at place: Int) -> Int {
    Int(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self)))
  }

  private static func parseFirst(
    of rest: inout UnsafeRawBufferPointer.SubSequence
  ) -> IndexedFile? {
    guard rest.count >= head else { return nil }
    let bytes = UnsafeRawBufferPointer(rebasing: rest)
    let (length, pathLength) = (number(in: bytes, at: 0), number(in: bytes, at: 4))
    let song = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    guard pathLength <= length, head + length <= bytes.count,
      let facts = FileFacts(
        packed: UnsafeRawBufferPointer(rebasing: bytes[(head + pathLength)..<(head + length)]))
    else { return nil }
    rest = rest.dropFirst(head + length)
    return IndexedFile(
      path: BytePath(Array(bytes[head..<(head + pathLength)])), song: SongID(number: song),
      facts: facts)
  }
}
