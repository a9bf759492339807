import CratesInterface

/// The words of `crate move`, split at its keywords.
struct MoveWords: Equatable {
  var what: [String]
  var place: Interface.Where?
  /// The thing that follows `before` or `after`.
  var anchor: [String] = []
  /// The crate that follows `to`.
  var crate: String?

  private static let keywords: Set<String> =
    ["up", "down", "top", "bottom", "before", "after", "to"]
  private static let usage =
    "say where to: up, down, top, bottom, before WHAT, after WHAT, or to CRATE"

  /// Returns the readings of the words; the first one that can be resolved counts. The last keyword
  /// is the verb's, so that an album may be called `top` or have `to` in its title.
  static func readings(_ words: [String]) throws(Failure) -> [MoveWords] {
    guard let last = words.lastIndex(where: keywords.contains) else { throw .wrongUse(usage) }
    let keyword = words[last]
    let (front, following) = (Array(words[..<last]), Array(words[(last + 1)...]))
    guard let place = Interface.Where(rawValue: keyword) else {
      guard !following.isEmpty else { throw .wrongUse("`to` takes the name of a crate") }
      return [try MoveWords(front, to: following, nil, [])]
    }
    guard place.needsAnchor || following.isEmpty else {
      throw .wrongUse("nothing may follow `\(keyword)`; \(usage)")
    }
    guard !place.needsAnchor || !following.isEmpty else {
      throw .wrongUse("`\(keyword)` must be followed by what it is \(keyword)")
    }
    // `… to CRATE top`.
    let isStep = place == .up || place == .down
    let to = front.dropLast().lastIndex(of: "to").flatMap { $0 > 0 ? $0 : nil }
    guard let to, !isStep || to == front.count - 2 else {
      return [try MoveWords(front, to: nil, place, following)]
    }
    if isStep { throw .wrongUse("`to CRATE` goes with top, bottom, before WHAT or after WHAT") }
    let toCrate = try MoveWords(
      Array(front[..<to]), to: Array(front[(to + 1)...]), place, following)
    if to == front.count - 2 { return [toCrate] }
    return [try MoveWords(front, to: nil, place, following), toCrate]
  }

  /// A place in natural language, such as `to the end`, `to Jazz at the top` or `to the top of
  /// Jazz`.
  struct SpokenPlace {
    /// All words behind `to`, which may be the name of a crate.
    var name: String
    /// The place, with a crate if one is named.
    var words: MoveWords
    /// Whether this is a place only if the crate exists. `End of Time` is otherwise a new crate.
    var needsCrate = false
    /// The same words as the name of a crate.
    var asCrate: MoveWords
  }

  private static let spokenPlaces: [String: Interface.Where] = [
    "top": .top, "start": .top, "beginning": .top, "front": .top, "first": .top,
    "bottom": .bottom, "end": .bottom, "last": .bottom,
  ]

  /// Returns nil if the words are not such a place, or use the normal syntax.
  static func spokenPlace(_ words: [String]) throws(Failure) -> SpokenPlace? {
    guard let to = words.lastIndex(of: "to"), to > 0 else { return nil }
    let following = words[(to + 1)...]
    guard
      let at = following.indices.last(where: { spokenPlaces[words[$0].lowercased()] != nil }),
      let place = spokenPlaces[words[at].lowercased()]
    else { return nil }
    var (front, behind) = (following[..<at], following[(at + 1)...])
    let hasArticle = front.last?.lowercased() == "the"
    if hasArticle { front.removeLast() }
    var needsCrate = false
    if front.isEmpty, let link = behind.popFirst() {
      guard ["of", "in"].contains(link.lowercased()), !behind.isEmpty else { return nil }
      (front, behind, needsCrate) = (behind, [], true)
    } else if !front.isEmpty {
      let isLinked = ["at", "on"].contains(front.last?.lowercased())
      if isLinked { front.removeLast() }
      guard !front.isEmpty, isLinked || !hasArticle && !keywords.contains(words[at]) else {
        return nil
      }
      needsCrate = !isLinked
    }
    guard behind.isEmpty else { return nil }
    let what = Array(words[..<to])
    return SpokenPlace(
      name: following.joined(separator: " "),
      words: try MoveWords(what, to: front.isEmpty ? nil : Array(front), place, []),
      needsCrate: needsCrate, asCrate: try MoveWords(what, to: Array(following), nil, []))
  }

  private init(
    _ what: [String], to crate: [String]?, _ place: Interface.Where?, _ anchor: [String]
  ) throws(Failure) {
    guard !what.isEmpty else {
      let advice = Input.isPipe ? "; - stands for what the pipe gives: crate move - to Jazz" : ""
      throw .wrongUse("say what to move\(advice)")
    }
    (self.what, self.place, self.anchor) = (what, place, anchor)
    if let crate {
      let name = try WhatArgument(name: crate.joined(separator: " "))
      self.crate = name.mark == .crate ? name.unmarked : name.name
    }
  }
}
