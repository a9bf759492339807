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
    var group: PlainGroup
    /// The album's songs in order, gone ones included, and the slots of songs that left.
    var entries: [SongID] = []
    var isArranged = false
    var isTouched = false
    /// The look in which it began.
    var seen: Int64
    /// Whether it came with a first scan that goes on.
    var isFresh = false
  }

  struct Song: Equatable {
    var id: SongID
    var album: AlbumID
    /// The song's files, its own first; of a gone one where its own was.
    var paths: [String]
    /// The file as it was when it was last there.
    var file: PlainFile
    var added: Int64
    /// The look of first sight.
    var seen: Int64
    var isGone = false
    var isTouched = false

    var path: String { paths[0] }

    var title: String { plainTitle(file, path) }

    var disc: Int { plainDisc(file, path) }
  }

  var crates: [Crate] = []
  var albums: [AlbumID: Album] = [:]
  var songs: [SongID: Song] = [:]
  /// Albums that were handed over, and what they go on as.
  var aliases: [AlbumID: AlbumID] = [:]
  /// Albums that songs left since others of theirs are waited for. Not the order's, but the run's.
  var leaving: Set<AlbumID> = []

  func members(_ id: AlbumID) -> [SongID] {
    (albums[id]?.entries ?? []).filter { songs[$0]?.album == id }
  }

  func isListed(_ id: AlbumID) -> Bool { members(id).contains { songs[$0]?.isGone == false } }

  func isListed(_ crate: Crate) -> Bool { crate.albums.contains(where: isListed) }

  func crate(of id: AlbumID) -> Int? { crates.firstIndex { $0.albums.contains(id) } }

  func crate(named name: String) -> Int? {
    crates.firstIndex { plainName($0.name) == plainName(name) }
  }

  func group(of song: Song) -> PlainGroup? { albums[song.album]?.group }

  /// A crate goes when its last album leaves.
  mutating func dropEmptyCrates(except kept: String?) {
    crates.removeAll { $0.albums.isEmpty && $0.name != kept }
  }

  mutating func removeAlbum(_ id: AlbumID) {
    albums[id] = nil
    for index in crates.indices { crates[index].albums.removeAll { $0 == id } }
  }

  /// All albums in the order in which they stand.
  var standing: [AlbumID] { crates.flatMap(\.albums) }

  /// Where a song stands: album, place in it.
  func place(of song: Song) -> (Int, Int) {
    (
      standing.firstIndex(of: song.album) ?? -1,
      albums[song.album]?.entries.firstIndex(of: song.id) ?? -1
    )
  }

  mutating func touch(_ id: AlbumID) {
    albums[id]?.isTouched = true
    for song in members(id) { songs[song]?.isTouched = true }
  }

  // MARK: Default order

  func inDefaultOrder(_ ids: [SongID]) -> [SongID] {
    let order = ids.compactMap { songs[$0] }
    return order.sorted { isBefore($0, $1, among: order) }.map(\.id)
  }

  /// The most recently added first, ties in default order.
  func newestFirst(_ ids: [SongID], among all: [SongID] = []) -> [SongID] {
    let order = ids.compactMap { songs[$0] }
    let all = all.compactMap { songs[$0] } + order
    return order.sorted { left, right in
      left.added == right.added ? isBefore(left, right, among: all) : left.added > right.added
    }.map(\.id)
  }

  /// - Parameter album: the songs of the album.
  private func isBefore(_ left: Song, _ right: Song, among album: [Song]) -> Bool {
    func sibling(_ song: Song) -> (name: String, number: Int)? {
      song.file.tags.disc == nil ? plainSibling(parent(song.path)) : nil
    }
    func disc(_ song: Song) -> Int {
      if let own = sibling(song),
        album.compactMap(sibling).contains(where: { $0.name == own.name && $0.number != own.number }
        )
      {
        return own.number
      }
      return song.disc
    }
    if disc(left) != disc(right) { return disc(left) < disc(right) }
    let (first, second) = (left.file.tags.track ?? Int.max, right.file.tags.track ?? Int.max)
    if first != second { return first < second }
    let order = plainOrder(plainText(fileName(left.path)), plainText(fileName(right.path)))
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

  /// Slots are as a gone song's, in every respect.
  mutating func noteArranged(_ id: AlbumID) {
    let order = members(id)
    let isArranged = order != inDefaultOrder(order)
    albums[id]?.isArranged = isArranged
  }

  // MARK: What an album shows

  /// An album's title as most of its songs write it, else the name of its folder.
  func title(_ id: AlbumID) -> String {
    let title = mostUsed(id) { $0.file.tags.album }
    return title.isEmpty ? albums[id]?.group.fallbackTitle ?? "" : title
  }

  func year(_ id: AlbumID) -> Int? {
    shown(id).compactMap { Int($0.file.tags.date.prefix(4)) }.min()
  }

  func artist(_ id: AlbumID) -> String {
    let owner = mostUsed(id) { $0.file.tags.albumArtist }
    if !owner.isEmpty { return owner }
    let names = shown(id).map(\.file.tags.artist)
    /// What most have in common, of this made of each.
    func common(_ made: (String) -> String, _ fits: (String, String) -> Bool) -> String? {
      names.map(made).filter { !$0.isEmpty }.sorted { plainName($0).count > plainName($1).count }
        .first { name in
          names.count { fits(plainName(made($0)), plainName(name)) } * 2 > names.count
        }
    }
    func first(_ name: String) -> String {
      names.first { plainName($0) == plainName(name) } ?? name
    }
    func beginsWith(_ text: String, _ name: String) -> Bool {
      let rest = text.unicodeScalars.dropFirst(name.unicodeScalars.count).first
      return text == name
        || text.hasPrefix(name) && rest?.properties.isAlphabetic == false
          && rest?.properties.numericType == nil
    }
    let whole = common({ $0 }, ==) ?? common({ $0 }, beginsWith)
    if let whole { return first(whole) }
    if let main = common({ $0.split(separator: " feat. ").first.map(String.init) ?? "" }, ==) {
      return main
    }
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
      let count = names.filter { $0.utf8.elementsEqual(name.utf8) }.count
      if count > most { (best, most) = (name, count) }
    }
    return best
  }
}
