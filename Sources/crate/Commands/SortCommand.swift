import Arguments
import CratesInterface

struct SortCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sort",
    abstract: "Sort albums or songs among the places they hold.",
    usage: """
      crate sort WHAT… by added|released|artist|title|reversed|shuffled
      crate sort WHAT… by track|added|title|reversed|shuffled
      """,
    discussion: """
      The first line is for albums, the second for songs. A crate stands for its albums, and one \
      album, or several by track, for their songs: `crate sort Jazz by title`, \
      `crate sort "Kind of Blue" by track`.
      """)

  @OptionGroup var common: CommonOptions
  @OptionGroup var change: ChangeOptions
  @Argument(help: "What to sort, and by what.")
  var words: [String]

  func run() throws {
    let words = try SortWords(words)
    let daemon = try Daemon(common)
    let things = try Resolver(daemon).things(words.what)
    let call = try call(for: things, words, daemon)
    try Changes.show(try daemon.parameters(of: call), json: common.json)
  }

  private func call(
    for things: [Thing], _ words: SortWords, _ daemon: Daemon
  ) throws(Failure) -> Call {
    let kinds = Set(things.map(\.kind))
    // One album alone has nothing to be sorted among but its songs.
    let isOfSongs = kinds.contains(.song) || (kinds == [.album] && things.count == 1)
    if let order = words.songOrder, isOfSongs || words.albumOrder == nil {
      return .sortSongs(
        songs: try songs(things, order, daemon), order: order, sequence: change.sequence)
    }
    guard let order = words.albumOrder, !kinds.contains(.song) else {
      throw .wrongUse("songs are sorted by \(SortWords.names(Interface.SongOrder.self))")
    }
    let albums = try Resolver(daemon).albums(of: things)
    return .sortAlbums(albums: albums, order: order, sequence: change.sequence)
  }

  /// A crate stands for its albums, and an album for its songs.
  private func songs(
    _ things: [Thing], _ order: Interface.SongOrder, _ daemon: Daemon
  ) throws(Failure) -> [String] {
    var ids: [String] = []
    var seen: Set<String> = []
    func add(_ id: String) { if seen.insert(id).inserted { ids.append(id) } }
    let resolver = Resolver(daemon)
    for thing in things {
      if case .song(let id, _) = thing {
        add(id)
        continue
      }
      for album in try resolver.albums(of: [thing]) {
        // By track what is gone goes along, so that the album stands by its tags as a whole and
        // follows them from then on.
        for song in try daemon.songs(of: album) where order == .track || song.position != nil {
          add(song.id)
        }
      }
    }
    guard !ids.isEmpty else { throw .refused("no song is listed there") }
    return ids
  }
}
