import LibraryModel
import TestSupport
import Testing

@testable import FolderWatching

@Suite("What the library knows as the watcher does", .limited) struct AgreementTests {
  @Test("against plain dictionaries, with random files that only one of them has, or others")
  func model() {
    var dice = SeededGenerator(seed: 11)
    for _ in 0..<500 {
      var catalogue = Catalogue()
      var (watched, known): ([BytePath: Int64?], [BytePath: Int64?]) = ([:], [:])
      for number in Int64(1)...Int64(Int.random(in: 1...12, using: &dice)) {
        let folder = BytePath(["", "A", "A/B", "C"].randomElement(using: &dice)!)
        let path = folder.appending(Array("\(Int.random(in: 0..<9, using: &dice)).mp3".utf8))
        switch Int.random(in: 0..<20, using: &dice) {
        case 0: watched[path] = .some(number)
        case 1: known[path] = .some(number)
        case 2: (watched[path], known[path]) = (.some(number), .some(number + 100))
        case 3: (watched[path], known[path]) = (.some(nil), .some(nil))
        default: (watched[path], known[path]) = (.some(number), .some(number))
        }
      }
      for (path, number) in watched {
        let state: Catalogue.State =
          number.map { .settled(.made($0)) }
          ?? .unsettled(.init(facts: nil, isSong: true, stamp: nil))
        catalogue.setState(state, path.name, in: catalogue.makeFolder(path.parent))
      }
      let files = known.map { path, number in
        KnownFile(path: BytePath("/m").appending(path), facts: number.map(FileFacts.made))
      }
      let agreement = Agreement(of: catalogue, with: files, below: BytePath("/m"))
      var whole: Set<BytePath> = []
      for folder in catalogue.subtree(.root) {
        let path = catalogue.path(of: folder)
        let own = watched.filter { $0.key.parent == path }
        let isSame = own == known.filter { $0.key.parent == path } && !own.values.contains(nil)
        #expect(agreement.isWhole(folder) == isSame)
        if isSame { whole.insert(path) }
      }
      let others = known.keys.filter { !whole.contains($0.parent) }
      #expect(
        Set(agreement.others.map(\.path)) == Set(others.map { BytePath("/m").appending($0) }))
    }
  }
}
