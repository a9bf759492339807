import Glibc
import LibraryModel
import Platform

/// The images that people put beside their music.
enum ImageFiles {
  /// Their names, the best first, and what they may end in.
  private static let names = ["cover", "folder", "front"]
  private static let endings = ["jpg", "jpeg", "png", "webp", "gif"]
  /// Endings of those that pixels are made of.
  static let shown: Set<String> = ["jpg", "jpeg", "png"]

  /// The best in a directory; nil where there is none, or none can be seen.
  static func best(in folder: BytePath, ofKinds kinds: Set<String>? = nil) -> BytePath? {
    let directory = Glibc.open(folder.cString, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard directory >= 0 else { return nil }
    let opened = OpenFile(owning: directory)
    var best: (rank: Int, name: [UInt8])?
    try? DirectoryNames().read(opened.descriptor) { name, _ in
      guard let rank = rank(name, ofKinds: kinds), rank < best?.rank ?? .max else { return }
      best = (rank, Array(name))
    }
    return best.map { folder.appending($0.name) }
  }

  /// Lower is better; nil: no cover. In any case of letters.
  static func rank(_ name: some Collection<UInt8>, ofKinds kinds: Set<String>? = nil) -> Int? {
    let words = String(decoding: name, as: UTF8.self).lowercased().split(separator: ".")
    guard words.count == 2, let name = names.firstIndex(of: String(words[0])),
      let ending = endings.firstIndex(of: String(words[1])),
      kinds?.contains(String(words[1])) ?? true
    else { return nil }
    return name * endings.count + ending
  }

  /// A regular file, links followed.
  static func open(_ path: BytePath) -> OpenFile? {
    let flags = O_RDONLY | O_NONBLOCK | O_CLOEXEC
    let descriptor = retrying { Glibc.open(path.cString, flags) }
    guard descriptor >= 0 else { return nil }
    let file = OpenFile(owning: descriptor)
    guard FileStatus(descriptor: file.descriptor)?.isFile == true else { return nil }
    return file
  }
}
