import ModelSupport
import TestSupport
import Testing

@testable import LibraryModel

@Suite("Albums that changes touch", .limited)
struct TouchedAlbumsTests {
  @Test("are those whose songs, names or paths may differ, before and after")
  func table() throws {
    let small = try SmallLibrary()
    let (one, two, three) = (AlbumID(number: 1), AlbumID(number: 2), AlbumID(number: 3))
    let song = SongID(number: 10)
    let path = BytePath("/m/x")
    let group = GroupKey(family: "by\tx\tz")
    let cases: [([Change], Set<AlbumID>)] = [
      ([SmallLibrary.added(SongID(number: 19), to: one)], [one]),
      ([.songMoved(song, in: one, after: SongID(number: 11), wasAfter: nil)], [one]),
      ([.songRegrouped(song, album: two, after: nil, was: one)], [one, two]),
      ([.songFollowed(song, path: path, digest: nil, by: .path)], [one]),
      ([.songRetagged(song, in: one)], [one]), ([.songGone(song, Traits())], [one]),
      (
        [.songGone(song, Traits()), .songFollowed(song, path: path, digest: nil, by: .path)],
        [one]
      ),
      ([.songForgotten(song, was: small.kept(1))], [one]),
      ([.songAdded(SongID(number: 77), small.kept(3))], [three]),
      ([.albumTookOver(one, other: two)], [one, two]),
      ([.albumTookOver(one, other: two), .albumTookOver(three, other: one)], [one, two, three]),
      ([.albumRegrouped(one, group: group, was: group, alias: nil)], [one]),
      (
        [
          .crateAdded("X", after: nil), .crateMoved("X", after: "Jazz", wasAfter: nil),
          .crateRenamed("X", to: "Y"), .crateRemoved("Y", wasAfter: nil),
          .albumMoved(one, crate: "Jazz", after: nil, wasCrate: "Music", wasAfter: nil),
          .albumArranged(one, true), .albumTouched(one), .firstScanEnded(path),
          .aliasRestored(AlbumID(number: 9), of: one), .aliasDropped(AlbumID(number: 9), of: one),
          .slotRestored(song, in: two, after: nil), .slotDropped(song, in: two, wasAfter: nil),
        ], []
      ),
    ]
    for (changes, albums) in cases {
      var after = small
      for change in changes { try after.apply(change) }
      let touched = Library.albumsTouched(by: changes, from: small.library, to: after.library)
      #expect(touched == albums, "\(changes)")
    }
  }
}
