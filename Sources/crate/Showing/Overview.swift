import CratesInterface

/// What a person sees who types nothing but `crate`: the crates, what came since the last look, and
/// what to do next.
struct Overview {
  private let daemon: Daemon

  /// New albums that are named.
  private static let namedMost = 5

  init(_ daemon: Daemon) { self.daemon = daemon }

  func show() throws(Failure) {
    guard case .crates(let crates, let sequence) = try daemon.reply(to: .listCrates) else {
      throw .unreadable("it lists no crates")
    }
    let status = try daemon.status()
    let scan = Scan(status)
    var page = ListedPage(daemon: daemon, json: false)
    page.show(crates, of: crates.count)
    if crates.isEmpty {
      let folders = status.folders.map(\.path).joined(separator: ", ")
      page.add(scan == nil ? "There is no music in \(folders) yet." : "The music is being read.")
    }
    if let scan { page.add("\(scan.text); crate sync waits for the rest") }
    if status.problems > 0 {
      page.add("\(Shown.count(status.problems, "problem")): crate problems")
    }
    let looked = LookedFile()
    if let since = looked?.sequence, since < sequence {
      try addNew(since: since, &page)
    }
    page.add("")
    for line in Self.advice(crates) { page.add(line) }
    page.end()
    looked?.write(sequence)
  }

  private func addNew(since: Int, _ page: inout ListedPage) throws(Failure) {
    let albums = try Self.arrivals(since: since, daemon)
    if albums.isEmpty { return }
    page.add("")
    page.add(Terminal.output.bold("New since you last looked"))
    for album in albums.prefix(Self.namedMost) {
      let artist = album.artist.isEmpty ? "" : " by \(album.artist)"
      let place = album.position.map { ", \(album.crate) \($0)" } ?? ""
      page.add("   \(Shown.harmless("\(album.title)\(artist)\(place)"))")
    }
    let more = albums.count - Self.namedMost
    if more > 0 { page.add("   and \(Shown.count(more)) more") }
  }

  // MARK: What came

  /// Changes that are asked for at once, and looked through at most.
  private static let atOnce = 50
  private static let changesMost = 500

  /// The albums that came after that change, the newest first.
  static func arrivals(since: Int, _ daemon: Daemon) throws(Failure) -> [Interface.Album] {
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
      let album: Interface.Album = try Daemon.structure(object)
      if album.came > since { albums.append(album) }
    }
    return albums.sorted { $0.came > $1.came }
  }

  // MARK: What to do next

  static func advice(_ crates: [Interface.Crate]) -> [String] {
    guard let first = crates.first else {
      return [
        "crate status        where music is looked for",
        "crate sync          waits until it is read",
        "crate help          all commands",
      ]
    }
    let name = Shown.word(first.name)
    let lines = [
      ("crate list \(name)", "its albums; then one by its number: crate list \(name) 1"),
      ("crate move \(name) 1 to Favourites", "puts it into another crate, a new one too"),
      ("crate play \(name)", "in your order; crate help tells the rest"),
    ]
    let width = lines.map(\.0.count).max() ?? 0
    return lines.map { command, about in
      let blanks = String(repeating: " ", count: width - command.count + 2)
      return Shown.harmless(command) + Terminal.output.dim(blanks + Shown.harmless(about))
    }
  }
}
