package import LibraryModel
import Text

/// Which songs the lines of lists mean, whoever wrote these: by their paths, of which the library's
/// rules of matching know many ways to write them. Made for the lists of one look and let go, since
/// it takes as much memory as all paths.
package struct ListLookup {
  /// Why a file is no list that a player can have made of one of crated's.
  package enum Unlikely: String, Error {
    case otherKind = "this is a list of another kind than crated's"
    /// To look them all up would take more memory than there may be.
    case endless = "this list has more than twice as many lines as there are songs"
  }

  private let matching: ListMatching
  private let mostLines: Int

  /// - Parameter directory: of the lists, as the settings name it.
  init(_ library: Library, _ place: PlaylistPlace, named directory: BytePath) {
    let real = BytePath(Array(place.directory.dropLast()))
    var lists = [directory, real]
    for root in place.roots {
      // Songs are known by what the settings call their folder.
      if let rest = real.relative(to: root.real) { lists.append(root.named.appending(rest)) }
    }
    mostLines = 2 * library.songs.count + 1_000
    matching = ListMatching(
      SongLookup(library), lists: lists,
      roots: place.roots.filter { $0.named != $0.real }.map { ($0.real.bytes, $0.named) },
      looksAtNames: false)
  }

  /// In their order, read in the encoding in which most of them are songs.
  package func lines(in bytes: [UInt8]) throws(Unlikely) -> [EditedList.Line] {
    func songs(in text: [UInt8]) -> (wanted: [Wanted], songs: [SongID?])? {
      PlaylistLines.wanted(in: text).map { ($0, matching.matches(of: $0).map(\.song)) }
    }
    if PlaylistLines.count(in: bytes) ?? 0 > mostLines { throw .endless }
    let text = ListText(bytes, CodePages()) { text in
      let songs = songs(in: text)?.songs ?? []
      return .init(listed: songs.count, found: songs.count { $0 != nil })
    }
    guard let (wanted, songs) = songs(in: text.bytes) else { throw .otherKind }
    return zip(wanted, songs).map { wanted, song in
      song.map { .song($0) } ?? .unknown(BytePath(wanted.path).display)
    }
  }
}
