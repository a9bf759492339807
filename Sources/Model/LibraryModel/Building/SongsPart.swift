/// Some of a library's songs, taken out for a thread that attaches to them what is known of their
/// files.
package struct SongsPart: Sendable {
  private(set) var songs: SharedMap<SongID, Song>.Part

  init(_ songs: SharedMap<SongID, Song>.Part) { self.songs = songs }

  package mutating func attach(_ facts: KnownFacts) {
    songs.replaceValues { song in
      song.isGone ? nil : facts(song.id, song.path, song.digest).map { song.with($0) }
    }
  }
}
