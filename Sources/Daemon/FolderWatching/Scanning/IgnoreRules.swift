/// The rules of a `.crateignore` file, in the syntax of gitignore. Pure and bounded: lines and
/// patterns beyond the limits are ignored.
struct IgnoreRules: Equatable {
  static let mostPatterns = 1_000
  static let mostBytes = 64 << 10

  private struct Pattern: Equatable {
    /// The parts between slashes; "**" stands for any number of directories.
    var parts: [[UInt8]]
    var takesIn: Bool
    var isForFolders: Bool
  }

  private var patterns: [Pattern] = []
  var isEmpty: Bool { patterns.isEmpty }

  init(_ text: some Sequence<UInt8>) {
    let lines = Array(text.prefix(Self.mostBytes)).split(separator: UInt8(ascii: "\n"))
    for line in lines.prefix(Self.mostPatterns) {
      if let pattern = Self.pattern(Array(line)) { patterns.append(pattern) }
    }
  }

  /// Returns true if the last matching pattern leaves the path out, and false if it includes it;
  /// nil if none matches.
  /// - Parameter path: the parts of the path below the directory that the file is in.
  func leavesOut(_ path: [[UInt8]], isFolder: Bool) -> Bool? {
    let match = patterns.last {
      (isFolder || !$0.isForFolders) && matches(path[...], $0.parts[...])
    }
    return match.map { !$0.takesIn }
  }

  private static func pattern(_ line: [UInt8]) -> Pattern? {
    var line = line[...]
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    while line.last == blank, line.dropLast().last != backslash { line.removeLast() }
    guard let first = line.first, first != UInt8(ascii: "#") else { return nil }
    let takesIn = first == UInt8(ascii: "!")
    if takesIn { line.removeFirst() }
    let isForFolders = line.last == slash
    if isForFolders { line.removeLast() }
    let isAnchored = line.contains(slash)
    var parts = line.split(separator: slash).map(Array.init)
    if parts.isEmpty { return nil }
    if !isAnchored { parts.insert(anyFolders, at: 0) }
    return Pattern(parts: parts, takesIn: takesIn, isForFolders: isForFolders)
  }

  /// Matches without backtracking: each part of the path is compared with each part of the pattern
  /// at most once.
  private func matches(_ path: ArraySlice<[UInt8]>, _ parts: ArraySlice<[UInt8]>) -> Bool {
    // reached[n]: the first n parts of the pattern match what was seen of the path.
    var reached = [Bool](repeating: false, count: parts.count + 1)
    reached[0] = true
    func skipAnyFolders() {
      for (index, part) in parts.enumerated() where reached[index] && part == anyFolders {
        // At the end, "**" stands for something below.
        if index + 1 < parts.count { reached[index + 1] = true }
      }
    }
    skipAnyFolders()
    for name in path {
      var next = [Bool](repeating: false, count: parts.count + 1)
      for (index, part) in parts.enumerated() where reached[index] {
        if part == anyFolders {
          next[index] = true
          if index + 1 == parts.count { next[index + 1] = true }
        } else if matchesName(name, part) {
          next[index + 1] = true
        }
      }
      reached = next
      skipAnyFolders()
    }
    return reached[parts.count]
  }
}

/// Matches a pattern without slashes: `*`, `?`, `[a-z]`, `[!a]`, and a backslash before any of
/// them.
private func matchesName(_ name: [UInt8], _ pattern: [UInt8]) -> Bool {
  var place = 0
  var at = 0
  var star: (pattern: Int, name: Int)?
  while at < name.count {
    if place < pattern.count, pattern[place] == UInt8(ascii: "*") {
      star = (place + 1, at)
      place += 1
    } else if let next = matchOne(name[at], pattern, place) {
      place = next
      at += 1
    } else if let last = star {
      // The star matches one byte more.
      at = last.name + 1
      place = last.pattern
      star = (place, at)
    } else {
      return false
    }
  }
  while place < pattern.count, pattern[place] == UInt8(ascii: "*") { place += 1 }
  return place == pattern.count
}

/// Returns where the pattern continues after one byte; nil if the byte doesn't match.
private func matchOne(_ byte: UInt8, _ pattern: [UInt8], _ place: Int) -> Int? {
  guard place < pattern.count else { return nil }
  switch pattern[place] {
  case UInt8(ascii: "?"):
    return place + 1
  case UInt8(ascii: "["):
    var members = pattern[(place + 1)...]
    let isNegated = members.first == UInt8(ascii: "!") || members.first == UInt8(ascii: "^")
    if isNegated { members.removeFirst() }
    // A bracket that comes first is a member.
    guard let end = members.dropFirst().firstIndex(of: UInt8(ascii: "]"))
    else { return pattern[place] == byte ? place + 1 : nil }
    return isMember(byte, of: members[..<end]) != isNegated ? end + 1 : nil
  case backslash where place + 1 < pattern.count:
    return pattern[place + 1] == byte ? place + 2 : nil
  default:
    return pattern[place] == byte ? place + 1 : nil
  }
}

private func isMember(_ byte: UInt8, of members: ArraySlice<UInt8>) -> Bool {
  var members = members
  while let first = members.popFirst() {
    // A dash at the end is a member.
    if members.first == UInt8(ascii: "-"), members.count > 1 {
      members.removeFirst()
      let last = members.removeFirst()
      if first <= byte && byte <= last { return true }
    } else if first == byte {
      return true
    }
  }
  return false
}

private let slash = UInt8(ascii: "/")
private let blank = UInt8(ascii: " ")
private let backslash = UInt8(ascii: "\\")
private let anyFolders = Array("**".utf8)
