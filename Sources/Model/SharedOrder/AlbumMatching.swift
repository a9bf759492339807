package import LibraryModel

/// Matches the albums of another machine with those of this table. On another machine, files may
/// have other paths and formats, and may have arrived in another sequence, so that ids may differ.
///
/// An album matches another one by the first of these criteria that applies:
/// 1. It has the same id, or one that the other album took over, and one of its published sounds is
///    among those of the other album: of an album that only one machine has in two parts, the part
///    that kept the id is the album.
/// 2. At least half of its published sounds are among those of the other album.
/// 3. It has such an id, and no sound in common.
/// 4. It has the same group. Of several editions, it has the same number of songs and about the
///    same length.
///
/// Each album matches at most one other.
package struct AlbumMatching {
  /// Another machine's description of an album.
  package struct Candidate {
    package var id: AlbumID
    package var traits: AlbumTraits

    package init(id: AlbumID, traits: AlbumTraits) { (self.id, self.traits) = (id, traits) }
  }

  private let table: OrderTable
  private let library: Library
  /// Whether an album of the table may match one of another machine.
  private let mayBe: (AlbumID) -> Bool
  private lazy var bySound = sounds()
  private lazy var byGroup = {
    Dictionary(grouping: table.albums.keys.filter(mayBe)) { id in
      library.albums[id]?.group ?? table.albums[id]?.traits.group ?? GroupKey(family: "")
    }
  }()

  /// - Parameters:
  ///   - library: this machine's library, which has all sounds of the albums that exist here.
  ///   - mayBe: whether an album of the table may match one of another machine.
  package init(
    _ table: OrderTable, _ library: Library,
    where mayBe: @escaping (AlbumID) -> Bool = { _ in true }
  ) {
    (self.table, self.library, self.mayBe) = (table, library, mayBe)
  }

  /// Returns, for each of another machine's albums that this table has, its id in this table.
  package mutating func matches(of others: [Candidate]) -> [AlbumID: AlbumID] {
    var found: [AlbumID: AlbumID] = [:]
    found.reserveCapacity(others.count)
    var left: [Candidate] = []
    // Fast path for the usual case that nothing differs.
    for other in others {
      if let album = table.albums[other.id], mayBe(other.id),
        album.traits.sounds == other.traits.sounds
      {
        found[other.id] = other.id
      } else {
        left.append(other)
      }
    }
    var claimed = left.isEmpty ? [] : Set(found.values)
    for way in Way.allCases where !left.isEmpty {
      left = left.filter { other in
        let id = match(of: other, by: way) { !claimed.contains($0) }
        if let id {
          found[other.id] = id
          claimed.insert(id)
        }
        return id == nil
      }
    }
    return found
  }

  private enum Way: CaseIterable { case idAndSound, sound, id, group }

  private mutating func match(
    of other: Candidate, by way: Way, where isFree: (AlbumID) -> Bool
  ) -> AlbumID? {
    switch way {
    case .idAndSound:
      guard let id = match(of: other, by: .id, where: isFree) else { return nil }
      return other.traits.sounds.contains { bySound[$0]?.contains(id) == true } ? id : nil
    case .sound:
      let sounds = Set(other.traits.sounds)
      var counts: [AlbumID: Int] = [:]
      for sound in sounds {
        for id in bySound[sound] ?? [] where isFree(id) { counts[id, default: 0] += 1 }
      }
      return counts.filter { $0.value * 2 >= sounds.count }
        .max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
    case .id:
      let id = library.aliases[other.id] ?? other.id
      return table.albums[id] != nil && mayBe(id) && isFree(id) ? id : nil
    case .group:
      let same = (byGroup[other.traits.group] ?? []).filter(isFree).sorted()
      if same.count < 2 { return same.first }
      return same.first { id in
        guard let traits = table.albums[id]?.traits else { return false }
        return traits.songs == other.traits.songs
          && abs(traits.seconds - other.traits.seconds) <= 2 * traits.songs
      }
    }
  }

  private func sounds() -> [SharedSound: [AlbumID]] {
    var albums: [SharedSound: [AlbumID]] = [:]
    for (id, album) in table.albums where mayBe(id) {
      guard let here = library.albums[id] else {
        for sound in album.traits.sounds { albums[sound, default: []].append(id) }
        continue
      }
      for song in here.entries.compactMap({ library.songs[$0] }) where song.album == id {
        if let digest = song.digest { albums[SharedSound(digest), default: []].append(id) }
      }
    }
    return albums
  }
}
