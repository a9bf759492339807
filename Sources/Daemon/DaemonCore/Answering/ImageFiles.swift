import Glibc
import LibraryModel
import Platform
import TagReading

/// Finds and reads the image files beside songs.
enum ImageFiles {
  /// Returns the best image in a directory; nil if there is none, or the directory can't be read.
  ///
  /// - Parameter isShown: Whether only formats count that can be decoded to pixels.
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

  /// Opens a regular file, following symbolic links.
  static func open(_ path: BytePath) -> OpenFile? {
    guard let file = OpenFile(path, O_RDONLY | O_NONBLOCK),
      let status = FileStatus(descriptor: file.descriptor), status.isFile
    else { return nil }
    return file
  }

  /// Returns the whole contents; nil if they can't be read, or exceed the limit of a picture.
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
