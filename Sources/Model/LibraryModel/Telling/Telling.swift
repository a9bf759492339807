/// For what a transaction was made: what tells a sort from a hundred moves.
package enum Deed: Sendable {
  case edit(Edit)
  /// An order that was written down.
  case text
  /// What was decided on other machines, by their names.
  case machines(String)
  case undo(steps: Int)
  case redo(steps: Int)
  case merge
}

/// Tells people what a transaction comes to: one sentence with names and places, the same wherever
/// it is told. No id, no line of the journal and no name of a rule is in it.
struct Telling {
  /// Bytes of a sentence; of a longer one the beginning is told.
  static let longest = 1024
  /// Clauses of one sentence; of more the first ones are told.
  static let clausesMost = 3

  let changes: [Change]
  let before: Library
  let after: Library
  /// Whether it has not happened, and may not.
  let isTrial: Bool
  /// Who asked, where it wasn't a plain call.
  var origin: String?

  /// What an order of the past that is restored is the origin of: `order of 21 November, 07:11`.
  static let formerOrder = "order of "

  func sentence(of deed: Deed) -> String {
    let isNothing = changes.isEmpty
    let told: String =
      switch deed {
      case .edit(let edit):
        isNothing ? "nothing to do: \(reason(edit))" : sentence(of: clauses(of: edit))
      case .text: sentenceOfText
      case .machines(let names): "From \(names): \(sentence(of: clausesOfMoves(.now)))"
      case .undo(let steps): opening(isTrial ? "Would be taken back" : "Taken back", steps, .again)
      case .redo(let steps): opening(isTrial ? "Would be done again" : "Done again", steps, .now)
      case .merge: isNothing ? "nothing to do" : sentence(of: clausesOfMerge())
      }
    return told.cut(toBytes: Self.longest)
  }

  private var sentenceOfText: String {
    if changes.isEmpty { return "nothing to do: the order is as the text says" }
    // What that comes to was shown before.
    if !isTrial, let origin, origin.hasPrefix(Self.formerOrder) { return "Restored the \(origin)" }
    return sentence(of: clausesOfMoves(.now))
  }

  private func opening(_ words: String, _ steps: Int, _ tense: Tense) -> String {
    let clauses = clausesOfMoves(tense)
    let what = clauses.isEmpty ? "nothing had to be moved" : sentence(of: clauses)
    return steps == 1 ? "\(words): \(what)" : "\(words), \(steps) changes: \(what)"
  }

  private func sentence(of clauses: [Clause]) -> String {
    let told = clauses.prefix(Self.clausesMost).map { $0.text(isTrial: isTrial) }
    return told.joined(separator: ", and ") + (clauses.count > told.count ? ", and more" : "")
  }

  /// Whether things come to be where they are, or come back.
  enum Tense { case now, again }
}

extension Decision {
  /// Says what was decided, now that all of it was.
  package mutating func tell(_ deed: Deed, from before: Library) {
    self.deed = deed
    transaction.sentence = sentence(from: before, isTrial: false)
  }

  /// How it is told.
  ///
  /// - Parameters:
  ///   - before: the library that it was decided in.
  ///   - isTrial: nothing is to happen: it would.
  package func sentence(from before: Library, isTrial: Bool) -> String {
    // That an album counts as touched goes without saying.
    let telling = Telling(
      changes: changes.filter { if case .albumTouched = $0 { false } else { true } },
      before: before, after: library, isTrial: isTrial,
      origin: transaction.origin)
    return telling.sentence(of: deed)
  }
}

// MARK: - Names

extension Telling {
  /// What an album is called; one that is not there any more by its former title.
  func title(_ id: AlbumID) -> String {
    for library in [after, before] {
      if let album = library.album(id) { return Names.cut(library.passingFace(of: album).title) }
    }
    return "an album"
  }

  func titleAndArtist(_ id: AlbumID) -> String {
    guard let album = after.album(id) else { return title(id) }
    let artist = after.passingFace(of: album).artist
    return artist.isEmpty ? title(id) : "\(title(id)) by \(Names.cut(artist))"
  }

  func title(_ id: SongID) -> String {
    Names.cut((after.songs[id] ?? before.songs[id])?.title ?? "a song")
  }

  func titles(_ ids: [AlbumID]) -> Names {
    Names(ids.prefix(Names.namedMost).map(title), of: ids.count)
  }

  func titles(_ ids: [SongID]) -> Names {
    Names(ids.prefix(Names.namedMost).map(title), of: ids.count)
  }

  /// Songs by their albums: `So What of Kind of Blue`, `3 songs of Hunky Dory and 1 song of Low`.
  func songs(_ albums: [(album: AlbumID, songs: [SongID])]) -> Names {
    if albums.count == 1, let only = albums.first, only.songs.count == 1 {
      return Names("\(title(only.songs[0])) of \(title(only.album))")
    }
    let named = albums.prefix(Names.namedMost).map { album, songs in
      "\(counted(songs.count, "song")) of \(title(album))"
    }
    let rest = albums.dropFirst(named.count).reduce(0) { $0 + $1.songs.count }
    let text =
      rest > 0
      ? "\(named.joined(separator: ", ")) and \(rest) more" : Names.joined(Array(named))
    return Names(text, isPlural: true)
  }

  /// Songs by the album they live in, albums and songs as they stand.
  func byAlbum(_ ids: [SongID]) -> [(album: AlbumID, songs: [SongID])] {
    var groups: [AlbumID: [SongID]] = [:]
    for id in unique(ids) {
      if let song = after.songs[id] ?? before.songs[id] {
        groups[song.album, default: []].append(id)
      }
    }
    let known = after.inOrder(Array(groups.keys))
    // What is not there any more comes last.
    let rest = groups.keys.filter { !known.contains($0) }.sorted()
    return (known + rest).map { id in
      let songs = groups[id] ?? []
      let chosen = Set(songs)
      let standing = after.albums[id]?.entries.filter(chosen.contains) ?? []
      return (id, standing.count == songs.count ? standing : songs)
    }
  }
}

// MARK: - Places

extension Telling {
  /// `on top of Jazz (1–2 of 3)`, `in Jazz, at 2 and 7 of 12`
  ///
  /// - Parameters:
  ///   - positions: ascending, of those that are listed.
  ///   - total: how many are listed there.
  ///   - list: as it is called.
  ///   - isNew: it has come into being.
  func place(
    _ positions: [Int], of total: Int, in list: String, isNew: Bool = false, _ tense: Tense,
    isAmong: Bool = false
  ) -> String {
    let within = isAmong ? "among" : "in"
    let again = tense == .again ? " again" : ""
    guard let first = positions.first, let last = positions.last else {
      return "\(within) \(list)\(again)"
    }
    // What comes back is not new to the person.
    if isNew { return tense == .again ? "in \(list) again" : "in the new crate \(list)" }
    let numbers = first == last ? "\(first)" : "\(first)–\(last)"
    guard last - first + 1 == positions.count else {
      let told = positions.prefix(Names.namedMost).map(String.init)
      let all = told.count == positions.count ? ", at \(Names.joined(told)) of \(total)" : ""
      return "\(within) \(list)\(again)\(all)"
    }
    if first == 1 { return "on top of \(list)\(again) (\(numbers) of \(total))" }
    if tense == .again { return "\(within) \(list) again, at \(numbers)" }
    if last == total { return "at the bottom of \(list) (\(numbers) of \(total))" }
    return "at \(numbers) of \(total) \(within) \(list)"
  }

  /// Where albums stand, which stand in the order of the library and in one crate.
  func place(of albums: [AlbumID], in crate: Crate, _ tense: Tense) -> String {
    let listed = albums.filter { after.unlisted[$0] == nil }
    let isNew = before.crate(named: crate.name) == nil && before.crate(crate.id) == nil
    guard let first = listed.first.flatMap(after.position),
      let last = listed.last.flatMap(after.position)
    else { return place([], of: 0, in: Names.cut(crate.name), tense) }
    // Many are only asked whether they stand together.
    let positions =
      listed.count > Names.namedMost
      ? [first] + Array(repeating: last, count: listed.count - 1)
      : listed.compactMap(after.position)
    return place(
      positions, of: after.listedCount(in: crate), in: Names.cut(crate.name), isNew: isNew, tense)
  }

  /// Where songs of one album stand, which stand in its order.
  func place(of songs: [SongID], in album: AlbumID, _ tense: Tense) -> String {
    let positions = songs.compactMap { after.songs[$0].flatMap(after.position) }
    return place(positions, of: after.listedCount(of: album), in: title(album), tense)
  }

  /// What is said behind the place of albums of which some are gone: they have no position.
  func remark(on albums: [AlbumID]) -> String {
    remark(gone: albums.count { after.unlisted[$0] != nil }, of: albums.count)
  }

  func remark(on songs: [SongID]) -> String {
    remark(gone: songs.count { after.songs[$0]?.isGone != false }, of: songs.count)
  }

  private func remark(gone: Int, of all: Int) -> String {
    if gone == 0 { return "" }
    if gone < all { return ", \(gone) of them gone" }
    return gone == 1 ? " (gone; its place is kept)" : " (gone; their places are kept)"
  }

  func place(of crate: Crate, _ tense: Tense) -> String {
    let listed = after.crates.count { after.listedCount(in: $0) > 0 }
    let positions = after.position(of: crate).map { [$0] } ?? []
    return place(positions, of: listed, in: "the crates", tense, isAmong: true)
  }
}
