package import LibraryModel

/// The traits by which an album is recognised on another machine, where files may have other paths
/// and formats, and may have arrived in another sequence. A class because tables are copied, and
/// have thousands of them.
package final class AlbumTraits: Hashable, Sendable {
  /// The number of sounds that are published of an album.
  package static let soundsTold = 4

  package let group: GroupKey
  /// The smallest shortened digests of its songs.
  package let sounds: [SharedSound]
  package let songs: Int
  package let seconds: Int
  /// The display text: `Miles Davis - Kind of Blue`.
  package let shown: String

  package init(
    group: GroupKey, sounds: [SharedSound], songs: Int, seconds: Int, shown: String
  ) {
    self.group = group
    self.sounds = sounds
    self.songs = songs
    self.seconds = seconds
    self.shown = shown
  }

  package static func == (left: AlbumTraits, right: AlbumTraits) -> Bool {
    left === right
      || left.group == right.group && left.sounds == right.sounds && left.songs == right.songs
        && left.seconds == right.seconds && left.shown == right.shown
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(group) }
}

/// The first 32 bits of a song's audio digest: enough to identify an album by several of them.
package struct SharedSound: Hashable, Sendable, BitwiseCopyable, Comparable {
  package let number: UInt32

  package init(number: UInt32) { self.number = number }

  package init(_ digest: AudioDigest) { number = UInt32(digest.high >> 32) }

  package static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}

/// A song of an album whose songs the user has put in order.
package struct SharedSong: Hashable, Sendable {
  /// The most bytes of a title that are published to other machines.
  package static let longestTitle = 1024

  package var id: SongID
  package var sound: SharedSound?
  package var disc: Int?
  package var track: Int?
  package var seconds: Int
  package var title: String

  package init(
    id: SongID, sound: SharedSound?, disc: Int?, track: Int?, seconds: Int, title: String
  ) {
    (self.id, self.sound, self.disc, self.track) = (id, sound, disc, track)
    (self.seconds, self.title) = (seconds, title)
  }
}

extension AlbumTraits {
  /// Returns the traits of an album of the library.
  package convenience init(of album: LibraryModel.Album, in library: Library) {
    var sounds: [SharedSound] = []
    var milliseconds = 0
    var count = 0
    for id in album.entries {
      guard let song = library.songs[id], song.album == album.id else { continue }
      count += 1
      milliseconds += song.milliseconds
      if let digest = song.digest { sounds.append(SharedSound(digest)) }
    }
    sounds.sort()
    let face = library.passingFace(of: album)
    self.init(
      group: album.group, sounds: Array(sounds.prefix(Self.soundsTold)), songs: count,
      seconds: milliseconds / 1000,
      shown: face.artist.isEmpty ? face.title : "\(face.artist) - \(face.title)")
  }
}

extension SharedSong {
  package init(_ song: LibraryModel.Song) {
    self.init(
      id: song.id, sound: song.digest.map { SharedSound($0) }, disc: song.disc, track: song.track,
      seconds: song.milliseconds / 1000, title: song.title)
  }

  /// Whether the tags match those of a song: the same disc, track and title, and lengths that
  /// differ by at most two seconds.
  func isLike(_ song: LibraryModel.Song) -> Bool {
    let titles = [title, song.title].map { folded($0.cut(toBytes: Self.longestTitle)) }
    return disc == song.disc && track == song.track && titles[0] == titles[1]
      && abs(seconds * 1000 - song.milliseconds) <= 2_000
  }
}
