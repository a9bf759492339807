@testable import LibraryModel

/// A file of a simulated music folder, as far as the specification looks at it.
struct PlainFile: Hashable {
  /// 0: too little sound to tell files apart by it.
  var sound: Int
  var tags = SongTags()
  var inode: UInt64
  /// Nanoseconds since 1970; 0 on file systems without stable inodes.
  var birth: Int64
  var milliseconds = 60_000
  /// Milliseconds since 1970.
  var modified: Int64

  init(
    sound: Int, tags: SongTags = SongTags(), inode: UInt64, birth: Int64? = nil,
    milliseconds: Int = 60_000,
    modified: Int64 = 1000
  ) {
    (self.sound, self.tags, self.inode) = (sound, tags, inode)
    self.birth = birth ?? 2_000_000_000_000_000_000 + Int64(inode)
    (self.milliseconds, self.modified) = (milliseconds, modified)
  }

  func isSameFile(as other: PlainFile) -> Bool {
    birth != 0 && inode == other.inode && birth == other.birth
  }
}

/// The title as tagged, else the name without extension and without a leading track number, if
/// text remains.
func plainTitle(_ file: PlainFile, _ path: String) -> String {
  if !file.tags.title.isEmpty { return file.tags.title }
  let name = plainText(stem(fileName(path)))
  let digits = name.prefix { $0.isASCII && $0.isNumber }
  guard (1...3).contains(digits.count) else { return plainShown(name) }
  let rest = name.dropFirst(digits.count)
  let text = rest.drop { " ._-".contains($0) }
  return plainShown(text.count < rest.count && !text.isEmpty ? String(text) : name)
}

func plainDisc(_ file: PlainFile, _ path: String) -> Int {
  file.tags.disc ?? plainDisc(ofFolder: parent(path)) ?? 1
}
