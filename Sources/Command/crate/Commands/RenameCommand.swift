import Arguments
import CratesInterface

struct RenameCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rename", abstract: "Give a crate another name.",
    usage: "crate rename CRATE NAME",
    discussion: """
      Neither needs quotes where it is clear which words are the crate: `crate rename Late night \
      Early morning`, or `crate rename Late night to Early morning`.
      """)

  @OptionGroup var common: CommonOptions
  @OptionGroup var change: ChangeOptions
  @Argument(help: "The crate, and its new name.") var words: [String]

  func validate() throws {
    if words.count < 2 { throw ValidationError("NAME is missing") }
  }

  func run() throws {
    let daemon = try DaemonConnection(common)
    let finder = Finder(daemon: daemon, wanted: [.crate])
    let count = try crateWords(finder)
    let thing = try finder.thing(Array(words[..<count]))
    var newName = words[count...]
    // Allows `rename Jazz to Blues`.
    if newName.count > 1, newName.first == Self.link { newName.removeFirst() }
    let name = newName.joined(separator: " ")
    let call = Call.renameCrate(
      crate: thing.key, name: name, sequence: change.sequence, dryRun: change.isDryRun)
    let answer = try daemon.parameters(of: call) { error in
      guard case .crateExists(let other) = error else { return nil }
      return "there is a crate called “\(other)” already; to join the two: crate move"
        + " \(Shown.word(thing.key)) to \(Shown.word(other))"
    }
    try Changes.show(answer, json: common.json)
  }

  /// The optional word between the two names.
  private static let link = "to"

  /// Returns how many of the first words are the crate's name.
  private func crateWords(_ finder: Finder) throws(Failure) -> Int {
    if words.count == 2 { return 1 }
    let counts = Array(1..<words.count)
    var crates: [WhatArgument] = []
    for count in counts {
      crates.append(try WhatArgument(name: words[..<count].joined(separator: " ")))
    }
    let named = zip(counts, try finder.asked(crates, [.crate], count: 0))
      .filter { !$1.what.isEmpty }.map(\.0)
    guard named.count < 2 else {
      let readings = named.map { count in
        [words[..<count], words[count...]].map { Shown.quoted($0.joined(separator: " ")) }
          .joined(separator: " ")
      }
      throw .refused(
        "“\(words.joined(separator: " "))” may be \(Shown.either(readings)); write one of these")
    }
    return named.first ?? words.dropFirst().dropLast().lastIndex(of: Self.link) ?? words.count - 1
  }
}
