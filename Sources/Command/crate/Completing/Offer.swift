import Arguments
import CratesInterface
import ImportedLists
import Text

/// The completions at the cursor.
struct Offer: Equatable {
  struct Candidate: Equatable {
    var word: String
    /// A short description for shells that show it.
    var about = ""
  }

  var candidates: [Candidate] = []
  /// Whether the shell should complete file names.
  var wantsFiles = false

  static let files = Offer(wantsFiles: true)

  /// More candidates would not be useful on a screen.
  static let candidatesMost = 1000

  /// Returns the candidates that begin with the word. Ignores case and accents only if none match
  /// exactly.
  func beginning(with word: String) -> Offer {
    var offer = self
    offer.candidates = candidates.filter { $0.word.hasPrefix(word) }
    if offer.candidates.isEmpty {
      // Folding removes trailing blanks, which count here.
      let beginning = folded(word) + (word.last?.isWhitespace == true ? " " : "")
      offer.candidates = candidates.filter { folded($0.word).hasPrefix(beginning) }
    }
    offer.candidates.removeLast(max(0, offer.candidates.count - Self.candidatesMost))
    return offer
  }
}

/// Computes the completions of a command line.
struct Completer {
  /// Looks up things by the beginning of their names. Called only where a name may be.
  var names: (_ beginning: String, _ kinds: [Interface.Kind]) -> KnownNames

  /// - Parameters:
  ///   - words: The words behind `crate`, before the cursor.
  ///   - current: The typed part of the word at the cursor.
  func offer(after words: [String], current: String) -> Offer {
    let verb = Self.verb(of: words)
    guard let verb, let command = Self.commands.first(where: { $0.name == words[verb] }) else {
      if verb.map({ words[$0] }) == "help" { return verbs(help: false) }
      if words == [Scripts.option] { return Offer(candidates: Self.plain(Scripts.shells)) }
      let options = Self.plain(["--help", "--version", Scripts.option])
      return current.hasPrefix("-") ? Offer(candidates: options) : verbs(help: true)
    }
    let options = command.options(includingHidden: true)
    var operands: [String] = []
    /// The names of the option whose value is the next word.
    var takesValue: [String]?
    var isOnlyOperands = false
    for word in words[(verb + 1)...] {
      if takesValue != nil {
        takesValue = nil
      } else if isOnlyOperands || (!isOptionWord(word) && word != "--") {
        operands.append(word)
      } else if word == "--" {
        isOnlyOperands = true
      } else {
        takesValue = options.first { $0.names.contains(word) && $0.valueName != nil }?.names
      }
    }
    if let takesValue {
      if takesValue.contains("--from") { return .files }
      if takesValue.contains("--crate") { return Offer(candidates: crateNames(current)) }
      if takesValue.contains("--covers") {
        return Offer(candidates: Self.plain(BrowseCommand.coverWays))
      }
      if takesValue.contains("--forget") {
        return Offer(candidates: Self.plain([WebCall.everyDevice]))
      }
      let isDay = takesValue.contains("--since") && command.name == HistoryCommand.name
      return Offer(candidates: isDay ? Self.plain(["today", "yesterday"]) : [])
    }
    if current.hasPrefix("-"), !isOnlyOperands {
      let free = command.options().filter { option in
        !option.names.contains(where: words.contains)
      }
      return Offer(
        candidates: free.compactMap { option in
          option.names.last.map { .init(word: $0, about: option.about) }
        })
    }
    return offer(for: command.name, after: operands, current)
  }

  /// Returns the index of the verb, which may follow options with values.
  private static func verb(of words: [String]) -> Int? {
    let valued = commands.flatMap { $0.options(includingHidden: true) }
      .filter { $0.valueName != nil }.flatMap(\.names)
    var place = 0
    while place < words.count, words[place].hasPrefix("-") {
      place += valued.contains(words[place]) ? 2 : 1
    }
    return place < words.count ? place : nil
  }

  private func offer(for command: String, after words: [String], _ current: String) -> Offer {
    let isPath = FileAddress.isMeant(by: current)
    switch command {
    case "move", "sort", "list", "show", "play", "paths", "forget", "art":
      if isPath, words.last != "to" { return .files }
      let candidates =
        switch command {
        case "move": move(words, current)
        case "sort": sort(words, current)
        default: things(isFirst: words.isEmpty, current)
        }
      return Offer(candidates: candidates)
    case "rename", "edit", "browse":
      return Offer(candidates: words.isEmpty ? crateNames(current) : [])
    case "rescan": return words.isEmpty ? .files : Offer()
    case "machines": return Offer(candidates: words.isEmpty ? Self.plain(["join", "drop"]) : [])
    case "import":
      if !words.isEmpty { return Offer() }
      // A file with such a name can be given as `./mpd`.
      let programs = Offer(candidates: Self.plain(ImportProgram.allCases.map(\.rawValue)))
      return programs.beginning(with: current).candidates.isEmpty ? .files : programs
    default: return Offer()
    }
  }

  private func verbs(help: Bool) -> Offer {
    let verbs = Self.commands.map {
      Offer.Candidate(word: $0.name, about: $0.configuration.abstract)
    }
    return Offer(
      candidates: verbs + (help ? [.init(word: "help", about: "Explain a command.")] : []))
  }

  // MARK: Words of the commands

  private func move(_ words: [String], _ current: String) -> [Offer.Candidate] {
    switch words.last {
    case nil: return things(isFirst: true, current)
    case "to": return crateNames(current)
    case "before", "after": return things(isFirst: true, current)
    case "up", "down", "top", "bottom": return []
    default: break
    }
    // Only places can follow `… to CRATE`.
    let isNamed = words.count > 2 && words[words.count - 2] == "to"
    let places = isNamed ? [] : ["up", "down", "to"]
    let keywords = Self.plain(places + ["top", "bottom", "before", "after"])
    return keywords + (isNamed ? [] : things(isFirst: false, current))
  }

  private func sort(_ words: [String], _ current: String) -> [Offer.Candidate] {
    if words.isEmpty { return things(isFirst: true, current) }
    if words.last == "by" { return Self.plain(SortWords.Order.allCases.map(\.rawValue)) }
    if words.count > 2, words[words.count - 2] == "by",
      let order = SortWords.Order(rawValue: words[words.count - 1])
    {
      return Self.plain(SortWords.directions(of: order))
    }
    return Self.plain(["by", "reversed", "shuffled"]) + things(isFirst: false, current)
  }

  static func plain(_ words: [String]) -> [Offer.Candidate] { words.map { .init(word: $0) } }

  // MARK: Names

  private func crateNames(_ current: String) -> [Offer.Candidate] {
    names(current, [.crate]).crates.map { name in
      let isMarked = current.hasPrefix("crate:") || !Self.isPlain(name, isFirst: true)
      return .init(word: isMarked ? "crate:\(name)" : name)
    }
  }

  /// Returns things in unambiguous words. Things with equal names begin alike, so all of them are
  /// known here.
  private func things(isFirst: Bool, _ current: String) -> [Offer.Candidate] {
    var known = names(current, [.crate, .album])
    // Input that begins no name may be the beginning of an id.
    let isId = known == KnownNames() && current.count >= 4
    if isId { known = names("id:\(current)", [.album]) }
    let mark = WhatArgument.Mark.allCases.first { current.hasPrefix($0.rawValue) }
    var uses: [String: Int] = [:]
    for album in known.albums { uses[folded(album.title), default: 0] += 1 }
    let crateNames = Set(known.crates.map { folded($0) })
    var candidates =
      isFirst ? [] : [Offer.Candidate(word: PositionList.last, about: "its last one")]
    candidates += known.crates.map { name in
      let isAlone = uses[folded(name)] == nil && Self.isPlain(name, isFirst: isFirst)
      return Offer.Candidate(
        word: mark == .crate || !isAlone ? "crate:\(name)" : name, about: "crate")
    }
    for album in known.albums {
      let isAlone = uses[folded(album.title)] == 1 && !folded(album.title).isEmpty
      if mark == .id || !isAlone || isId {
        let word = mark == .id ? "id:\(album.id)" : album.id
        candidates.append(.init(word: word, about: "\(album.title) by \(album.artist)"))
      } else if mark == .album || crateNames.contains(folded(album.title))
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
    ["up", "down", "top", "bottom", "before", "after", "to", "by", "reversed", "shuffled"]

  /// Whether the name is unambiguous without a prefix.
  private static func isPlain(_ name: String, isFirst: Bool) -> Bool {
    if name.isEmpty || name.hasPrefix("-") || keywords.contains(name) { return false }
    if FileAddress.isMeant(by: name)
      || WhatArgument.Mark.allCases.contains(where: { name.hasPrefix($0.rawValue) })
    {
      return false
    }
    // Behind another name it would be read as positions.
    return isFirst || !PositionList.isLike(name)
  }

  static var commands: [any ParsableCommand.Type] { Crate.configuration.subcommands }
}

/// The crates and albums whose names begin with the typed word.
struct KnownNames: Equatable {
  var crates: [String] = []
  /// The listed albums only.
  var albums: [Interface.Album] = []
}

extension ParsableCommand {
  fileprivate static var name: String { configuration.commandName }
}
