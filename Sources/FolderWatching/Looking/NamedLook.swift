import Glibc
import LibraryModel
import Platform

/// What a look at files by name came to.
enum NamedLook {
  case done
  /// The directory itself is not to be looked at by this path.
  case isDeclined
  /// There may be more to find than was asked for.
  case isNotEnough
}

extension DirectoryLook {
  /// Looks at files by name, in a directory that was listed before: those that are not there are
  /// not in the listing. Only of plain files there is more to say than that more has to be looked
  /// at.
  ///
  /// - Parameters:
  ///   - names: without any that are left out whatever the person wants.
  ///   - rules: of its `.crateignore`, as they were read.
  ///   - watch: declines the look as for a listing, or asks for that.
  func look(
    at names: [[UInt8]], in path: BytePath, isLink: Bool, into listing: inout FolderListing,
    rules: IgnoreRules?, isLeftOut: (FolderListing, FolderListing.Entry) -> Bool,
    watch: (Int32, FolderStatus) -> NamedLook
  ) throws(SystemCallError) -> NamedLook {
    listing.removeAll()
    listing.ignoreRules = rules
    let directory = try open(path, isLink: isLink)
    _ = try status(directory.descriptor, path, &listing)
    let answer = watch(directory.descriptor, listing.status)
    guard answer == .done else { return answer }
    for name in names {
      let status = BytePath(name).withCPath {
        FileStatus(directory: directory.descriptor, name: $0, followsLinks: false)
      }
      guard let status else {
        if errno == ENOENT { continue }
        return .isNotEnough
      }
      // What happened to a file with several names was told by one of them.
      guard status.isFile, status.links == 1 else { return .isNotEnough }
      name.withUnsafeBufferPointer { listing.append($0, .file, isLink: false) }
      var entry = listing.entries.removeLast()
      if isLeftOut(listing, entry) { continue }
      if fill(&entry, status, path, listing) { listing.entries.append(entry) }
    }
    return .done
  }

  /// Whether a name in other letters is another name: directories of some file systems can be made
  /// so that it isn't, and the kernel then tells of a file by any of them.
  func tellsCases(_ directory: Int32, _ listing: FolderListing) -> Bool {
    for entry in listing.entries where entry.kind == .file && !entry.isLink {
      let name = listing.name(entry)
      let other = name.map { byte in
        let isLetter = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
        return isLetter ? byte ^ 0x20 : byte
      }
      if other == name { continue }
      let status = BytePath(other).withCPath {
        FileStatus(directory: directory, name: $0, followsLinks: false)
      }
      return status.map { Inode($0).inode != entry.inode } ?? (errno == ENOENT)
    }
    return false
  }
}
