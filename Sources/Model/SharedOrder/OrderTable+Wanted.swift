package import LibraryModel

extension OrderTable {
  /// A crate of the order that the machines have agreed on.
  package struct WantedCrate: Hashable, Sendable {
    /// The crates that have its name, in order.
    package var ids: [CrateID]
    package var name: String
    /// Its albums that the library has, in order.
    package var albums: [AlbumID]
  }

  /// Returns the order that the machines have agreed on, of the albums that are in the library.
  package func wanted(in library: Library) -> [WantedCrate] {
    var wanted: [WantedCrate] = []
    var places: [String: Int] = [:]
    let (names, here) = (shownNames, library.albumIDs)
    for id in crateOrder {
      // The position of a crate with several ids does not depend on which of its albums exist here.
      guard let crate = crates[id], let list = lists[id], !list.isEmpty else { continue }
      let albums = list.filter(here.contains)
      let name = folded(crate.name.value)
      if let place = places[name] {
        wanted[place].ids.append(id)
        wanted[place].albums += albums
      } else {
        places[name] = wanted.count
        wanted.append(WantedCrate(ids: [id], name: names[name]?.value ?? name, albums: albums))
      }
    }
    return wanted.filter { !$0.albums.isEmpty }
  }

  /// The display names of crates, by their folded names. Of several crates of one name, the latest
  /// spelling.
  var shownNames: [String: Marked<String>] {
    var names: [String: Marked<String>] = [:]
    for crate in crates.values {
      names[folded(crate.name.value), default: crate.name].join(crate.name)
    }
    return names
  }

  /// Whether the library already has that order.
  package func isOrder(of library: Library) -> Bool {
    let wanted = wanted(in: library)
    let crates = library.crates.filter { !$0.albums.isEmpty }
    return wanted.count == crates.count
      && zip(wanted, crates).allSatisfy { wanted, crate in
        wanted.name == crate.name && wanted.albums.elementsEqual(crate.albums)
      } && arrangements(in: library).isEmpty
  }

  /// Returns the changes to the library as a written order.
  ///
  /// - Parameter names: the names that the crates of the table had in the library.
  package func written(for library: Library, names: [CrateID: String]) -> AgreedOrder {
    var agreed = AgreedOrder()
    var taken: Set<CrateID> = []
    for crate in wanted(in: library) {
      // A renamed crate keeps its id, unless another crate has its new name by now.
      let former = crate.ids.lazy.compactMap { names[$0] }.compactMap { library.crate(named: $0) }
      let id = (library.crate(named: crate.name) ?? former.first)?.id
      var written = WrittenOrder.Crate(
        id: id.flatMap { taken.insert($0).inserted ? $0 : nil }, name: crate.name, line: 0)
      written.albums = crate.albums.map { WrittenOrder.Album(id: $0, line: 0) }
      if isJoined(crate, names), agreed.notes.count < Self.mostNotes {
        agreed.notes.append("\(crate.name) is on several machines: it is one crate now")
      }
      agreed.order.crates.append(written)
    }
    agreed.songs = arrangements(in: library)
    return agreed
  }

  private static let mostNotes = 10

  /// Whether crates that got that name on different machines have become one.
  private func isJoined(_ crate: WantedCrate, _ names: [CrateID: String]) -> Bool {
    let name = folded(crate.name)
    let had = crate.ids.count { id in names[id].map { folded($0) == name } ?? false }
    return had > 0 && had < crate.ids.count
  }

  /// Returns the albums whose songs have another order here than the machines have agreed on.
  private func arrangements(in library: Library) -> [AgreedOrder.Songs] {
    albums.filter { $0.value.songs != nil }.sorted { $0.key < $1.key }.compactMap { id, album in
      guard let wanted = album.songs?.value, let here = library.albums[id] else { return nil }
      if !wanted.isArranged {
        return here.isArranged ? AgreedOrder.Songs(album: id, order: nil) : nil
      }
      let order = wanted.order(of: library.songs(of: here))
      let named = Set(order)
      let isSame = here.isArranged && here.entries.filter(named.contains) == order
      return isSame ? nil : AgreedOrder.Songs(album: id, order: order)
    }
  }
}

extension OrderTable.SongOrder {
  /// Returns the songs that the library has, in this order. A song is matched by its id, else by
  /// its sound, else by its tags and length.
  fileprivate func order(of here: [LibraryModel.Song]) -> [SongID] {
    var left = here
    var found = [SongID?](repeating: nil, count: songs.count)
    let ways: [(SharedSong, LibraryModel.Song) -> Bool] = [
      { $0.id == $1.id },
      { shared, song in song.digest.map { SharedSound($0) == shared.sound } ?? false },
      { $0.isLike($1) },
    ]
    for isSame in ways {
      for (place, song) in songs.enumerated() where found[place] == nil {
        guard let match = left.firstIndex(where: { isSame(song, $0) }) else { continue }
        found[place] = left.remove(at: match).id
      }
    }
    return found.compactMap(\.self)
  }
}

extension Library {
  /// The ids of all albums. A set, since thousands are looked up in it.
  var albumIDs: Set<AlbumID> { Set(crates.lazy.flatMap(\.albums)) }
}
