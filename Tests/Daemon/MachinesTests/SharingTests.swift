import Glibc
import LibraryModel
import Machines
import SharedOrder
import TestSupport
import Testing

@Suite("Machines with a folder that something carries", .limited)
struct SharingTests {
  /// Two machines that share an order; both have albums 1...6.
  private func pair() throws -> (one: TestMachine, other: TestMachine) {
    var one = try TestMachine("laptop")
    try one.arrive([1, 2, 3, 4, 5, 6])
    try one.move(5, 6, to: "Rock")
    try one.round()
    var other = try TestMachine("desk", one.share)
    try other.arrive([1, 2, 3, 4, 5, 6])
    try other.round()
    try one.round()
    return (one, other)
  }

  private func names(_ machine: TestMachine) throws -> [String] {
    try names(in: machine.share.path)
  }
  private func names(in path: String) throws -> [String] {
    try TestSupport.names(in: path).sorted()
  }

  @Test("The first begins, and one without decisions takes its order, in one change")
  func begin() throws {
    let (one, other) = try pair()
    #expect(one.shown == "Music 1 2 3 4, Rock 5 6" && other.shown == one.shown)
    #expect(other.library.sequence == 2)
    #expect(one.problems.isEmpty && other.problems.isEmpty)
    let files = try names(one)
    #expect(
      files.count == 2 && files[0].hasPrefix("order.desk-") && files[1].hasPrefix("order.laptop-"))
    var status = stat()
    #expect(stat(one.share.path(files[0]), &status) == 0 && status.st_mode & 0o777 == 0o600)
  }

  @Test(
    "One that adopts an order knows its albums by their sounds, though ids are other albums' there",
    arguments: [false, true])
  func otherIDs(isAsked: Bool) throws {
    var one = try TestMachine("laptop")
    try one.arrive([1, 2, 3, 4])
    try one.move(3, 4, to: "Rock")
    try one.round()
    var other = try TestMachine("desk", one.share)
    try other.arrive([1, 2, 3, 4], ids: [1: 3, 2: 9, 3: 1])
    if isAsked { try other.move(9, to: "Own") }
    try other.round()
    let isJoined = isAsked && other.keeper.joinShare(mine: false, now: other.wall)
    #expect(isJoined == isAsked)
    try other.round()
    #expect(other.shown == "Music 3 9, Rock 1 4")
    try other.move(3, to: "Night")
    try other.round()
    try one.round()
    #expect(one.shown == "Music 2, Rock 3 4, Night 1")
  }

  @Test("What is done on one is done on the other, and then nobody writes anything")
  func exchange() throws {
    var (one, other) = try pair()
    try one.move(3, to: "Night")
    try other.move(1, to: "Rock")
    for _ in 0..<2 {
      try one.round()
      try other.round()
    }
    #expect(one.shown == "Music 2 4, Rock 1 5 6, Night 3" && other.shown == one.shown)
    let written = try names(one).map { try readFile(one.share.path($0)) }
    try one.round()
    try other.round()
    #expect(try names(one).map { try readFile(one.share.path($0)) } == written)
  }

  @Test(
    "A crate that gets the name of another machine's is one with it, in two blocks, with a note")
  func sameName() throws {
    var (one, other) = try pair()
    try one.move(1, 2, to: "Night")
    try other.commit(try other.library.decide(.renameCrate("Rock", to: "Night"), newAlbums: nil))
    for _ in 0..<2 {
      try one.round()
      try other.round()
    }
    #expect(one.shown == "Music 3 4, Night 5 6 1 2" && other.shown == one.shown)
    #expect(one.last.notes == ["Night is on several machines: it is one crate now"])
    #expect(other.last.notes == one.last.notes)
    try one.move(3, to: "Night")
    try one.round()
    try other.round()
    #expect(other.last.author == .machine && other.last.notes.isEmpty)
  }

  @Test("One with an order of its own is asked, and writes and takes nothing until then")
  func asked() throws {
    var (one, _) = try pair()
    var third = try TestMachine("nas", one.share)
    try third.arrive([1, 2, 7])
    try third.move(2, to: "Own")
    try third.round()
    #expect(third.shown == "Music 1 7, Own 2")
    #expect(third.problems.count == 1 && third.problems[0].contains("crate machines join"))
    #expect(try names(one).count == 2)
    var fourth = third

    let isJoined = third.keeper.joinShare(mine: false, now: third.wall)
    #expect(isJoined)
    try third.round()
    #expect(third.shown == "Music 1 7 2" && third.problems.isEmpty)
    #expect(try names(one).count == 3)
    let isJoinedAgain = third.keeper.joinShare(mine: false, now: third.wall)
    #expect(!isJoinedAgain, "there is nothing to join")

    _ = fourth.keeper.joinShare(mine: true, now: fourth.wall)
    try fourth.round()
    #expect(fourth.shown == "Music 1 7, Own 2")
    try one.round()
    #expect(
      one.shown == "Music 1 3 4, Own 2, Rock 5 6" || one.shown == "Music 1 3 4, Rock 5 6, Own 2")
  }

  @Test("A file that goes is written again; one that was brought back from the past means nothing")
  func accidents() throws {
    var (one, other) = try pair()
    let old = try names(one).map { ($0, try readFile(one.share.path($0))) }
    try one.move(1, to: "Night")
    try one.round()
    try other.round()
    let order = one.shown
    for (name, text) in old { try writeFile(text, to: one.share.path(name)) }
    for _ in 0..<2 {
      try one.round()
      try other.round()
    }
    #expect(one.shown == order && other.shown == order)
    for (name, _) in old { unlink(one.share.path(name)) }
    try one.round()
    try other.round()
    #expect(try names(one) == old.map(\.0))
    #expect(one.shown == order && other.shown == order)
  }

  @Test("Versions of a file differ by a second or more: rsync takes others for the same")
  func seconds() throws {
    var (one, _) = try pair()
    let own = try names(one).first { $0.contains("\(one.keeper.machine)") }
    let path = one.share.path(try #require(own))
    var times: [Int] = []
    for number in 1...4 {
      try one.move(number, to: "Night")
      try one.round()
      var status = stat()
      #expect(stat(path, &status) == 0)
      times.append(status.st_mtim.tv_sec)
    }
    #expect(zip(times, times.dropFirst()).allSatisfy(<), "\(times)")
  }

  @Test("A machine whose disk was cloned gets an id of its own")
  func clone() throws {
    let (one, _) = try pair()
    var (first, clone) = (one, one)
    try first.move(1, to: "Night")
    try clone.move(2, to: "Night")
    try first.round()
    try clone.round()
    #expect(first.keeper.machine != clone.keeper.machine)
    try first.round()
    #expect(first.shown == "Music 3 4, Rock 5 6, Night 1 2" && clone.shown == first.shown)
    #expect(try names(one).count == 3)
  }

  @Test("A machine that is called otherwise writes under that name, and not under both")
  func renamed() throws {
    var (one, _) = try pair()
    let id = one.keeper.machine
    try one.restart(as: "notebook")
    try one.round()
    #expect(one.keeper.machine == id)
    #expect(try names(one).filter { $0.contains("\(id)") } == ["order.notebook-\(id).txt"])
  }

  @Test("A damaged file changes nothing and is told; one that is whole again counts")
  func damage() throws {
    var (one, other) = try pair()
    try one.move(1, to: "Night")
    try one.round()
    let name = try #require(try names(one).first { $0.contains("laptop") })
    let whole = try readFile(one.share.path(name))
    let before = other.shown
    try writeFile(Array(whole.dropLast(9)), to: one.share.path(name))
    try other.round()
    #expect(other.shown == before)
    #expect(other.problems.count == 1 && other.problems[0].contains("line"))
    try writeFile(whole, to: one.share.path(name))
    try other.round()
    #expect(other.shown == one.shown && other.problems.isEmpty)
  }

  @Test("Copies that carriers make, links and folders of such a name are no machines")
  func strangers() throws {
    var (one, _) = try pair()
    let name = try #require(try names(one).first { $0.contains("desk") })
    let text = try readFile(one.share.path(name))
    for copy in [
      name.replacing(".txt", with: ".sync-conflict-20261130-120000-ABCDEFG.txt"),
      name.replacing(".txt", with: " (conflicted copy 2026-11-30 120000).txt"), "." + name,
      name + "~", name + ".tmp",
    ] { try writeFile(text, to: one.share.path(copy)) }
    symlink(one.share.path(name), one.share.path("order.link-aaaa.txt"))
    mkdir(one.share.path("order.folder-bbbb.txt"), 0o700)
    mkfifo(one.share.path("order.pipe-cccc.txt"), 0o600)
    let before = one.shown
    try one.round()
    #expect(one.shown == before)
    #expect(one.problems.count { $0.contains("conflict copies") } == 1)
    #expect(one.problems.count { $0.contains("remove it") } == 3)
    #expect(one.keeper.others.count == 1)
  }

  @Test("Without the folder nothing happens but that it is told, and it is not made")
  func missing() throws {
    var one = try TestMachine("laptop")
    try one.arrive([1])
    removeTree(one.share.path)
    try one.read()
    #expect(one.problems.count == 1 && one.problems[0].contains("make it"))
    try one.keeper.write()
    #expect(access(one.share.path, F_OK) != 0)
    #expect(one.keeper.share == nil, "a share does not begin where nothing could be looked for")
  }

  @Test("After a kill between any two steps the next start goes on, and nothing is done twice")
  func kills() throws {
    var (one, other) = try pair()
    try one.move(1, to: "Night")
    try one.round()
    // The table is saved, and the change is not durable.
    other.wall += 10
    _ = other.keeper.read(now: other.wall)
    #expect(other.keeper.neededOrder() != nil)
    try other.keeper.save()
    try other.restart()
    #expect(other.keeper.neededOrder() != nil)
    try other.round()
    #expect(other.shown == one.shown)
    // The change is durable, and the table is as it was saved before it.
    let sequence = other.library.sequence
    try other.restart()
    try other.round()
    #expect(other.library.sequence == sequence && other.keeper.neededOrder() == nil)
    // What the person did is durable, and in no table yet.
    let before = other.library
    try other.move(2, to: "Night")
    try other.restart(with: before)
    try other.round()
    try one.round()
    #expect(one.shown == other.shown && one.shown.hasSuffix("Night 2 1"))
  }

  @Test("A machine that is dropped is forgotten with what only that had")
  func drop() throws {
    var (one, other) = try pair()
    try other.arrive([9])
    try other.round()
    try one.round()
    #expect(one.keeper.table.albums[TestMachine.album(9)] != nil)
    try one.keeper.drop(other.keeper.machine)
    #expect(one.keeper.table.albums[TestMachine.album(9)] == nil && one.keeper.others.isEmpty)
    #expect(try names(one).count == 1)
    try other.round()
    try one.round()
    #expect(one.keeper.others.count == 1, "it is back when it returns")
  }
}
