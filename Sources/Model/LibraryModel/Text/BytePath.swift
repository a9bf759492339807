import CXXHash

/// A path as the bytes the kernel knows it by. Two names that differ in normalisation alone are two
/// names, and a name need not be UTF-8; `String` would equate the first and break the second.
///
/// It is kept in two parts, so that the files of a folder can have the first one in common, and the
/// watcher and the library the second: with many songs, paths are most of what is in memory.
package struct BytePath: Hashable, Sendable {
  /// Up to the last slash, and with it; nothing for a bare name.
  private let front: [UInt8]
  /// What follows the last slash.
  package let name: [UInt8]

  private init(front: [UInt8], name: [UInt8]) {
    self.front = front
    self.name = name
  }

  package init(_ bytes: [UInt8]) {
    if let last = bytes.lastIndex(of: slash) {
      self.init(front: Array(bytes[...last]), name: Array(bytes[(last + 1)...]))
    } else {
      self.init(front: [], name: bytes)
    }
  }

  package init(_ text: String) { self.init(Array(text.utf8)) }

  /// Put together each time.
  package var bytes: [UInt8] {
    if front.isEmpty { return name }
    return [UInt8](unsafeUninitializedCapacity: count) { room, used in
      let rest = room[room.initialize(fromContentsOf: front)...]
      used = rest.initialize(fromContentsOf: name)
    }
  }

  /// The bytes with a closing NUL, as system calls take them.
  package var cString: [CChar] { bytes.map { CChar(bitPattern: $0) } + [0] }

  package var count: Int { front.count + name.count }

  /// The path as text for people: bytes that are not UTF-8 become U+FFFD.
  package var display: String { String(decoding: bytes, as: UTF8.self) }

  package var isEmpty: Bool { name.isEmpty && front.isEmpty }

  package static func == (left: BytePath, right: BytePath) -> Bool {
    left.name == right.name && left.front == right.front
  }

  package func isSame(as bytes: [UInt8]) -> Bool { bytes.withUnsafeBytes { isSame(as: $0) } }

  /// Compares with whole bytes, without joining the two parts of the path.
  package func isSame(as bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.count == count
      && front.withUnsafeBytes { precedence($0, bytes, first: $0.count) } == nil
      && name.withUnsafeBytes {
        precedence($0, UnsafeRawBufferPointer(rebasing: bytes[front.count...]), first: $0.count)
      } == nil
  }

  /// Appends the bytes of the path, without joining its two parts first.
  package func append(to bytes: inout [UInt8]) {
    bytes += front
    bytes += name
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(hash) }

  /// A hash that is the same in every process. It takes all bytes at once: an array hashes them one
  /// by one, which takes ten times as long.
  var hash: UInt64 {
    let above = front.withUnsafeBytes { crated_xxh3_128($0.baseAddress, $0.count) }
    let own = name.withUnsafeBytes { crated_xxh3_128($0.baseAddress, $0.count) }
    return above.low &+ own.high
  }

  /// Whether all that precedes the last slash is ASCII.
  var hasASCIIFolder: Bool { front.allSatisfy { $0 & 0x80 == 0 } }

  /// What precedes the last slash; nothing for a bare name.
  package var parent: BytePath { BytePath(Array(front.dropLast())) }

  /// What all paths beside this one have in common: `parent` with its slash. Costs nothing.
  package var beside: BytePath { BytePath(front: front, name: []) }

  /// Returns the path sharing its folder's bytes with other recent paths of that folder. For paths
  /// that are kept.
  package func sharingFolder() -> BytePath {
    BytePath(front: sharedFolders.same(as: front), name: name)
  }

  /// The name's extension in lower case, without its dot; empty where there is none.
  package var pathExtension: String {
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex else { return "" }
    return String(decoding: name[(dot + 1)...], as: UTF8.self).lowercased()
  }

  /// Joins two paths with a slash. Returns this path if the other one is empty.
  package func appending(_ path: BytePath) -> BytePath {
    if path.isEmpty { return self }
    var front: [UInt8] = []
    front.reserveCapacity(count + 1 + path.front.count)
    front += self.front
    front += name
    if !name.isEmpty { front.append(slash) }
    front += path.front
    return BytePath(front: front, name: path.name)
  }

  package func appending(_ name: some Collection<UInt8>) -> BytePath {
    appending(BytePath(Array(name)))
  }

  /// Whether the path is the folder or lies below it.
  package func isInside(_ folder: BytePath) -> Bool {
    guard begins(with: folder) else { return false }
    let length = folder.count
    return folder.name.isEmpty || length == count
      || length < front.count && front[length] == slash
  }

  private func begins(with other: BytePath) -> Bool {
    // What goes beyond the last slash has its own last slash there, too.
    if other.count > front.count { return front == other.front && name.starts(with: other.name) }
    return front.starts(with: other.front, at: 0)
      && front.starts(with: other.name, at: other.front.count)
  }

  /// What follows the folder and a slash; nil outside it.
  package func relative(to folder: BytePath) -> BytePath? {
    guard isInside(folder) else { return nil }
    let length = folder.count
    if length > front.count { return BytePath([]) }
    let rest = front.dropFirst(length)
    return BytePath(front: Array(rest.first == slash ? rest.dropFirst() : rest), name: name)
  }
}

extension BytePath: Comparable {
  /// Compares all bytes of the two paths.
  package static func < (left: BytePath, right: BytePath) -> Bool {
    let common = min(left.front.count, right.front.count)
    if let byFront = precedence(left.front, right.front, first: common) { return byFront }
    if left.front.count == right.front.count {
      let shorter = min(left.name.count, right.name.count)
      return precedence(left.name, right.name, first: shorter)
        ?? (left.name.count < right.name.count)
    }
    // A name has no slash, with which the longer first part ends: they differ before that.
    if left.front.count < right.front.count {
      let rest = right.front[common...]
      return left.name.lexicographicallyPrecedes(rest)
    }
    let rest = left.front[common...]
    return rest.lexicographicallyPrecedes(right.name)
  }
}

/// Whether the left one comes first by the first so many bytes of the two, nil where these are the
/// same, eight at a time: whoever sorts all paths of a library compares what they have in common
/// again and again.
private func precedence(_ left: [UInt8], _ right: [UInt8], first count: Int) -> Bool? {
  left.withUnsafeBytes { left in
    right.withUnsafeBytes { right in precedence(left, right, first: count) }
  }
}

private func precedence(
  _ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer, first count: Int
) -> Bool? {
  var place = 0
  while place + 8 <= count {
    let one = UInt64(bigEndian: left.loadUnaligned(fromByteOffset: place, as: UInt64.self))
    let other = UInt64(bigEndian: right.loadUnaligned(fromByteOffset: place, as: UInt64.self))
    if let isBefore = precedence(one, other) { return isBefore }
    place += 8
  }
  while place < count {
    if let isBefore = precedence(left[place], right[place]) { return isBefore }
    place += 1
  }
  return nil
}

extension [UInt8] {
  fileprivate func starts(with part: [UInt8], at place: Int) -> Bool {
    guard part.count <= count - place else { return false }
    return withUnsafeBytes { own in
      part.withUnsafeBytes {
        precedence(UnsafeRawBufferPointer(rebasing: own[place...]), $0, first: $0.count) == nil
      }
    }
  }
}

/// First parts of paths.
private let sharedFolders = SharedParts()

private let slash = UInt8(ascii: "/")
