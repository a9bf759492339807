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

  /// The last keyword is the verb's, so that an album may be called `top`.
  init(_ words: [String]) throws(Failure) {
    guard let last = words.lastIndex(where: Self.keywords.contains) else {
      throw .wrongUse(Self.usage)
    }
    let keyword = words[last]
    let following = Array(words[(last + 1)...])
    what = Array(words[..<last])
    if keyword == "to" {
      guard following.count == 1 else { throw .wrongUse("`to` takes the name of one crate") }
      crate = try Self.crateName(following[0])
    } else if let place = Interface.Where(rawValue: keyword) {
      self.place = place
      anchor = following
      guard place.needsAnchor || following.isEmpty else {
        throw .wrongUse("nothing may follow `\(keyword)`; \(Self.usage)")
      }
      guard !place.needsAnchor || !following.isEmpty else {
        throw .wrongUse("`\(keyword)` must be followed by what it is \(keyword)")
      }
      // `… to CRATE top`: the `to` stands two words before this keyword.
      if what.count >= 3, what[what.count - 2] == "to" {
        crate = try Self.crateName(what[what.count - 1])
        what.removeLast(2)
      }
    }
    guard !what.isEmpty else { throw .wrongUse("say what to move") }
    if crate != nil, place == .up || place == .down {
      throw .wrongUse("`to CRATE` goes with top, bottom, before WHAT or after WHAT")
    }
  }

  private static func crateName(_ word: String) throws(Failure) -> String {
    let what = try WhatArgument(name: word)
    return what.mark == .crate ? what.unmarked : word
  }
}
