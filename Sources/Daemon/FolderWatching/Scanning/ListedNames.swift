import LibraryModel

/// Decides which names are listed. Pure.
enum ListedNames {
  /// Whether the name is hidden, or that of an unfinished file of another program. "...And Justice
  /// for All" and ".38 Special" are music.
  static func isLeftOut(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    if isTrash(name) { return false }
    guard let first = name.first else { return true }
    if first == dot {
      guard name.count > 1 else { return true }
      let second = name[1]
      if second != dot && !(zero...nine).contains(second) { return true }
    }
    if ends.contains(where: { hasEnd(name, $0) }) { return true }
    return equals(name, lostAndFound) || isCopyInProgress(name)
  }

  static func isLeftOut(_ name: [UInt8]) -> Bool {
    name.withUnsafeBufferPointer { isLeftOut($0) }
  }

  /// Whether servers or Windows keep deleted files, snapshots, or files of their own in a directory
  /// of this name. It is left out unless a rule includes it.
  static func isTrash(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let first = name.first, trashBeginnings.contains(lowercase(first)) else { return false }
    return trash.contains { equals(name, $0) }
  }

  static func isTrash(_ name: [UInt8]) -> Bool {
    name.withUnsafeBufferPointer { isTrash($0) }
  }

  static func isAudio(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    AudioExtensions.areOf(name)
  }

  static func isAudio(_ name: [UInt8]) -> Bool {
    name.withUnsafeBufferPointer { isAudio($0) }
  }

  /// Whether rsync writes to this name: the file's own, hidden, with a dot and six characters
  /// added.
  private static func isCopyInProgress(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    guard name.first == dot, let end = name.lastIndex(of: dot) else { return false }
    let added = name[(end + 1)...]
    guard added.count == 6, added.allSatisfy(isLetterOrDigit) else { return false }
    // ".38 Special.Greats" is a directory: the copy of a song has the song's extension before it.
    return isAudio(UnsafeBufferPointer(rebasing: name[..<end]))
  }

  private static func hasEnd(_ name: UnsafeBufferPointer<UInt8>, _ end: [UInt8]) -> Bool {
    guard name.count >= end.count else { return false }
    for index in end.indices
    where lowercase(name[name.count - end.count + index]) != end[index] {
      return false
    }
    return true
  }

  private static func equals(_ name: UnsafeBufferPointer<UInt8>, _ other: [UInt8]) -> Bool {
    name.count == other.count && hasEnd(name, other)
  }
}

private let dot = UInt8(ascii: ".")
private let zero = UInt8(ascii: "0")
private let nine = UInt8(ascii: "9")
private let lostAndFound = Array("lost+found".utf8)
private let ends = [".part", ".crdownload", ".download", ".!qb", ".aria2", ".tmp"].map {
  Array($0.utf8)
}

/// The names in lower case, of Synology, QNAP, NetApp and ZFS; of Windows, the third one before
/// Vista; of Samba and macOS servers.
private let trash = [
  "#recycle", "#snapshot", "@eadir", "@recycle", "@recently-snapshot", ".snapshot", "~snapshot",
  ".zfs", "$recycle.bin", "recycler", "system volume information", "network trash folder",
  "temporary items",
].map { Array($0.utf8) }
private let trashBeginnings = Set(trash.compactMap(\.first))

private func lowercase(_ byte: UInt8) -> UInt8 {
  (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte + 32 : byte
}

private func isLetterOrDigit(_ byte: UInt8) -> Bool {
  (zero...nine).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(lowercase(byte))
}
