import Arguments
import CratesInterface

struct SortCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sort",
    abstract: "Sort albums or songs within the places that they have.",
    usage: """
      crate sort WHAT… by artist|title|year|added [oldest|newest|ascending|descending]
      crate sort WHAT… by track|title|added [oldest|newest|ascending|descending]
      crate sort WHAT… reversed|shuffled
      """,
    discussion: """
      A crate, or several albums: the albums are sorted. One album, or anything by track: the \
      songs. By year and by added the newest come first, unless you say oldest. `album` is the \
      same as title, and `released` as year. `--dry-run` prints the order.
      """)

  @OptionGroup var common: CommonOptions
  @OptionGroup var change: ChangeOptions
  @Argument(help: ArgumentHelp("What to sort, and by what.", valueName: "what"))
  var words: [String]

  func run() throws {
    let words = try SortWords(words)
    let daemon = try DaemonConnection(common)
    let things = try Finder(daemon: daemon, prefersAlbums: true).things(words.what)
    for thing in things { try thing.refuseGone() }
    let call = try call(for: things, words, daemon)
    let answer = try daemon.parameters(of: call)
    try Changes.show(answer, json: common.json)
    // A dry run of a shuffle would show an order that the real run doesn't repeat.
    if change.isDryRun, !common.json, words.order != .shuffled {
      try OrderPreview(daemon: daemon).show(answer)
    }
  }

  private func call(
    for things: [Interface.Thing], _ words: SortWords, _ daemon: DaemonConnection
  ) throws(Failure) -> Call {
    let kinds = Set(things.map(\.kind))
    // A single album is sorted by its songs.
    let isOfSongs = kinds.contains(.song) || (kinds == [.album] && things.count == 1)
    if !isOfSongs, let order = words.order.ofAlbums {
      return .sortAlbums(
        albums: try Finder(daemon: daemon).albums(of: things), order: order,
        ascending: words.ascending, sequence: change.sequence, dryRun: change.isDryRun)
    }
    guard let order = words.order.ofSongs else {
      throw .wrongUse(
        "songs have no order “\(words.order.rawValue)” of their own; use \(SortWords.songOrders)")
    }
    return .sortSongs(
      songs: try songs(things, order, daemon), order: order, ascending: words.ascending,
      sequence: change.sequence, dryRun: change.isDryRun)
  }

  /// Returns the songs of the things. A crate stands for its albums, and an album for its songs.
  private func songs(
    _ things: [Interface.Thing], _ order: Interface.SongOrder, _ daemon: DaemonConnection
  ) throws(Failure) -> [String] {
    var ids: [String] = []
    var seen: Set<String> = []
    func add(_ id: String) { if seen.insert(id).inserted { ids.append(id) } }
    for thing in things {
      if let song = thing.song {
        add(song)
        continue
      }
      // Sorting by track includes gone songs, so that the whole album is in the order of its tags
      // and follows them from then on.
      let call = Call.listSongs(
        crate: thing.crate, album: thing.album, gone: order == .track, first: nil, count: nil)
      for id in try daemon.ids(of: call, in: "songs") { add(id) }
    }
    guard !ids.isEmpty else { throw .refused("no song is listed there") }
    return ids
  }
}
