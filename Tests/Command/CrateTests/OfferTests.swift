import Arguments
import CratesInterface
import TestSupport
import Testing
import Text

@testable import crate

@Suite("What may stand at the cursor", .limited)
struct OfferTests {
  /// What is there, by the beginnings of its names and ids.
  private static func completer(_ titles: [String] = ["Kind of Blue", "1979", "Both"]) -> Completer
  {
    Completer { beginning, kinds in
      let text = folded(beginning.split(separator: ":").last.map(String.init) ?? "")
      var names = KnownNames()
      if kinds.contains(.crate) {
        names.crates = ["Jazz", "Both", "-x", "up"].filter { folded($0).hasPrefix(text) }
      }
      guard kinds.contains(.album) else { return names }
      names.albums = titles.enumerated().map { number, title in
        Interface.Album(
          id: "abcd\(number)", crate: "Jazz", position: 1, title: title, artist: "Ada", year: nil,
          songs: 1, seconds: 1, added: "", arranged: false, presence: .present)
      }
      let isId = beginning.hasPrefix("id:")
      names.albums.removeAll { !(isId ? $0.id : folded($0.title)).hasPrefix(text) }
      return names
    }
  }

  private func words(_ line: String, _ current: String = "") -> [String] {
    let offer = Self.completer().offer(
      after: line.split(separator: " ").map(String.init), current: current)
    return offer.wantsFiles ? ["//files"] : offer.candidates.map(\.word)
  }

  @Test("Without a verb the verbs are offered, and behind help no other help")
  func verbs() {
    let verbs = Completer.commands.map { $0.configuration.commandName }
    #expect(words("") == verbs + ["help"])
    #expect(words("--json") == verbs + ["help"])
    #expect(words("--socket /run/x") == verbs + ["help"])
    #expect(words("nosuch") == verbs + ["help"])
    #expect(words("help") == verbs)
    #expect(words("", "-") == ["--help", "--version", "--generate-completion-script"])
    #expect(words("nosuch", "-") == ["--help", "--version", "--generate-completion-script"])
    #expect(words("--generate-completion-script") == ["bash", "zsh", "fish"])
    #expect(words("--socket /run/x rescan") == ["//files"])
    #expect(words("--socket") == verbs + ["help"])
  }

  @Test("A value stands behind its option, and behind -- there are no options")
  func options() {
    #expect(words("browse", "-").contains("--covers"))
    #expect(!words("browse --covers sixel", "-").contains("--covers"))
    #expect(words("browse --covers") == ["none", "blocks", "sixel", "kitty"])
    #expect(words("browse --covers sixel") == ["Jazz", "Both", "crate:-x", "crate:up"])
    #expect(words("edit --from") == ["//files"])
    #expect(words("web --forget") == ["all"])
    #expect(words("web --allow") == [] && words("web") == [])
    #expect(words("edit --from /tmp/x") == ["Jazz", "Both", "crate:-x", "crate:up"])
    #expect(words("move --if-sequence") == [])
    #expect(words("undo", "-").contains("--to"))
    #expect(words("undo --", "-") == [])
    #expect(words("rescan --json") == ["//files"])
    #expect(words("rescan -- --json") == [])
    #expect(words("rescan -- --") == [])
    // A flag takes no value.
    #expect(words("rename --json") == ["Jazz", "Both", "crate:-x", "crate:up"])
  }

  @Test("A command takes what it takes, and no more of it")
  func operands() {
    for (line, current, expected) in [
      ("rename Jazz", "", []), ("edit Jazz", "", []), ("browse Jazz", "", []),
      ("rescan", "", ["//files"]), ("rescan x", "", []), ("status", "", []), ("undo", "", []),
      ("import", "mp", ["mpd", "strawberry", "clementine", "mixxx", "rhythmbox"]),
      ("import", "mpx", ["//files"]), ("import x", "", []),
      ("list", "./x", ["//files"]), ("paths", "/x", ["//files"]), ("art", "~/", ["//files"]),
      // A crate is no path.
      ("move Jazz to", "./x", []),
    ] as [(String, String, [String])] {
      #expect(words(line, current) == expected, "\(line) \(current)")
    }
  }

  private static let places = ["up", "down", "to", "top", "bottom", "before", "after"]

  @Test("Behind what is moved come the places, and behind a crate only those in it")
  func moving() {
    let crates = ["Jazz", "Both", "crate:-x", "crate:up"]
    #expect(words("move Jazz to") == crates)
    #expect(words("move").prefix(2) == ["Jazz", "crate:Both"])
    #expect(words("move Jazz before") == words("move"))
    #expect(words("move Jazz after") == words("move"))
    for place in ["up", "down", "top", "bottom"] { #expect(words("move Jazz \(place)") == []) }
    #expect(words("move Jazz").starts(with: Self.places + ["last", "Jazz"]))
    #expect(words("move Jazz to Both") == ["top", "bottom", "before", "after"])
    #expect(words("move Jazz 1 to Both") == ["top", "bottom", "before", "after"])
    // The first word is what is moved, whatever it is called.
    #expect(words("move to Both").starts(with: Self.places))
  }

  @Test("Behind what is sorted come the orders, and behind an order its directions")
  func sorting() {
    let orders = SortWords.Order.allCases.map(\.rawValue)
    #expect(words("sort") == words("list"))
    #expect(words("sort Jazz by") == orders)
    #expect(words("sort Jazz").starts(with: ["by", "reversed", "shuffled", "last", "Jazz"]))
    #expect(words("sort Jazz by title") == ["ascending", "descending"])
    #expect(words("sort Jazz 1 by added") == ["oldest", "newest", "ascending", "descending"])
    #expect(words("sort Jazz by size").starts(with: ["by"]))
    // The first word is what is sorted.
    #expect(words("sort by title").starts(with: ["by"]))
    #expect(SortWords.directions(of: .reversed) == [])
    #expect(SortWords.directions(of: .artist) == ["ascending", "descending"])
    #expect(SortWords.directions(of: .year).first == "oldest")
  }

  @Test("A name is offered in words that mean it and nothing else")
  func names() {
    #expect(
      words("list") == [
        "Jazz", "crate:Both", "crate:-x", "crate:up", "Kind of Blue", "1979", "album:Both",
      ])
    // Behind another name a number would be a position.
    #expect(words("list Jazz").contains("album:1979"))
    #expect(words("list", "crate:J") == ["crate:Jazz"])
    #expect(words("list", "album:K").contains("album:Kind of Blue"))
    #expect(words("rename", "crate:J") == ["crate:Jazz"])
    #expect(words("list", "id:abcd1") == ["id:abcd1"])
    #expect(words("list", "abcd1") == ["abcd1"])
    // Three letters begin no id.
    #expect(words("list", "abc") == [])
    #expect(words("list", "abcd") == ["abcd0", "abcd1", "abcd2"])
    let twins = Self.completer(["", "Same", "same", "./x", "id:x"])
    let offered = twins.offer(after: ["list"], current: "").candidates
    #expect(
      offered.dropFirst(4).map(\.word) == ["abcd0", "abcd1", "abcd2", "album:./x", "album:id:x"])
    #expect(offered[5].about == "Same by Ada" && offered[7].about == "Ada")
    #expect(offered[0].about == "crate")
    #expect(twins.offer(after: ["list", "a"], current: "").candidates[0].about == "its last one")
  }

  @Test("What is typed decides, by its letters first and then however it is spelt")
  func beginnings() {
    func offered(_ words: [String], _ beginning: String) -> [String] {
      Offer(candidates: Completer.plain(words)).beginning(with: beginning).candidates.map(\.word)
    }
    #expect(offered(["Jazz", "jam"], "Ja") == ["Jazz"])
    #expect(offered(["Jazz", "jam"], "JA") == ["Jazz", "jam"])
    #expect(offered(["Jazz", "jam"], "jazz ") == [])
    #expect(offered(["Jazz Club", "Jazzy"], "jazz ") == ["Jazz Club"])
    let many = (0..<1_200).map { "x\($0)" }
    #expect(offered(many, "") == Array(many.prefix(1_000)))
    #expect(offered(Array(many.prefix(1_000)), "x").count == 1_000)
    #expect(offered(Array(many.prefix(999)), "x").count == 999)
  }
}
