import CratesInterface

/// The words of `crate move`, cut at the verb's keywords.
struct MoveWords: Equatable {
  var what: [String]
  var place: Interface.Where?
  /// The WHAT that `before` or `after` names.
  var anchor: [String] = []
  /// The crate that `to` names.
  var crate: String?

  private static let keywords: Set<String> =
    ["up", "down", "top", "bottom", "before", "after", "to"]
  private static let usage =
    "say where to: up, down, top, bottom, before WHAT, after WHAT, or to CRATE"

  /// The ways to read the words, of which the first one that is understood is meant: the last
  /// keyword is the verb's, so that an album may be called `top` or have `to` in its title.
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
    // `… to CRATE top`
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

  private init(
    _ what: [String], to crate: [String]?, _ place: Interface.Where?, _ anchor: [String]
  ) throws(Failure) {
    guard !what.isEmpty else { throw .wrongUse("say what to move") }
    (self.what, self.place, self.anchor) = (what, place, anchor)
    if let crate {
      let name = try WhatArgument(name: crate.joined(separator: " "))
      self.crate = name.mark == .crate ? name.unmarked : name.name
    }
  }
}
