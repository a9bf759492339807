import CratesInterface

/// The crate that `to` names.
struct NewCrate {
  private let name: String
  /// What is called nearly so, where the crate isn't there.
  private var near: String?
  /// What the crate is called now that had this name.
  private var renamed: String?

  /// Throws where no crate has the name and it looks like a position.
  ///
  /// - Parameter isWanted: whether a crate is to be made whatever its name looks like.
  init(_ name: String, isWanted: Bool, _ daemon: DaemonConnection) throws(Failure) {
    self.name = name
    let what = try WhatArgument(name: WhatArgument.Mark.crate.rawValue + name)
    let finder = Finder(daemon: daemon, wanted: [.crate])
    let meaning = try finder.asked([what], [.crate])[0]
    guard meaning.what.isEmpty else { return }
    if !isWanted { try Self.refusePosition(name, finder) }
    renamed = try FormerName(name, finder).present
    near = meaning.near.first?.label
  }

  /// What is said of a crate that is new, but called as another one was, or nearly so.
  func remark(isTrial: Bool) -> String? {
    let undo = isTrial ? "" : "; crate undo takes it back"
    if let renamed {
      return "\(name) is a new crate; the one that had this name is now called \(renamed)\(undo)"
    }
    return near.map { "\(name) is a new crate; did you mean \($0)?" + undo.dropFirst() }
  }

  /// What people write before a position: `to Jazz at 3`.
  private static let positionWords = ["at", "position", "place", "number"]

  /// `3`, `Jazz 3` and `Jazz at 3` are rather places than new crates, where there is such a place.
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
