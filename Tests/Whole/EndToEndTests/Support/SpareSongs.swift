import ProgramSupport
import TestSupport

/// A fourth song of each album of a `SmallLibrary`, which comes and goes.
struct SpareSongs {
  private let music: String
  private let folder: String
  private let albums: Int
  private var present: Set<Int> = []
  private(set) var moves = 0

  init(_ home: Home, albums: Int) throws {
    music = home.music
    folder = try home.folder.makeFolder("spare")
    self.albums = albums
    for album in 0..<albums { try SmallLibrary.song(album, 4, to: folder) }
  }

  mutating func toggle(using chance: inout SeededGenerator) throws {
    let album = Int.random(in: 0..<albums, using: &chance)
    let (inside, outside) = ("\(music)/\(album)-4.flac", "\(folder)/\(album)-4.flac")
    if present.remove(album) != nil {
      try move(inside, to: outside)
    } else {
      try move(outside, to: inside)
      present.insert(album)
    }
    moves += 1
  }
}
