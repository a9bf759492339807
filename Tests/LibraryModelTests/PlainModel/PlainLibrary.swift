@testable import LibraryModel

/// The library as arrays. Written from the specification alone, slow and obvious: the judge of the
/// code under test, none of whose rules it calls.
struct PlainLibrary: Equatable {
  struct Crate: Equatable {
    var name: String
    var albums: [AlbumID] = []
  }

  struct Album: Equatable {
    var id: AlbumID
    var group: String
    /// Its songs in order, gone ones included, and the slots of songs that left.
    var entries: [SongID] = []
    var isArranged = false
    var isPlaced = false
    /// The album above which it began.
    var origin: AlbumID?
  }

  struct Song: Equatable {
    var id: SongID
    var album: AlbumID
    var group: String
    /// Its files, its own first; of a gone one where its own was.
    var paths: [String]
    var file: PlainFile
    var added: Int64
    var isGone = false
    var isPlaced = false

    var path: String { paths[0] }

    var title: String { plainTitle(file, path) }

    var disc: Int { plainDisc(file, path) }
  }

  var crates: [Crate] = []
  var albums: [AlbumID: Album] = [:]
  var songs: [SongID: Song] = [:]

  func members(_ id: AlbumID) -> [SongID] {
    (albums[id]?.entries ?? []).filter { songs[$0]?.album == id }
  }

  func isListed(_ id: AlbumID) -> Bool { members(id).contains { songs[$0]?.isGone == false } }

  func isListed(_ crate: Crate) -> Bool { crate.albums.contains(where: isListed) }

  func crate(of id: AlbumID) -> Int? { crates.firstIndex { $0.albums.contains(id) } }

  func crate(named name: String) -> Int? {
    crates.firstIndex { plainName($0.name) == plainName(name) }
  }

  /// A crate goes when its last album leaves.
  mutating func dropEmptyCrates(except kept: String?) {
    crates.removeAll { $0.albums.isEmpty && $0.name != kept }
  }

  // MARK: Default order

  func inDefaultOrder(_ ids: [SongID]) -> [SongID] {
    ids.sorted { left, right in
      guard let left = songs[left], let right = songs[right] else { return false }
      return isBefore(left, right)
    }
  }

  private func isBefore(_ left: Song, _ right: Song) -> Bool {
    if left.disc != right.disc { return left.disc < right.disc }
    let (first, second) = (left.file.tags.track ?? 1_000_000, right.file.tags.track ?? 1_000_000)
    if first != second { return first < second }
    let order = plainOrder(fileName(left.path), fileName(right.path))
    return order == 0 ? left.id < right.id : order < 0
  }

  /// Puts the members into the order, among the places that members hold.
  mutating func setMembers(_ order: [SongID], of id: AlbumID) {
    var rest = order[...]
    let entries = (albums[id]?.entries ?? []).map { entry in
      order.contains(entry) ? rest.removeFirst() : entry
    }
    albums[id]?.entries = entries
  }

  // MARK: What an album shows

  /// As most of its songs write it, else the name of its folder.
  func title(_ id: AlbumID) -> String {
    let title = mostUsed(id) { $0.file.tags.album }
    return title.isEmpty ? fileName(albums[id]?.group ?? "") : title
  }

  func year(_ id: AlbumID) -> Int? {
    shown(id).compactMap { Int($0.file.tags.date.prefix(4)) }.min()
  }

  func artist(_ id: AlbumID) -> String {
    let owner = mostUsed(id) { $0.file.tags.albumArtist }
    if !owner.isEmpty { return owner }
    let names = shown(id).map { song in
      song.file.tags.artist.split(separator: " feat. ").first.map(String.init) ?? ""
    }
    for name in names where names.filter({ $0 == name }).count * 2 > names.count { return name }
    return names.allSatisfy(\.isEmpty) ? "" : "Various Artists"
  }

  func added(_ id: AlbumID) -> Int64 { members(id).compactMap { songs[$0]?.added }.min() ?? 0 }

  private func shown(_ id: AlbumID) -> [Song] {
    let all = inDefaultOrder(members(id)).compactMap { songs[$0] }
    let listed = all.filter { !$0.isGone }
    return listed.isEmpty ? all : listed
  }

  private func mostUsed(_ id: AlbumID, _ name: (Song) -> String) -> String {
    let names = shown(id).map(name).filter { !$0.isEmpty }
    var best = ""
    var most = 0
    for name in names {
      let count = names.filter { $0 == name }.count
      if count > most { (best, most) = (name, count) }
    }
    return best
  }
}

/// Natural order of plain names: case ignored, 2 before 10. Below zero, zero or above.
func plainOrder(_ left: String, _ right: String) -> Int {
  func parts(_ name: String) -> [String] {
    var parts: [String] = []
    for character in name.lowercased() {
      if let last = parts.last?.last, last.isNumber, character.isNumber {
        parts[parts.count - 1].append(character)
      } else {
        parts.append(String(character))
      }
    }
    return parts
  }
  if left == right { return 0 }
  let (first, second) = (parts(left), parts(right))
  for (one, other) in zip(first, second) where one != other {
    if let one = Int(one), let other = Int(other), one != other { return one < other ? -1 : 1 }
    return one < other ? -1 : 1
  }
  if first.count != second.count { return first.count < second.count ? -1 : 1 }
  return left < right ? -1 : 1
}

/// The specification leaves more than one result possible; why.
struct Several: Error {
  var reason: String

  init(_ reason: String) { self.reason = reason }
}
