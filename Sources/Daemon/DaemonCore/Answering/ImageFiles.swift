import Glibc
import LibraryModel
import Platform
import TagReading

/// The images that people put beside their music.
enum ImageFiles {
  /// The best in a directory; nil where there is none, or none can be seen.
  ///
  /// - Parameter isShown: only of kinds that pixels are made of.
  static func best(in folder: BytePath, isShown: Bool = false) -> BytePath? {
    guard let opened = OpenFile(folder, O_RDONLY | O_DIRECTORY) else { return nil }
    var best: (rank: Int, name: [UInt8])?
    try? DirectoryNames().read(opened.descriptor) { name, _ in
      guard let rank = CoverNames.rank(name, isShown: isShown), rank < best?.rank ?? .max else {
        return
      }
      best = (rank, Array(name))
    }
    return best.map { folder.appending($0.name) }
  }

  /// A regular file, links followed.
  static func open(_ path: BytePath) -> OpenFile? {
    guard let file = OpenFile(path, O_RDONLY | O_NONBLOCK),
      let status = FileStatus(descriptor: file.descriptor), status.isFile
    else { return nil }
    return file
  }

  /// The whole of it; nil where it can't be read, or is longer than a picture may be.
  static func contents(_ file: borrowing OpenFile) -> [UInt8]? {
    let most = ReaderReply.pictureBytesMost
    var bytes = [UInt8](repeating: 0, count: most + 1)
    var count = 0
    while count <= most {
      let got = bytes.withUnsafeMutableBytes { bytes in
        retrying {
          read(file.descriptor, bytes.baseAddress?.advanced(by: count), bytes.count - count)
        }
      }
      if got < 0 { return nil }
      if got == 0 { return Array(bytes[..<count]) }
      count += got
    }
    return nil
  }
}
