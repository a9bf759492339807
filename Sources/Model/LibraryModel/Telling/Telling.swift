/// The purpose of a transaction, which distinguishes a sort from a hundred moves.
package enum Purpose: Sendable {
  case edit(Edit)
  /// A written order.
  case text
  /// Decisions of other machines, with their names.
  case machines(String)
  case undo(steps: Int)
  case redo(steps: Int)
  case merge
}

/// Describes a transaction for the user: one sentence with names and places, the same everywhere.
/// It contains no ids, lines of the journal or names of rules.
struct Telling {
  /// The most bytes of a sentence. Longer ones are cut.
  static let longest = 1024
  /// The most clauses of a sentence. Further ones are omitted.
  static let clausesMost = 3

  let changes: [Change]
  let before: Library
  let after: Library
  /// Whether it describes a dry run.
  let isDryRun: Bool
  /// The source of the request, if it was not a plain call.
  var origin: String?

  /// The prefix of the origin of a restored order: `order of 21 November, 07:11`.
  static let formerOrder = "order of "

  func sentence(of purpose: Purpose) -> String {
    let isNothing = changes.isEmpty
    let told: String =
      switch purpose {
      case .edit(let edit):
        isNothing ? "nothing to do: \(reason(edit))" : sentence(of: clauses(of: edit))
      case .text: sentenceOfText
      case .machines(let names): "From \(names): \(sentence(of: clausesOfMoves(.now)))"
      case .undo(let steps): opening(isDryRun ? "Would be taken back" : "Taken back", steps, .again)
      case .redo(let steps): opening(isDryRun ? "Would be done again" : "Done again", steps, .now)
      case .merge: isNothing ? "nothing to do" : sentence(of: clausesOfMerge())
      }
    return told.cut(toBytes: Self.longest)
  }

  private var sentenceOfText: String {
    if changes.isEmpty { return "nothing to do: the order is as the text says" }
    // The moves were shown before.
    if !isDryRun, let origin, origin.hasPrefix(Self.formerOrder) { return "Restored the \(origin)" }
    return sentence(of: clausesOfMoves(.now))
  }

  private func opening(_ words: String, _ steps: Int, _ tense: Tense) -> String {
    let clauses = clausesOfMoves(tense)
    let what = clauses.isEmpty ? "nothing had to be moved" : sentence(of: clauses)
    return steps == 1 ? "\(words): \(what)" : "\(words), \(steps) changes: \(what)"
  }

  private func sentence(of clauses: [Clause]) -> String {
    let told = clauses.prefix(Self.clausesMost).map { $0.text(isDryRun: isDryRun) }
    return told.joined(separator: ", and ") + (clauses.count > told.count ? ", and more" : "")
  }

  /// Whether things are moved, or moved back.
  enum Tense { case now, again }
}

extension Decision {
  /// Sets the description, after all changes have been decided.
  package mutating func tell(_ purpose: Purpose, from before: Library) {
    self.purpose = purpose
    transaction.sentence = sentence(from: before, isDryRun: false)
  }

  /// Returns the description.
  ///
  /// - Parameters:
  ///   - before: the library before the changes.
  ///   - isDryRun: whether this is a dry run.
  package func sentence(from before: Library, isDryRun: Bool) -> String {
    // Changes that only mark an album as touched are not described.
    let telling = Telling(
      changes: changes.filter { if case .albumTouched = $0 { false } else { true } },
      before: before, after: library, isDryRun: isDryRun,
      origin: transaction.origin)
    return telling.sentence(of: purpose)
  }
}

// MARK: - Names

extension Telling {
  /// Returns the title of an album, or its former title if it no longer exists.
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

  /// Returns songs by their albums: `So What of Kind of Blue`,
  /// `3 songs of Hunky Dory and 1 song of Low`.
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

  /// Returns songs grouped by their album. Albums and songs are in the order of the library.
  func byAlbum(_ ids: [SongID]) -> [(album: AlbumID, songs: [SongID])] {
    var groups: [AlbumID: [SongID]] = [:]
    for id in unique(ids) {
      if let song = after.songs[id] ?? before.songs[id] {
        groups[song.album, default: []].append(id)
      }
    }
    let known = after.inOrder(Array(groups.keys))
    // Albums that no longer exist come last.
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
  /// Returns a place: `on top of Jazz (1–2 of 3)`, `in Jazz, at 2 and 7 of 12`.
  ///
  /// - Parameters:
  ///   - positions: the positions of the listed items, ascending.
  ///   - total: the number of listed items in the list.
  ///   - list: the name of the list.
  ///   - isNew: whether the list is new.
  func place(
    _ positions: [Int], of total: Int, in list: String, isNew: Bool = false, _ tense: Tense,
    isAmong: Bool = false
  ) -> String {
    let within = isAmong ? "among" : "in"
    let again = tense == .again ? " again" : ""
    guard let first = positions.first, let last = positions.last else {
      return "\(within) \(list)\(again)"
    }
    // A list that comes back is not new to the user.
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

  /// Returns the place of albums of one crate, given in the order of the library.
  func place(of albums: [AlbumID], in crate: Crate, _ tense: Tense) -> String {
    let listed = albums.filter { after.unlisted[$0] == nil }
    let isNew = before.crate(named: crate.name) == nil && before.crate(crate.id) == nil
    guard let first = listed.first.flatMap(after.position),
      let last = listed.last.flatMap(after.position)
    else { return place([], of: 0, in: Names.cut(crate.name), tense) }
    // For many albums, only whether they are adjacent matters.
    let positions =
      listed.count > Names.namedMost
      ? [first] + Array(repeating: last, count: listed.count - 1)
      : listed.compactMap(after.position)
    return place(
      positions, of: after.listedCount(in: crate), in: Names.cut(crate.name), isNew: isNew, tense)
  }

  /// Returns the place of songs of one album, given in its order.
  func place(of songs: [SongID], in album: AlbumID, _ tense: Tense) -> String {
    let positions = songs.compactMap { after.songs[$0].flatMap(after.position) }
    return place(positions, of: after.listedCount(of: album), in: title(album), tense)
  }

  /// Returns a remark for gone albums, which have no position.
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
