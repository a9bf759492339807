import CratesInterface
import ImportedLists
import Text
import VarlinkClient

/// An import, from planning it to applying it.
struct Import {
  /// A plan, with the sequence of the library that it was made for.
  struct Proposal {
    var plan: ImportPlan
    var sequence: Int
  }

  let daemon: DaemonConnection
  let source: ListSource
  let choice: ImportChoice
  let roots: [Interface.Root]

  /// The most attempts if the library changes during the lookups.
  private static let attemptsMost = 3
  private static let originBytes = 255
  /// The most letters of a file name to search for.
  private static let searchedMost = 200

  /// Makes the plan.
  func proposal() throws(Failure) -> Proposal {
    var attempt = 1
    while true {
      let (plan, sequences) = try draft()
      if sequences.count == 1 || attempt == Self.attemptsMost {
        return Proposal(plan: plan, sequence: sequences.max() ?? 0)
      }
      attempt += 1
    }
  }

  private func draft() throws(Failure) -> (ImportPlan, sequences: Set<Int>) {
    var finding = SongFinding(daemon, folder: source.folder, roots: roots)
    let file = try file(&finding)
    let importing: Importing
    do throws(ImportRefusal) {
      importing = try Importing(file, choice: choice)
    } catch {
      throw .refused(error.description)
    }
    guard case .crates(let crates, let sequence) = try daemon.reply(to: .listCrates) else {
      throw Failure(.unreadable("it lists no crates"))
    }
    let found = try finding.songs(of: importing.lists)
    var albums = try finding.albums(of: found)
    try finding.addOrder(of: importing.albumsInOneBlock(found, albums: albums), to: &albums)
    let plan = importing.plan(found, albums: albums, crates: crates.map(\.name))
    return (plan, finding.sequences.union([sequence]))
  }

  /// Reads all lists, each in the encoding in which most songs are found.
  private func file(_ finding: inout SongFinding) throws(Failure) -> ListFile {
    var whole = ListFile()
    var usual: CodePage?
    for file in source.files {
      let read =
        switch file {
        case .lists(let lists): lists
        case .undecoded(let bytes, let path): try decoded(bytes, path, &usual, &finding)
        }
      whole.lists += read.lists
      whole.leftOut += read.leftOut
    }
    return whole
  }

  private func decoded(
    _ bytes: [UInt8], _ path: String, _ usual: inout CodePage?, _ finding: inout SongFinding
  ) throws(Failure) -> ListFile {
    let text = try ListText(bytes, source.pages, usual: usual) { (text) throws(Failure) in
      let lists = try source.lists(in: text, path: path).lists
      let songs = try finding.songs(of: lists).joined()
      return ListText.Count(listed: songs.count, found: songs.count(where: \.isFound))
    }
    usual = text.page ?? usual
    var file = try source.lists(in: text.bytes, path: path)
    for place in file.lists.indices { file.lists[place].isDecoded = text.isKnown }
    return file
  }

  // MARK: Missing paths

  /// For missing paths that are shown because hardly any song was found, returns a path of the
  /// library for each: the nearest one that a search finds, or else any.
  func neighbours(of plan: ImportPlan) throws(Failure) -> [String: String] {
    var neighbours: [String: String] = [:]
    for list in plan.lists {
      guard let paths = list.skipReason?.paths, !paths.isEmpty else { continue }
      for (number, path) in paths.enumerated() where neighbours[path] == nil {
        let near = try neighbour(of: path)
        neighbours[path] = if let near { near } else { try song(number + 1) }
      }
      // One list is enough: further ones would show the same.
      break
    }
    return neighbours
  }

  private func neighbour(of path: String) throws(Failure) -> String? {
    guard let query = Self.query(for: path) else { return nil }
    guard case .found(_, let songs, _, _, _) = try daemon.reply(to: .search(query: query, limit: 1))
    else { return nil }
    return songs.first?.path
  }

  /// Returns a query for the words of the file name; nil if no word is distinctive.
  static func query(for path: String) -> String? {
    let plain: String = path.replacing("%20", with: " ")
    let name: Substring = plain.split { $0 == "/" || $0 == "\\" }.last ?? ""
    let stem = name[..<(name.lastIndex(of: ".") ?? name.endIndex)].prefix(searchedMost)
    let words: [Substring] = stem.split { !$0.isLetter && !$0.isNumber }
      .filter { $0.count > 2 && $0.contains(where: \.isLetter) }
    if words.isEmpty { return nil }
    return words.prefix(4).map { "path:\($0)" }.joined(separator: " ")
  }

  private func song(_ number: Int) throws(Failure) -> String? {
    let call = Call.listSongs(crate: nil, album: nil, gone: false, first: number, count: 1)
    guard case .songs(let songs, _, _) = try daemon.reply(to: call) else { return nil }
    return songs.first?.path
  }

  // MARK: Applying

  /// Applies the plan as one change.
  ///
  /// - Parameter isDryRun: Whether this is a dry run.
  func apply(_ proposal: Proposal, isDryRun: Bool) throws(Failure) -> JSON {
    let call = Call.applyText(
      text: proposal.plan.text, sequence: proposal.sequence, crate: nil, partial: true,
      origin: Self.origin(source.name), dryRun: isDryRun)
    return try daemon.parameters(of: call) { error in
      guard case .outdated = error else { return nil }
      return "the library changed too much while the lists were looked up; try again"
    }
  }

  /// For example `import of mixxxdb.sqlite`.
  static func origin(_ name: String) -> String {
    var origin = "import of "
    for character in name {
      let isPlain = character.unicodeScalars.allSatisfy { !$0.isSteering }
      let shown = isPlain ? String(character) : " "
      if origin.utf8.count + shown.utf8.count > originBytes { break }
      origin += shown
    }
    return origin
  }
}
