import CratesInterface
import Text

@testable import crate

/// What words mean in a small library, enough like crated's own answers: exact names and ids, then
/// the beginnings of ids, then positions from the top.
struct FakeNaming {
  let library: FakeLibrary
  let wanted: [Interface.Kind]

  /// An album that was taken over is found under its former id.
  private static let former = ["farmer2222aa": "bath2222aaaa"]

  func meaning(of words: [String], beginning: Bool, most: Int) -> Interface.Meaning {
    var meaning = Interface.Meaning()
    if beginning {
      let found = found(words[0], wanted, idLeast: 0) { $0.hasPrefix(folded($1)) }
      meaning.candidates = Array(found.prefix(most))
      return meaning
    }
    var kinds = words.count > 1 ? [.crate, .album] : wanted
    if words.count > 2 { kinds = [.crate] }
    let whole = found(words[0], kinds, idLeast: 4) { $0 == folded($1) }
    if whole.count > 1 {
      meaning.candidates = Array(whole.prefix(most))
    } else if let thing = whole.first {
      meaning.what = inside([thing], words.dropFirst())
    } else {
      meaning.near = things.filter { thing in
        kinds.contains(thing.kind) && thing.song == nil
          && TypedName(folded(Self.marked(words[0]).text)).faults(in: folded(title(thing))) != nil
      }
    }
    return meaning
  }

  // MARK: Names

  private var things: [Interface.Thing] {
    library.crates.map {
      Interface.Thing(crate: $0.name, label: $0.name, presence: .present)
    }
      + library.albums.map {
        Interface.Thing(
          album: $0.id, label: "\($0.title) by \($0.artist)", presence: $0.presence)
      }
      + library.songs.map {
        Interface.Thing(
          song: $0.id, label: "\($0.title) of \($0.albumTitle)", presence: $0.presence)
      }
  }

  private func title(_ thing: Interface.Thing) -> String {
    if let id = thing.album { return library.albums.first { $0.id == id }?.title ?? "" }
    if let id = thing.song { return library.songs.first { $0.id == id }?.title ?? "" }
    return thing.crate ?? ""
  }

  private func found(
    _ word: String, _ wanted: [Interface.Kind], idLeast: Int,
    _ isMeant: (_ name: String, _ text: String) -> Bool
  ) -> [Interface.Thing] {
    let (mark, text) = Self.marked(word)
    let id = Self.former[text] ?? text
    if mark == nil || mark == "id", let thing = things.first(where: { $0.key == id }),
      thing.crate == nil, wanted.contains(thing.kind)
    {
      return [thing]
    }
    var named = things.filter { thing in
      mark != "id" && wanted.contains(thing.kind) && (mark ?? "\(thing.kind)") == "\(thing.kind)"
        && isMeant(folded(title(thing)), text)
    }
    if named.contains(where: { $0.song == nil }) { named.removeAll { $0.song != nil } }
    if !named.isEmpty || mark == "crate" { return named }
    guard text.count >= idLeast, idLeast > 0 || mark == "id" else { return [] }
    return things.filter {
      $0.crate == nil && wanted.contains($0.kind) && $0.key.hasPrefix(text)
        && (mark == nil || mark == "id" || mark == $0.kind.rawValue)
    }
  }

  private static func marked(_ word: String) -> (mark: String?, text: String) {
    let parts = word.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let isMarked = ["id", "crate", "album", "song"].contains(parts[0]) && parts.count > 1
    return isMarked ? (String(parts[0]), String(parts[1])) : (nil, word)
  }

  // MARK: Positions

  private func inside(
    _ things: [Interface.Thing], _ levels: ArraySlice<String>
  ) -> [Interface.Thing] {
    guard let list = levels.first else { return things }
    var below: [Interface.Thing] = []
    for thing in things {
      let all = self.things.filter { inner in
        if let id = inner.album, let crate = thing.crate {
          return library.albums.contains { $0.id == id && $0.crate == crate }
        }
        return inner.song.map { id in
          library.songs.contains { $0.id == id && $0.album == thing.album && $0.position != nil }
        } ?? false
      }
      for part in list.split(separator: ",") {
        let ends = part.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
        guard let first = ends.first ?? nil else { return [] }
        let last = ends.count == 1 ? first : ends[1] ?? all.count
        guard first <= last, last <= all.count else { return [] }
        below += all[(first - 1)..<last].filter { !below.contains($0) }
      }
    }
    return inside(below, levels.dropFirst())
  }
}
