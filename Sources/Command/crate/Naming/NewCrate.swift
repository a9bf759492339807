import CratesInterface

/// The crate that `to` names.
struct NewCrate {
  private let name: String
  /// A similar name, if the crate doesn't exist.
  private var near: String?
  /// The present name of a crate that once had this name.
  private var renamed: String?

  /// Looks the crate up.
  ///
  /// - Parameter isWanted: Whether to make a crate even if its name looks like a position.
  /// - Throws: If there is no such crate and the name looks like a position.
  init(_ name: String, isWanted: Bool, _ daemon: DaemonConnection) throws(Failure) {
    self.name = name
    let what = try WhatArgument(name: WhatArgument.Mark.crate.rawValue + name)
    let finder = Finder(daemon: daemon, wanted: [.crate])
    let meaning = try finder.asked([what], [.crate])[0]
    guard meaning.what.isEmpty else { return }
    if !isWanted { try Self.refusePosition(name, finder) }
    renamed = try FormerName(name, finder).present
    near = meaning.near.map(\.label).first { !Self.differOnlyInDigits($0, name) }
  }

  /// Returns a remark if the crate is new and its name is similar to another one's, now or
  /// formerly.
  func remark(isDryRun: Bool) -> String? {
    let undo = isDryRun ? "" : "; crate undo takes it back"
    if let renamed {
      return "\(name) is a new crate; the one that had this name is now called \(renamed)\(undo)"
    }
    return near.map { "\(name) is a new crate; did you mean \($0)?" + undo.dropFirst() }
  }

  /// Whether the names are numbered alike, as `1980s` and `1990s` are, so that neither is a typing
  /// error of the other.
  private static func differOnlyInDigits(_ one: String, _ other: String) -> Bool {
    one != other && one.filter { !$0.isNumber } == other.filter { !$0.isNumber }
  }

  /// Words before a position, as in `to Jazz at 3`.
  private static let positionWords = ["at", "position", "place", "number"]

  /// Refuses `3`, `Jazz 3` and `Jazz at 3` as names of new crates if there is such a position.
  private static func refusePosition(_ name: String, _ finder: Finder) throws(Failure) {
    var outerWords = name.split(separator: " ").map(String.init)
    guard let last = outerWords.popLast(), let position = Int(last), position > 0 else { return }
    while let word = outerWords.last, positionWords.contains(word.lowercased()) {
      outerWords.removeLast()
    }
    let advice = "; --new makes a crate called “\(name)”"
    if outerWords.isEmpty {
      guard case .crates(let crates, _) = try finder.daemon.reply(to: .listCrates) else { return }
      if let crate = crates.first(where: { $0.position == position }) {
        throw .refused(
          "no crate is called “\(name)”; did you mean crate \(position), \(crate.name)?"
            + advice.dropFirst())
      }
      guard crates.contains(where: { $0.albums >= position }) else { return }
      throw .refused(
        "no crate is called “\(name)”; for a place write before or after an album\(advice)")
    }
    let outer = outerWords.joined(separator: " ")
    let what = try WhatArgument(name: WhatArgument.Mark.crate.rawValue + outer)
    guard let crate = try finder.asked([what], [.crate])[0].what.first?.crate else { return }
    throw .refused(
      "no crate is called “\(name)”; for a place write: to \(Shown.word(crate)) before"
        + " \(Shown.word(crate)) \(position)\(advice)")
  }
}
