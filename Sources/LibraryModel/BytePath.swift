import CXXHash

/// A path as the bytes the kernel knows it by. Two names that differ in normalisation alone are two
/// names, and a name need not be UTF-8; `String` would equate the first and break the second.
package struct BytePath: Hashable, Sendable {
  package let bytes: [UInt8]

  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  package init(_ text: String) {
    self.bytes = Array(text.utf8)
  }

  /// For people: bytes that are not UTF-8 become U+FFFD.
  package var display: String { String(decoding: bytes, as: UTF8.self) }

  package var isEmpty: Bool { bytes.isEmpty }

  /// All at once: an array hashes its bytes one by one, which takes ten times as long.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(bytes.withUnsafeBytes { crated_xxh3_128($0.baseAddress, $0.count).low })
  }

  /// What follows the last slash.
  package var name: ArraySlice<UInt8> {
    guard let slash = bytes.lastIndex(of: slash) else { return bytes[...] }
    return bytes[(slash + 1)...]
  }

  /// What precedes the last slash; nothing for a bare name.
  package var parent: BytePath {
    guard let slash = bytes.lastIndex(of: slash) else { return BytePath([]) }
    return BytePath(Array(bytes[..<slash]))
  }

  /// The name's extension in lower case, without its dot; empty where there is none.
  package var pathExtension: String {
    let name = name
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex else { return "" }
    return String(decoding: name[(dot + 1)...], as: UTF8.self).lowercased()
  }

  package func appending(_ name: some Collection<UInt8>) -> BytePath {
    var result = bytes
    result.reserveCapacity(bytes.count + 1 + name.count)
    if !bytes.isEmpty && bytes.last != slash { result.append(slash) }
    result.append(contentsOf: name)
    return BytePath(result)
  }

  /// Whether the path is the folder or lies below it.
  package func isInside(_ folder: BytePath) -> Bool {
    guard bytes.starts(with: folder.bytes) else { return false }
    return bytes.count == folder.bytes.count || folder.bytes.last == slash || folder.isEmpty
      || bytes[folder.bytes.count] == slash
  }

  /// What follows the folder and a slash; nil outside it.
  package func relative(to folder: BytePath) -> BytePath? {
    guard isInside(folder) else { return nil }
    let rest = bytes.dropFirst(folder.bytes.count)
    return BytePath(Array(rest.first == slash ? rest.dropFirst() : rest))
  }
}

extension BytePath: Comparable {
  package static func < (left: BytePath, right: BytePath) -> Bool {
    left.bytes.lexicographicallyPrecedes(right.bytes)
  }
}

private let slash = UInt8(ascii: "/")
