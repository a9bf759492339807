import CXXHash

/// A path as the kernel's bytes. Two names that differ only in Unicode normalization are different,
/// and a name need not be UTF-8. `String` would equate the former and corrupt the latter.
///
/// It is stored in two parts. The files of a folder can share the first one, and the watcher and
/// the library the second. With many songs, paths take most of the memory.
package struct BytePath: Hashable, Sendable {
  /// Everything up to and including the last slash. Empty for a bare name.
  private let front: [UInt8]
  /// Everything after the last slash.
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

  /// The bytes of both parts. Joined on each call.
  package var bytes: [UInt8] {
    if front.isEmpty { return name }
    return [UInt8](unsafeUninitializedCapacity: count) { room, used in
      let rest = room[room.initialize(fromContentsOf: front)...]
      used = rest.initialize(fromContentsOf: name)
    }
  }

  /// The bytes with a terminating NUL, for system calls.
  package var cString: [CChar] { bytes.map { CChar(bitPattern: $0) } + [0] }

  package var count: Int { front.count + name.count }

  /// The path as text for the user, with bytes that are not UTF-8 replaced by U+FFFD.
  package var display: String { String(decoding: bytes, as: UTF8.self) }

  package var isEmpty: Bool { name.isEmpty && front.isEmpty }

  package static func == (left: BytePath, right: BytePath) -> Bool {
    left.name == right.name && left.front == right.front
  }

  package func isSame(as bytes: [UInt8]) -> Bool { bytes.withUnsafeBytes { isSame(as: $0) } }

  /// Compares with the bytes of a path, without joining the two parts of this one.
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

  /// A hash that is the same in every process. It hashes all bytes at once, since an array hashes
  /// them one by one, which takes ten times as long.
  var hash: UInt64 {
    let above = front.withUnsafeBytes { crated_xxh3_128($0.baseAddress, $0.count) }
    let own = name.withUnsafeBytes { crated_xxh3_128($0.baseAddress, $0.count) }
    return above.low &+ own.high
  }

  /// Whether everything before the last slash is ASCII.
  var hasASCIIFolder: Bool { front.allSatisfy { $0 & 0x80 == 0 } }

  /// Everything before the last slash. Empty for a bare name.
  package var parent: BytePath { BytePath(Array(front.dropLast())) }

  /// The common prefix of all paths beside this one: `parent` with its slash. It allocates nothing.
  package var beside: BytePath { BytePath(front: front, name: []) }

  /// Returns the path sharing its folder's bytes with other recent paths of that folder. For paths
  /// that are stored.
  package func sharingFolder() -> BytePath {
    BytePath(front: sharedFolders.same(as: front), name: name)
  }

  /// The name's extension in lowercase, without its dot. Empty if there is none.
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

  /// Whether the path is the folder or is below it.
  package func isInside(_ folder: BytePath) -> Bool {
    guard begins(with: folder) else { return false }
    let length = folder.count
    return folder.name.isEmpty || length == count
      || length < front.count && front[length] == slash
  }

  private func begins(with other: BytePath) -> Bool {
    // A prefix longer than the front part has its last slash at the same place.
    if other.count > front.count { return front == other.front && name.starts(with: other.name) }
    return front.starts(with: other.front, at: 0)
      && front.starts(with: other.name, at: other.front.count)
  }

  /// Returns the path below the folder, or nil if it is outside.
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
    // A name has no slash, but the longer first part ends with one, so they differ before that.
    if left.front.count < right.front.count {
      let rest = right.front[common...]
      return left.name.lexicographicallyPrecedes(rest)
    }
    let rest = left.front[common...]
    return rest.lexicographicallyPrecedes(right.name)
  }
}

/// Whether the first bytes of the left one come first, or nil if they are equal. It compares eight
/// bytes at a time, since sorting all paths of a library compares common prefixes again and again.
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

/// The shared first parts of paths.
private let sharedFolders = SharedParts()

private let slash = UInt8(ascii: "/")
