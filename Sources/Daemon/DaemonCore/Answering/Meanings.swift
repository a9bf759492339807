import CratesInterface
import LibraryModel

/// Resolves words of the user to crates, albums and songs.
struct Meanings {
  let naming: Naming

  /// - Throws: `expectedMore` if the words mean more than fits into a reply.
  func answer(
    _ words: [[String]], _ wanted: [Interface.Kind]?, beginning: Bool, count: Int?
  ) throws(InterfaceError) -> Reply {
    var whats: [What] = []
    for words in words {
      guard let what = What(words) else { throw .invalidParameter(parameter: "words") }
      whats.append(what)
    }
    let kinds = Set(wanted?.map { Thing.Kind($0) } ?? Thing.Kind.allCases)
    let most = AnswerCount.resolve.of(count)
    let reply = naming.use { names, library -> Reply? in
      var meanings: [Interface.Meaning] = []
      var left = AnswerCount.meant
      for what in whats {
        let meaning = Self.meaning(of: what, beginning, kinds, most, &names, library)
        left -= meaning.what.count
        if left < 0 { return nil }
        let shown = ShownThings(library: library)
        meanings.append(
          Interface.Meaning(
            what: meaning.what.map(shown.thing), candidates: meaning.candidates.map(shown.thing),
            near: meaning.near.map(shown.thing)))
      }
      return .meanings(meanings, sequence: library.sequence)
    }
    guard let reply else { throw .expectedMore }
    return reply
  }

  /// Reads the songs' names only if a song may be meant: there are many, and few are asked for.
  private static func meaning(
    of what: What, _ beginning: Bool, _ kinds: Set<Thing.Kind>, _ most: Int,
    _ names: inout NameIndex, _ library: Library
  ) -> Meaning {
    let wantsSongs = kinds.contains(.song) || what.name.isPath
    if wantsSongs, what.name.asksForSongs { names.readSongs(library) }
    if wantsSongs, what.name.asksForNumbers { names.readSongNumbers(library) }
    func meaning() -> Meaning {
      let resolution = Resolution(library, names: names, wanted: kinds, most: most)
      return beginning ? resolution.completions(of: what) : resolution.meaning(of: what)
    }
    let first = meaning()
    guard wantsSongs, what.levels.isEmpty, !beginning, first.what.isEmpty,
      first.candidates.isEmpty, !names.hasSongs, !what.name.isId
    else { return first }
    names.readSongs(library)
    return meaning()
  }
}

extension Thing.Kind {
  init(_ kind: Interface.Kind) {
    switch kind {
    case .crate: self = .crate
    case .album: self = .album
    case .song: self = .song
    }
  }
}

/// Converts crates, albums and songs to the form that answers name them in.
private struct ShownThings {
  let library: Library

  func thing(_ thing: Thing) -> Interface.Thing {
    switch thing {
    case .crate(let id):
      let crate = library.crate(id)
      return Interface.Thing(
        crate: crate?.name, label: crate?.name ?? "", presence: crate.map(presence) ?? .gone)
    case .album(let id):
      guard let album = library.albums[id] else {
        return Interface.Thing(album: "\(id)", label: "\(id)", presence: .gone)
      }
      let face = library.face(of: album)
      let label = face.artist.isEmpty ? face.title : "\(face.title) by \(face.artist)"
      return Interface.Thing(
        album: "\(id)", label: label, presence: shown(library.presence(of: album)))
    case .song(let id):
      guard let song = library.songs[id] else {
        return Interface.Thing(song: "\(id)", label: "\(id)", presence: .gone)
      }
      let album = library.albums[song.album].map { library.face(of: $0).title } ?? ""
      return Interface.Thing(
        song: "\(id)", label: album.isEmpty ? song.title : "\(song.title) of \(album)",
        presence: shown(library.presence(of: song)))
    }
  }

  private func presence(_ crate: Crate) -> Interface.Presence {
    // The crate for new albums may be empty, and nothing is gone from it.
    var nearest = crate.albums.isEmpty ? Interface.Presence.present : .gone
    for album in crate.albums.lazy.compactMap({ library.albums[$0] }) {
      switch library.presence(of: album) {
      case .present: return .present
      case .offline: nearest = .offline
      case .gone: continue
      }
    }
    return nearest
  }

  private func shown(_ presence: Presence) -> Interface.Presence {
    Interface.Presence(rawValue: presence.rawValue) ?? .present
  }
}
