import TestSupport
import Testing

@testable import LibraryModel

/// Every way in which a few files come, go and are retagged, each merge held against the plain
/// model.
@Suite("Every merge of a few files", .limited)
struct ExhaustiveMergeTests {
  /// Three albums; the one in the middle has four songs and is arranged, or not.
  private func history(isArranged: Bool, songs: Int) throws -> RandomHistory {
    var history = RandomHistory(seed: 1)
    history.newAlbums = nil
    for (title, count) in [("Low", 1), ("Blue", songs), ("High", 1)] {
      for track in 1...count {
        var tags = SongTags()
        // No two of them are on one track: those would be editions.
        (tags.title, tags.track) = ("\(title) \(track)", title == "Blue" ? track : 9)
        (tags.album, tags.albumArtist) = (title, "X")
        history.folder.put("m/\(title)/\(track).flac", tags)
      }
      try history.lookOnce()
    }
    if isArranged {
      guard let songs = history.library.albums[try blue(history)]?.entries else { return history }
      try history.make(.sortSongs(songs, .reversed))
    }
    return history
  }

  private func blue(_ history: RandomHistory) throws -> AlbumID {
    try #require(history.library.crates[0].albums.dropFirst().first)
  }

  private func retitle(_ history: inout RandomHistory, _ track: Int, _ title: String) {
    history.folder.retag("m/Blue/\(track).flac") { $0.album = title }
  }

  /// What listings show: titles and ids in order, and whether albums are arranged.
  private func listing(_ history: RandomHistory, withIDs: Bool = true) -> [String] {
    history.plain.crates.flatMap(\.albums).filter { history.plain.isListed($0) }.flatMap { id in
      [
        [
          history.plain.title(id), withIDs ? "\(id)" : "",
          history.plain.albums[id]?.isArranged == true ? "*" : "",
        ].joined(separator: " ")
      ]
        + history.plain.members(id).filter { history.plain.songs[$0]?.isGone == false }
        .map { "  \($0)" }
    }
  }

  @Test("files go and come back in every order, and all is as it was", arguments: [false, true])
  func goneAndBack(isArranged: Bool) throws {
    let start = try history(isArranged: isArranged, songs: 4)
    for chosen in selections([1, 2, 3, 4]) {
      for order in permutations(chosen) {
        var going = start
        for track in order {
          going.folder.remove(["m/Blue/\(track).flac"])
          try going.lookOnce()
        }
        for back in chosen.count == 4 ? [chosen, chosen.reversed()] : permutations(chosen) {
          var history = going
          for track in back {
            let place = history.folder.bin.firstIndex { $0.keys.contains("m/Blue/\(track).flac") }
            history.folder.restore(try #require(place))
            try history.lookOnce()
          }
          if let words = start.plain.difference(from: history.library, withSlots: true) {
            Issue.record("gone \(order), back \(back): \(words)")
            return
          }
        }
      }
    }
  }

  @Test(
    "an album retitled file by file, in any order, stays where it is and as it is",
    arguments: [false, true])
  func retitled(isArranged: Bool) throws {
    let start = try history(isArranged: isArranged, songs: 4)
    var whole = start
    for track in 1...4 { retitle(&whole, track, "New") }
    try whole.lookOnce()
    for order in permutations([1, 2, 3, 4]) {
      var history = start
      for track in order {
        retitle(&history, track, "New")
        try history.lookOnce()
      }
      if listing(history) != listing(whole) {
        Issue.record("\(order): \(listing(history)), at once: \(listing(whole))")
        return
      }
      for track in order {
        retitle(&history, track, "Blue")
        try history.lookOnce()
      }
      if listing(history) != listing(start) {
        Issue.record("\(order) and back: \(listing(history)), before: \(listing(start))")
        return
      }
    }
  }

  @Test(
    "songs retagged into up to three albums, in any order or at once, come back to their places",
    arguments: [false, true])
  func scattered(isArranged: Bool) throws {
    let start = try history(isArranged: isArranged, songs: 3)
    let titles = ["Blue", "New", "Low"]
    for number in 0..<27 {
      let goal = [titles[number % 3], titles[number / 3 % 3], titles[number / 9]]
      let moved = (1...3).filter { goal[$0 - 1] != "Blue" }
      for order in permutations(moved) {
        for isAtOnce in [false, true] {
          var history = start
          for track in order {
            retitle(&history, track, goal[track - 1])
            if !isAtOnce { try history.lookOnce() }
          }
          if isAtOnce { try history.lookOnce() }
          for track in order {
            retitle(&history, track, "Blue")
            if !isAtOnce { try history.lookOnce() }
          }
          if isAtOnce { try history.lookOnce() }
          // One that nobody touched goes when its last song leaves, and begins again.
          if listing(history, withIDs: isArranged) != listing(start, withIDs: isArranged) {
            let way = isAtOnce ? "at once" : "in order \(order)"
            Issue.record(
              "\(goal) \(way), and back: \(listing(history)), before: \(listing(start))")
            return
          }
        }
      }
    }
  }
}
