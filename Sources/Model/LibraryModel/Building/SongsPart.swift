/// A part of a library's songs, taken out so that a thread can attach facts to them.
package struct SongsPart: Sendable {
  private(set) var songs: SharedMap<SongID, Song>.Part

  init(_ songs: SharedMap<SongID, Song>.Part) { self.songs = songs }

  package mutating func attach(_ facts: KnownFacts) {
    songs.replaceValues { song in
      song.isGone ? nil : facts(song.id, song.path, song.digest).map { song.with($0) }
    }
  }
}
