import CratesInterface

/// The output of `crate` without a command: the crates, the new albums since the last run, and what
/// to do next.
struct Overview {
  private let daemon: DaemonConnection

  /// The most new albums to name.
  private static let namedMost = 5

  init(_ daemon: DaemonConnection) { self.daemon = daemon }

  func show() throws(Failure) {
    guard case .crates(let crates, let sequence) = try daemon.reply(to: .listCrates) else {
      throw .unreadable("it lists no crates")
    }
    let status = try daemon.status()
    let scan = Scan(status)
    var page = ListedPage(daemon: daemon, json: false)
    page.show(crates, of: crates.count)
    if crates.isEmpty {
      page.add(scan == nil ? Self.emptiness(status) : "The music is being read.")
    }
    if let scan { page.add("\(scan.text); crate sync waits for the rest") }
    if status.problems > 0 {
      page.add("\(Shown.count(status.problems, "problem")): crate problems")
    }
    if scan == nil { for line in Shown.offline(status) { page.add(line) } }
    let looked = LookedFile()
    if let since = looked.sequence, since < sequence {
      try addNew(since: since, &page)
    }
    page.add("")
    for line in Self.advice(crates, for: .output) { page.add(line) }
    page.end()
    looked.write(sequence)
  }

  private static func emptiness(_ status: Interface.LibraryStatus) -> String {
    let folders = status.folders.map(\.path).joined(separator: ", ")
    guard status.songs == 0, status.gone > 0 else { return "There is no music in \(folders) yet." }
    return "There is no music in \(folders) any more; places are kept for "
      + "\(Shown.count(status.gone, "song"))."
  }

  private func addNew(since: Int, _ page: inout ListedPage) throws(Failure) {
    let albums = try Self.arrivals(since: since, daemon)
    if albums.isEmpty { return }
    page.add("")
    page.add(Terminal.output.bold("New since you last looked"))
    for line in Self.named(albums) { page.add("   \(line)") }
  }

  /// Returns lines with the first new albums by name, and the number of the others.
  static func named(_ albums: [Interface.Album]) -> [String] {
    let lines = albums.prefix(namedMost).map { album in
      let artist = album.artist.isEmpty ? "" : " by \(album.artist)"
      let place = album.position.map { ", \(album.crate) \($0)" } ?? ""
      return Shown.harmless("\(album.title)\(artist)\(place)")
    }
    let more = albums.count - lines.count
    return more > 0 ? lines + ["and \(Shown.count(more)) more"] : lines
  }

  // MARK: What came

  /// The number of changes per call, and the most to search.
  private static let atOnce = 50
  private static let changesMost = 500

  /// Returns the albums that were added after a change, the newest first.
  static func arrivals(since: Int, _ daemon: DaemonConnection) throws(Failure) -> [Interface.Album]
  {
    var ids: Set<String> = []
    var before: Int?
    var looked = 0
    while looked < changesMost {
      let call = Call.history(limit: atOnce, before: before)
      guard case .changes(let changes) = try daemon.reply(to: call) else { break }
      for change in changes where change.sequence > since && change.author == .folder {
        ids.formUnion(change.albums)
      }
      looked += changes.count
      before = changes.last?.sequence
      if changes.count < atOnce || before ?? 0 <= since { break }
    }
    if ids.isEmpty { return [] }
    var albums: [Interface.Album] = []
    let call = Call.listAlbums(
      crate: nil, albums: ids.sorted(), gone: false, first: nil, count: nil)
    try daemon.eachObject(of: call, in: "albums") { object throws(Failure) in
      let album: Interface.Album = try DaemonConnection.structure(object)
      if album.came > since { albums.append(album) }
    }
    return albums.sorted { $0.came > $1.came }
  }

  // MARK: What to do next

  static func advice(_ crates: [Interface.Crate], for terminal: Terminal) -> [String] {
    var lines = [
      ("crate status", "where music is looked for"),
      ("crate sync", "waits until it is read"),
      ("crate help", "all commands"),
    ]
    if let first = crates.first {
      let name = Shown.harmless(Shown.word(first.name))
      lines = [
        ("crate list \(name)", "its albums, with numbers"),
        ("crate move \(name) 1 to Favourites", "moves one to another crate"),
        ("crate play \(name)", "plays it, in your order"),
        ("crate help", "all commands"),
      ]
    }
    let width = lines.map { DisplayWidth.of($0.0) }.max() ?? 0
    return lines.map { command, about in
      let blanks = String(repeating: " ", count: width - DisplayWidth.of(command) + 2)
      let room = terminal.columns.map { $0 - width - 2 } ?? .max
      // A description cut to a word or two says nothing.
      guard room >= Self.aboutLeast else { return command }
      return command + terminal.dim(blanks + Table.cut(about, to: room))
    }
  }

  /// The least columns for a command's description.
  private static let aboutLeast = 16
}
