import Arguments
import CratesInterface
import NameFolding

/// What may stand at the cursor.
struct Offer: Equatable {
  struct Candidate: Equatable {
    var word: String
    /// A few words for shells that show them.
    var about = ""
  }

  var candidates: [Candidate] = []
  /// The shell's own names of files are wanted.
  var wantsFiles = false

  static let files = Offer(wantsFiles: true)

  /// More would be no help on a screen.
  static let candidatesMost = 1000

  /// Those that the word begins; spelled otherwise only where it begins none as it is.
  func beginning(with word: String) -> Offer {
    var offer = self
    offer.candidates = candidates.filter { $0.word.hasPrefix(word) }
    if offer.candidates.isEmpty {
      // A blank at its end counts, which folding takes off.
      let beginning = folded(word) + (word.last?.isWhitespace == true ? " " : "")
      offer.candidates = candidates.filter { folded($0.word).hasPrefix(beginning) }
    }
    offer.candidates.removeLast(max(0, offer.candidates.count - Self.candidatesMost))
    return offer
  }
}

/// Works out what may follow the words of a command line.
struct Completer {
  /// Where the names come from. Asked for only where they may stand.
  var crates: () -> [Interface.Crate]
  var albums: () -> [Interface.Album]

  /// - Parameters:
  ///   - words: those behind `crate`, before the cursor.
  ///   - current: what is typed of the word at the cursor.
  func offer(after words: [String], current: String) -> Offer {
    guard let name = words.first(where: { !$0.hasPrefix("-") }),
      let command = Self.commands.first(where: { $0.configuration.commandName == name })
    else {
      if words.first(where: { !$0.hasPrefix("-") }) == "help" { return verbs(help: false) }
      if words == [Scripts.option] { return Offer(candidates: Self.plain(Scripts.shells)) }
      let options = Self.plain(["--help", "--version", Scripts.option])
      return current.hasPrefix("-") ? Offer(candidates: options) : verbs(help: true)
    }
    let options = command.options(includingHidden: true)
    var operands: [String] = []
    var takesValue: String?
    var isOnlyOperands = false
    for word in words.drop(while: { $0 != name }).dropFirst() {
      if takesValue != nil {
        takesValue = nil
      } else if isOnlyOperands || !word.hasPrefix("-") || word == "-" {
        operands.append(word)
      } else if word == "--" {
        isOnlyOperands = true
      } else {
        takesValue = options.first { $0.names.contains(word) && $0.valueName != nil }?.names.last
      }
    }
    if let takesValue { return takesValue == "--from" ? .files : Offer() }
    if current.hasPrefix("-"), !isOnlyOperands {
      let free = command.options().filter { option in
        !option.names.contains(where: words.contains)
      }
      return Offer(
        candidates: free.compactMap { option in
          option.names.last.map { .init(word: $0, about: option.about) }
        })
    }
    return offer(for: name, after: operands, current)
  }

  private func offer(for command: String, after words: [String], _ current: String) -> Offer {
    switch command {
    case "move": return Offer(candidates: move(words, current))
    case "sort": return Offer(candidates: sort(words, current))
    case "rename", "edit": return Offer(candidates: words.isEmpty ? crateNames() : [])
    case "rescan", "import": return words.isEmpty ? .files : Offer()
    case "list", "show", "play", "paths", "forget", "art":
      return Offer(candidates: things(isFirst: words.isEmpty, current))
    default: return Offer()
    }
  }

  private func verbs(help: Bool) -> Offer {
    let verbs = Self.commands.map {
      Offer.Candidate(word: $0.configuration.commandName, about: $0.configuration.abstract)
    }
    return Offer(
      candidates: verbs + (help ? [.init(word: "help", about: "Explain a command.")] : []))
  }

  // MARK: Words of the commands

  private func move(_ words: [String], _ current: String) -> [Offer.Candidate] {
    switch words.last {
    case nil: return things(isFirst: true, current)
    case "to": return crateNames()
    case "before", "after": return things(isFirst: true, current)
    case "up", "down", "top", "bottom": return []
    default: break
    }
    // `… to CRATE` has only places behind it.
    let isNamed = words.count > 2 && words[words.count - 2] == "to"
    let places = isNamed ? [] : ["up", "down", "to"]
    let keywords = Self.plain(places + ["top", "bottom", "before", "after"])
    return keywords + (isNamed ? [] : things(isFirst: false, current))
  }

  private func sort(_ words: [String], _ current: String) -> [Offer.Candidate] {
    if words.last == "by" {
      var orders = Interface.SongOrder.allCases.map(\.rawValue)
      orders += Interface.AlbumOrder.allCases.map(\.rawValue).filter { !orders.contains($0) }
      return Self.plain(orders)
    }
    if words.isEmpty { return things(isFirst: true, current) }
    return Self.plain(["by"]) + things(isFirst: false, current)
  }

  static func plain(_ words: [String]) -> [Offer.Candidate] { words.map { .init(word: $0) } }

  // MARK: Names

  private func crateNames() -> [Offer.Candidate] {
    crates().map { crate in
      .init(word: Self.isPlain(crate.name, isFirst: true) ? crate.name : "crate:\(crate.name)")
    }
  }

  /// Each in words that mean it and nothing else.
  private func things(isFirst: Bool, _ current: String) -> [Offer.Candidate] {
    let crates = crates()
    let albums = albums().filter { $0.position != nil }
    var uses: [String: Int] = [:]
    for album in albums { uses[folded(album.title), default: 0] += 1 }
    let crateNames = Set(crates.map { folded($0.name) })
    var candidates: [Offer.Candidate] = []
    for crate in crates {
      let isAlone = uses[folded(crate.name)] == nil
      let word = "crate:\(crate.name)"
      if current.hasPrefix("crate:") || !isAlone || !Self.isPlain(crate.name, isFirst: isFirst) {
        candidates.append(.init(word: word, about: "crate"))
      } else {
        candidates.append(.init(word: crate.name, about: "crate"))
      }
    }
    for album in albums {
      let isAlone = uses[folded(album.title)] == 1 && !folded(album.title).isEmpty
      if current.hasPrefix("id:") {
        candidates.append(.init(word: "id:\(album.id)", about: "\(album.artist): \(album.title)"))
      } else if !isAlone {
        candidates.append(.init(word: album.id, about: "\(album.artist): \(album.title)"))
      } else if current.hasPrefix("album:") || crateNames.contains(folded(album.title))
        || !Self.isPlain(album.title, isFirst: isFirst)
      {
        candidates.append(.init(word: "album:\(album.title)", about: album.artist))
      } else {
        candidates.append(.init(word: album.title, about: album.artist))
      }
    }
    return candidates
  }

  private static let keywords: Set<String> =
    ["up", "down", "top", "bottom", "before", "after", "to", "by"]

  /// Whether the name is read as a name without a word in front that says so.
  private static func isPlain(_ name: String, isFirst: Bool) -> Bool {
    if name.isEmpty || name.hasPrefix("-") || keywords.contains(name) { return false }
    if ["id:", "crate:", "album:"].contains(where: name.hasPrefix) { return false }
    // Behind another name it would be positions in that.
    return isFirst || !name.allSatisfy { $0.isNumber || $0 == "," || $0 == "-" }
  }

  static var commands: [any ParsableCommand.Type] { Crate.configuration.subcommands }
}
