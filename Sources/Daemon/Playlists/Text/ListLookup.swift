package import LibraryModel
import Text

/// Which songs the lines of lists mean, whoever wrote these: by their paths, of which the library's
/// rules of matching know many ways to write them. Made for the lists of one look and let go, since
/// it takes as much memory as all paths.
package struct ListLookup {
  private let matching: ListMatching

  /// - Parameter directory: of the lists, as the settings name it.
  init(_ library: Library, _ place: PlaylistPlace, named directory: BytePath) {
    let real = BytePath(Array(place.directory.dropLast()))
    var lists = [directory, real]
    for root in place.roots {
      // Songs are known by what the settings call their folder.
      if let rest = real.relative(to: root.real) { lists.append(root.named.appending(rest)) }
    }
    matching = ListMatching(
      SongLookup(library), lists: lists,
      roots: place.roots.filter { $0.named != $0.real }.map { ($0.real.bytes, $0.named) },
      looksAtNames: false)
  }

  /// In their order.
  ///
  /// What is no UTF-8 is read as it is, then in the code pages that players use, and is the first
  /// of these in which most of it is songs.
  ///
  /// - Returns: nil where it is a list of another kind.
  package func lines(in bytes: [UInt8]) -> [EditedList.Line]? {
    var usual: [EditedList.Line]?
    for text in ListText.readings(of: bytes) {
      guard let wanted = PlaylistLines.wanted(in: text) else { return nil }
      let songs = matching.matches(of: wanted).map(\.song)
      let lines = zip(wanted, songs).map { wanted, song -> EditedList.Line in
        song.map { .song($0) } ?? .unknown(BytePath(wanted.path).display)
      }
      if songs.count(where: { $0 != nil }) * 2 > songs.count { return lines }
      usual = usual ?? lines
    }
    return usual
  }
}
