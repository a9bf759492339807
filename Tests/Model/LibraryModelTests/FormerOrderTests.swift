import TestSupport
import Testing

@testable import LibraryModel

@Suite("An order of the past as a text", .limited)
struct FormerOrderTests {
  @Test("what is not known now, and songs that are in another album, are left out of it")
  func leftOut() throws {
    var world = World()
    for (number, title) in ["A", "B", "C", "D"].enumerated() {
      world.putAlbum(title, tracks: 2, sound: number * 10, in: nil)
    }
    world.merge()
    try world.edit(.moveAlbums([world.id("C"), world.id("D")], nil, crate: "Late"))
    try world.edit(.moveSongs([world.song("A 2").id], .top))
    let former = world.library
    let ids = try Dictionary(
      uniqueKeysWithValues: ["A", "B", "C", "D"].map { ($0, try world.id($0)) })
    let moved = try world.song("B 1").id
    func written(without unknown: Set<String>) -> [String] {
      let order = FormerOrder.written(former) { id in
        !unknown.contains { ids[$0] == id }
      } home: { id in
        id == moved ? ids["A"] : former.songs[id]?.album
      }
      return order.crates.map { crate in
        let albums = crate.albums.map { album in
          let songs = album.songs.map { former.songs[$0.id]?.title ?? "?" }
          return "\(former.albums[album.id].map { former.face(of: $0).title } ?? "?")\(songs)"
        }
        return "\(crate.name): \(albums.joined(separator: " "))"
      }
    }
    let late = "Late: C[\"C 1\", \"C 2\"] D[\"D 1\", \"D 2\"]"
    let music = "Music: A[\"A 2\", \"A 1\"] B[\"B 2\"]"
    #expect(written(without: []) == [music, late])
    #expect(written(without: ["C"]) == [music, "Late: D[\"D 1\", \"D 2\"]"])
    #expect(written(without: ["C", "D"]) == [music])
    #expect(written(without: ["A", "B", "C", "D"]) == [])
    #expect(FormerOrder.origin(of: "1 May, 07:11") == "order of 1 May, 07:11")
  }
}
