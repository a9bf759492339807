import Glibc
import LibraryModel
import Platform

/// What was read of files while the index was not to be written, as in a first scan, one file
/// behind the other beside the index: a daemon that is killed by then need not read them again. An
/// append is one copy, where the index has a row to sort in and words to gather.
///
/// Derived, as the index is: where it can't be written, files are read again.
package struct UnwrittenFiles: ~Copyable {
  /// Bytes at most; what is beyond is read again. Some three million files.
  static let most = 1 << 30
  /// Bytes of a record, about.
  private static let usual = 256
  /// Before each: how long what follows is, the length of the path, and the song's number.
  private static let head = 16

  private let path: String
  private let most: Int
  private var file: OpenFile?
  private var length = 0
  private var hasFailed = false

  /// - Parameter index: the path of the index, beside which it lies.
  package init(besideIndex index: String) {
    self.init(besideIndex: index, most: Self.most)
  }

  init(besideIndex index: String, most: Int) {
    path = Self.path(besideIndex: index)
    self.most = most
  }

  private static func path(besideIndex index: String) -> String { index + ".unwritten" }

  package var isEmpty: Bool { length == 0 }

  /// Adds files; nothing more once that failed.
  package mutating func append(_ files: [IndexedFile]) {
    guard !hasFailed, !files.isEmpty else { return }
    var bytes: [UInt8] = []
    for file in files { Self.put(file, into: &bytes) }
    // What was cut off is the end of what is read.
    guard length + bytes.count <= most, let descriptor = opened(),
      (try? writeAll(bytes, to: descriptor)) != nil
    else {
      hasFailed = true
      return
    }
    length += bytes.count
  }

  /// The index has them all.
  package mutating func remove() {
    file = nil
    length = 0
    hasFailed = false
    unlink(path)
  }

  /// The descriptor of the file, which is opened if need be; nil where it can't be.
  private mutating func opened() -> Int32? {
    if let descriptor { return descriptor }
    // Behind what an earlier daemon left, which the index has yet to get.
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

  private static func put(_ file: IndexedFile, into bytes: inout [UInt8]) {
    let facts = file.facts.packed
    for number in [UInt32(file.path.bytes.count + facts.count), UInt32(file.path.bytes.count)] {
      withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }
    withUnsafeBytes(of: file.song.number.littleEndian) { bytes.append(contentsOf: $0) }
    bytes += file.path.bytes
    bytes += facts
  }

  // MARK: Reading

  /// What was left.
  struct Left {
    /// Each path once, in the order in which they came first.
    private(set) var files: [IndexedFile] = []
    private var places: [BytePath: Int32] = [:]

    /// - Parameter count: the number of files for which there is room from the beginning.
    fileprivate init(room count: Int = 0) {
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

  /// What was left, up to the first that is damaged; of one path the newest.
  static func read(besideIndex index: String, most: Int = UnwrittenFiles.most) -> Left {
    let descriptor = Glibc.open(path(besideIndex: index), O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return Left() }
    let file = OpenFile(owning: descriptor)
    var found = stat()
    guard fstat(file.descriptor, &found) == 0, found.st_size <= most else { return Left() }
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
      var left = Left(room: bytes.count / usual)
      var rest = bytes[...]
      while let one = takeFirst(&rest) { left.add(one) }
      return left
    }
  }

  private static func number(in bytes: UnsafeRawBufferPointer, at place: Int) -> Int {
    Int(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self)))
  }

  private static func takeFirst(_ rest: inout UnsafeRawBufferPointer.SubSequence) -> IndexedFile? {
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
