import LibraryModel
import TestSupport
import Testing

@testable import FolderWatching

@Suite(.limited) struct SettlingTests {
  private let quiet: Int64 = 100
  private let longest: Int64 = 1_000

  private func due(_ settling: Debounce) -> Int64? {
    settling.due(quiet: quiet, longest: longest)
  }

  @Test("the first finished file is due at once, what follows when it is quiet")
  func atOnce() {
    var settling = Debounce()
    #expect(due(settling) == nil)
    settling.note(isFinished: true, at: 5, quiet: quiet)
    #expect(due(settling) == 5)
    settling.scanned()
    #expect(due(settling) == nil)
    settling.note(isFinished: true, at: 50, quiet: quiet)
    #expect(due(settling) == 150)
    settling.note(isFinished: true, at: 120, quiet: quiet)
    #expect(due(settling) == 220)
    settling.scanned()
    #expect(!settling.isOver(at: 219, quiet: quiet))
    #expect(settling.isOver(at: 220, quiet: quiet))
    settling.note(isFinished: true, at: 220, quiet: quiet)
    #expect(due(settling) == 220)
  }

  @Test("what is being written does not use up the at once")
  func unfinished() {
    var settling = Debounce()
    settling.note(isFinished: false, at: 0, quiet: quiet)
    #expect(due(settling) == 100)
    settling.note(isFinished: false, at: 90, quiet: quiet)
    #expect(due(settling) == 190)
    settling.scanned()
    settling.note(isFinished: false, at: 195, quiet: quiet)
    settling.note(isFinished: true, at: 200, quiet: quiet)
    #expect(due(settling) == 195)
  }

  @Test("however busy a directory is, it is due a while after its first news")
  func busy() {
    var settling = Debounce()
    for time in stride(from: Int64(0), through: 3_000, by: 10) {
      settling.note(isFinished: false, at: time, quiet: quiet)
    }
    #expect(due(settling) == 1_000)
  }

  @Test("after a look that took long, a directory rests for nine of them, and not for ever")
  func rests() {
    var settling = Debounce()
    settling.note(isFinished: true, at: 0, quiet: quiet)
    settling.scanned()
    settling.rest(after: 40, at: 40, longest: longest)
    #expect(!settling.isOver(at: 399, quiet: quiet))
    #expect(settling.isOver(at: 400, quiet: quiet))
    // Events that were read late look like the first ones after a quiet time.
    settling.note(isFinished: true, at: 150, quiet: quiet)
    #expect(due(settling) == 400)
    settling.scanned()
    settling.rest(after: 5_000, at: 5_400, longest: longest)
    settling.note(isFinished: true, at: 5_600, quiet: quiet)
    #expect(due(settling) == 6_400)
  }
}

@Suite(.limited) struct PendingFoldersTests {
  private func path(_ text: String) -> BytePath { BytePath(text) }

  @Test("where something is due, directories with deletions come along")
  func together() {
    var pending = PendingFolders(quiet: 100, longest: 1_000)
    pending.note(.deletion, in: path("from"), at: 0)
    pending.note(.other, in: path("busy"), at: 0)
    #expect(pending.takeDue(at: 1).isEmpty)
    pending.noteFinished([1], in: path("to"), at: 2)
    let due = pending.takeDue(at: 2)
    #expect(due.map(\.path) == [path("from"), path("to")])
    #expect(due.last?.finished == [[1]])
    #expect(pending.takeDue(at: 99).isEmpty)
    #expect(pending.takeDue(at: 100).map(\.path) == [path("busy")])
    #expect(pending.isEmpty)
  }

  @Test("a directory rests whether or not it had news, and who asks for all is not to wait")
  func resting() {
    var pending = PendingFolders(quiet: 100, longest: 1_000)
    pending.scanned(path("large"), for: 50, at: 50)
    #expect(pending.isEmpty)
    pending.noteFinished([1], in: path("large"), at: 60)
    pending.noteFinished([1], in: path("small"), at: 60)
    #expect(pending.takeDue(at: 60).map(\.path) == [path("small")])
    #expect(pending.nextDue() == 500)
    #expect(pending.takeAll(at: 61).map(\.path) == [path("large")])
    #expect(pending.takeDue(at: 499).isEmpty)
    #expect(pending.count == 1)
    #expect(pending.takeDue(at: 500).isEmpty)
    #expect(pending.count == 0)
  }

  @Test("a name that is written to again is not finished")
  func again() {
    var pending = PendingFolders(quiet: 100, longest: 1_000)
    pending.noteFinished([1], in: path("a"), at: 0)
    pending.noteUnfinished([1], in: path("a"), at: 1)
    #expect(pending.takeAll(at: 2).first?.finished == [])
  }

  @Test("there is room for a name again where one was known and is no longer finished")
  func roomForNames() {
    var pending = PendingFolders(quiet: 100, longest: 1_000, mostNames: 2)
    func note(_ name: UInt8) { pending.noteFinished([name], in: path("a"), at: 0) }
    note(1)
    note(1)
    note(2)
    note(3)
    // What is not known gives no room.
    pending.noteUnfinished([3], in: path("a"), at: 0)
    note(4)
    pending.noteUnfinished([1], in: path("a"), at: 0)
    note(5)
    note(6)
    #expect(pending.takeAll(at: 2).first?.finished == [[2], [5]])
  }

  @Test("when full, children collapse into a parent that covers them")
  func full() {
    for most in [1, 2, 5, 10] {
      var numbers = SeededGenerator(seed: UInt64(most))
      var pending = PendingFolders(quiet: 100, longest: 1_000, mostFolders: most, mostNames: 3)
      var noted: [BytePath] = []
      for time in 0..<500 {
        let depth = Int.random(in: 0...4, using: &numbers)
        let parts = (0..<depth).map { _ in "\(Int.random(in: 0..<6, using: &numbers))" }
        let one = path(parts.joined(separator: "/"))
        noted.append(one)
        pending.noteFinished([UInt8(time % 250)], in: one, at: Int64(time))
        #expect(pending.count <= most)
      }
      let due = pending.takeAll(at: 1_000)
      for one in noted {
        #expect(
          due.contains {
            $0.path == one || ($0.changes.contains(.subtree) && one.isInside($0.path))
          }, "\(one.display) with room for \(most)")
      }
      #expect(due.reduce(0) { $0 + $1.finished.count } <= 3)
    }
  }
}

@Suite(.limited) struct PendingRenamesTests {
  private func path(_ text: String) -> BytePath { BytePath(text) }

  @Test("many halves wait for their others, in any order, and without one nothing happens")
  func halves() {
    var renames = PendingRenames()
    for cookie in UInt32(1)...5_000 { renames.movedFrom(path("\(cookie)"), cookie: cookie) }
    #expect(renames.movedTo(cookie: 1) == nil)
    #expect(renames.movedTo(cookie: 5_000) == path("5000"))
    #expect(renames.movedTo(cookie: 5_000) == nil)
    #expect(renames.movedTo(cookie: 4_999) == path("4999"))
  }

  @Test("a chain of renames is one, and a swap is two")
  func chains() {
    var renames = PendingRenames()
    let a = path("a/1")
    let b = path("b/1")
    renames.rename(path("a"), to: path("t"), known: [a], isFolder: true)
    renames.rename(path("b"), to: path("a"), known: [b], isFolder: true)
    renames.rename(path("t"), to: path("b"), known: [], isFolder: true)
    #expect(renames.takeOrigin(of: a) == b)
    #expect(renames.takeOrigin(of: b) == a)
    #expect(renames.isEmpty)
  }

  @Test("there and back is no rename, and what is renamed over has none")
  func back() {
    var renames = PendingRenames()
    renames.rename(path("a"), to: path("b"), known: [path("a")], isFolder: false)
    renames.rename(path("b"), to: path("a"), known: [], isFolder: false)
    #expect(renames.takeOrigin(of: path("a")) == nil)
    renames.rename(path("x"), to: path("z"), known: [path("x")], isFolder: false)
    renames.rename(path("y"), to: path("z"), known: [path("y")], isFolder: false)
    #expect(renames.takeOrigin(of: path("z")) == path("y"))
  }

  @Test("what comes to the place of a renamed file, which left unseen, was not renamed")
  func ended() {
    var renames = PendingRenames()
    renames.rename(
      path("a"), to: path("b"), known: [path("a/1"), path("a/2"), path("a/3")], isFolder: true)
    renames.ended(at: path("b/1"), isFolder: false)
    renames.rename(path("b"), to: path("c"), known: [], isFolder: true)
    // The kernel's watch of the directory has the name that this had at first.
    renames.ended(at: path("a/2"), isFolder: false)
    #expect(renames.takeOrigin(of: path("c/1")) == nil)
    #expect(renames.takeOrigin(of: path("c/2")) == nil)
    #expect(renames.takeOrigin(of: path("c/3")) == path("a/3"))
  }

  @Test("two files that exchanged their names are not told apart later, either")
  func exchangedAndMoved() {
    var renames = PendingRenames()
    renames.rename(path("1"), to: path("2"), known: [path("1")], isFolder: false)
    renames.rename(path("2"), to: path("1"), known: [path("2")], isFolder: false)
    renames.rename(path("1"), to: path("3"), known: [path("1")], isFolder: false)
    renames.rename(path("2"), to: path("4"), known: [path("2")], isFolder: false)
    for place in ["3", "4"] { #expect(renames.takeOrigin(of: path(place)) == nil) }
  }

  @Test("of two files that may have exchanged their names, none is said to have been renamed")
  func exchange() {
    var renames = PendingRenames()
    // A file comes to a place, exchanges it, and the one that is there now goes on.
    renames.rename(path("x/1"), to: path("a/1"), known: [path("x/1")], isFolder: false)
    renames.rename(path("a"), to: path("b"), known: [], isFolder: true)
    renames.rename(path("b"), to: path("a"), known: [path("b/1"), path("b/2")], isFolder: true)
    renames.rename(path("a/1"), to: path("c/1"), known: [], isFolder: false)
    renames.rename(path("b/2"), to: path("c/2"), known: [path("b/2")], isFolder: false)
    for place in ["a/1", "b/1", "c/1", "c/2"] {
      #expect(renames.takeOrigin(of: path(place)) == nil)
    }
  }
}

@Suite(.limited) struct CatalogueTests {
  @Test("against a plain dictionary, with random files put in and taken out")
  func model() {
    var numbers = SeededGenerator(seed: 7)
    var catalogue = Catalogue()
    var model: [BytePath: Int64] = [:]
    for number in Int64(1)...4_000 {
      let depth = Int.random(in: 0...3, using: &numbers)
      let parts = (0...depth).map { _ in "\(Int.random(in: 0..<5, using: &numbers))" }
      let path = BytePath(parts.joined(separator: "/") + ".mp3")
      let name = Array(path.name)
      if Bool.random(using: &numbers) {
        let folder = catalogue.makeFolder(path.parent)
        catalogue.setState(.settled(.made(number)), name, in: folder)
        model[path] = number
      } else if let folder = catalogue.find(path.parent) {
        catalogue.setState(nil, name, in: folder)
        model[path] = nil
        if folder != .root, catalogue[folder].files.isEmpty, catalogue[folder].subfolders.isEmpty {
          catalogue.removeEmpty(folder)
        }
      }
      if number % 500 == 0 { catalogue.compact() }
      #expect(catalogue.fileCount == model.count)
    }
    #expect(Set(catalogue.songs(at: BytePath([]))) == Set(model.keys))
    for (path, number) in model {
      let folder = catalogue.nearest(to: path.parent)
      #expect(catalogue.path(of: folder) == path.parent)
      #expect(catalogue.state(Array(path.name), in: folder)?.stamp?.size == number)
    }
    for folder in catalogue.subtree(.root) {
      let names = catalogue[folder].files.map { BytePath($0.name) }
      #expect(names == names.sorted())
    }
  }

  @Test("a directory is found by its path, or the nearest above it, and its number is used again")
  func folders() {
    var catalogue = Catalogue()
    #expect(catalogue.folderCount == 1 && catalogue.find(BytePath("")) == .root)
    let deep = catalogue.makeFolder(BytePath("a/b/c"))
    #expect(catalogue.folderCount == 4)
    #expect(catalogue.makeFolder(BytePath("a/b/c")) == deep && catalogue.folderCount == 4)
    #expect(catalogue.find(BytePath("a/b/c")) == deep && catalogue.find(BytePath("a/c")) == nil)
    #expect(catalogue.path(of: deep) == BytePath("a/b/c"))
    #expect(catalogue.path(of: catalogue.nearest(to: BytePath("a/x/c"))) == BytePath("a"))
    #expect(catalogue.nearest(to: BytePath("x/a")) == .root)
    #expect(catalogue.nearest(to: BytePath("a/b/c")) == deep)
    let below = catalogue.subtree(.root)
    #expect(below.map { catalogue.path(of: $0).display } == ["", "a", "a/b", "a/b/c"])
    catalogue.removeEmpty(deep)
    #expect(catalogue.folderCount == 3 && catalogue.find(BytePath("a/b/c")) == nil)
    #expect(catalogue[deep].name.isEmpty)
    #expect(catalogue.makeFolder(BytePath("d")) == deep && catalogue.folderCount == 4)
    #expect(catalogue[deep].name == Array("d".utf8) && catalogue[deep].parent == .root)
    for name in ["f", "b", "e"] { _ = catalogue.makeFolder(BytePath(name)) }
    let names = catalogue[.root].subfolders.map { catalogue.path(of: $0).display }
    #expect(names == ["a", "b", "d", "e", "f"])
  }

  @Test("songs are told at a path or below it, and are at rest with their very facts alone")
  func songs() {
    var catalogue = Catalogue()
    let folder = catalogue.makeFolder(BytePath("a/b"))
    let other = Catalogue.Unsettled(facts: .made(3), isSong: false, stamp: nil)
    let waiting = Catalogue.Unsettled(facts: .made(4), isSong: true, stamp: nil)
    catalogue.setState(.settled(.made(1)), [2], in: folder)
    catalogue.setState(.unsettled(other), [1], in: folder)
    catalogue.setState(.unsettled(waiting), [3], in: folder)
    let song = BytePath("a/b").appending([2])
    let both = [song, BytePath("a/b").appending([3])]
    for path in ["", "a", "a/b"] { #expect(catalogue.songs(at: BytePath(path)) == both) }
    #expect(catalogue.songs(at: song) == [song])
    for (folder, name) in [("a/b", 1), ("a/b", 9), ("a", 2), ("x", 2)] as [(String, UInt8)] {
      #expect(catalogue.songs(at: BytePath(folder).appending([name])) == [])
    }
    #expect(catalogue.isAtRest([2], .made(1), in: folder))
    #expect(!catalogue.isAtRest([2], .made(2), in: folder))
    #expect(!catalogue.isAtRest([2], nil, in: folder))
    #expect(!catalogue.isAtRest([3], .made(4), in: folder))
    #expect(!catalogue.isAtRest([4], .made(1), in: folder))
    let states = [[1], [2], [3]].map { catalogue.state($0, in: folder) }
    #expect(states.map { $0?.isSong } == [false, true, true])
    #expect(states.map { $0?.facts?.stamp.size } == [3, 1, 4])
    #expect(states.map { $0?.stamp?.size } == [nil, 1, nil])
    for _ in 0..<2 { catalogue.setState(nil, [2], in: folder) }
    #expect(catalogue.fileCount == 2 && catalogue.songs(at: BytePath("")) == [both[1]])
  }

  @Test("what was given to grow is given back where it is asked for, and nothing else changes")
  func compact() {
    var catalogue = Catalogue()
    for number in 0..<70 {
      let folder = catalogue.makeFolder(BytePath("a/\(number)"))
      catalogue.setState(.settled(.made(Int64(number))), [1], in: folder)
      catalogue.setState(.settled(.made(Int64(number))), [UInt8(number)], in: .root)
    }
    guard let parent = catalogue.find(BytePath("a")) else { return #expect(Bool(false)) }
    let songs = catalogue.songs(at: BytePath(""))
    let folders = catalogue.subtree(.root)
    func spareRoom() -> [Int] {
      [
        catalogue[.root].files.capacity - catalogue[.root].files.count,
        catalogue[parent].subfolders.capacity - catalogue[parent].subfolders.count,
      ]
    }
    #expect(spareRoom().allSatisfy { $0 > 10 })
    for _ in 0..<2 {
      catalogue.compact()
      #expect(spareRoom().allSatisfy { $0 < 4 })
      #expect(catalogue.songs(at: BytePath("")) == songs)
      #expect(catalogue.subtree(.root) == folders)
    }
  }

  @Test("the state of a file takes two words")
  func lean() {
    #expect(MemoryLayout<Catalogue.State>.size == 16)
    #expect(MemoryLayout<Catalogue.File>.stride == 24)
  }
}

@Suite(.limited) struct WatchTableTests {
  @Test("a watch follows its directory to another place")
  func moved() {
    let (one, other) = (Catalogue.ID(index: 1), Catalogue.ID(index: 2))
    var table = WatchTable()
    #expect(table.set(7, of: one) == nil)
    #expect(table.set(7, of: other) == nil)
    #expect(table.folder(of: 7) == other)
    #expect(table.remove(folder: one) == nil)
    // Another directory is at that place now: the former watch is nobody's.
    #expect(table.set(8, of: other) == 7)
    #expect(table.folder(of: 7) == nil)
    table.remove(8)
    #expect(table.count == 0)
    #expect(table.watch(of: other) == nil)
  }
}

@Suite(.limited) struct OpenSequencesTests {
  @Test("numbers come back in any order")
  func anyOrder() {
    var numbers = SeededGenerator(seed: 3)
    var sequences = OpenSequences()
    var open: Set<Int> = []
    for _ in 0..<2_000 {
      if Bool.random(using: &numbers) {
        open.insert(sequences.open())
      } else if let one = open.sorted().randomElement(using: &numbers) {
        open.remove(one)
        sequences.close(one)
      }
      #expect(sequences.count == open.count)
      #expect(sequences.isEmpty == open.isEmpty)
      let oldest = open.min() ?? sequences.next
      #expect(sequences.areClosed(below: oldest))
      #expect(open.isEmpty || !sequences.areClosed(below: oldest + 1))
    }
  }
}
