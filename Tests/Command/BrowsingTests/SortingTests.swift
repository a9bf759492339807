import CratesInterface
import TestSupport
import Testing

@testable import Browsing

@Suite("Sorting in the browser", .limited) struct SortingTests {
  /// As `crate sort` has them: the newest first, names and tracks from the beginning.
  @Test("By itself each sorting goes the way it goes for the command; reversing goes no way")
  func ways() {
    let albums: [Interface.AlbumOrder: Bool?] = [
      .added: false, .released: false, .artist: true, .title: true, .reversed: nil, .shuffled: nil,
    ]
    for sorting in Interface.AlbumOrder.allCases {
      #expect(albums[sorting] == .some(sorting.isAscending))
    }
    let songs: [Interface.SongOrder: Bool?] = [
      .track: true, .added: false, .title: true, .reversed: nil, .shuffled: nil,
    ]
    for sorting in Interface.SongOrder.allCases {
      #expect(songs[sorting] == .some(sorting.isAscending))
    }
  }
}
