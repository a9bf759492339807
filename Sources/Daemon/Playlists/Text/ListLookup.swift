package import LibraryModel
import Text

/// Looks up the songs in edited lists by their paths, which players write in many ways. Created for
/// the edits of one update and freed afterwards, since it takes as much memory as all paths.
package struct ListLookup {
  /// Why a file can't be an edit of one of crated's lists.
  package enum Unlikely: String, Error {
    case otherKind = "this is a list of another kind than crated's"
    /// Looking up its songs could take any amount of memory.
    case endless = "this list has more than twice as many lines as there are songs"
  }

  private let matching: ListMatching
  private let mostLines: Int

  /// - Parameter directory: the directory of the lists, as the settings name it.
  init(_ library: Library, _ place: PlaylistPlace, named directory: BytePath) {
    let real = BytePath(Array(place.directory.dropLast()))
    var lists = [directory, real]
    for root in place.roots {
      // Songs' paths begin with the folder as the settings name it.
      if let rest = real.relative(to: root.real) { lists.append(root.named.appending(rest)) }
    }
    mostLines = 2 * library.songs.count + 1_000
    matching = ListMatching(
      SongLookup(library), lists: lists,
      roots: place.roots.filter { $0.named != $0.real }.map { ($0.real.bytes, $0.named) },
      looksAtNames: false)
  }

  /// Returns the lines of a list, read in the encoding in which most of them are songs.
  ///
  /// - Throws: why the file can't be an edit.
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
