import CratesInterface
import Glibc
import Platform
import ProgramSupport
import TestSupport
import Testing

/// Several daemons, each with its own music, and a folder that something carries between them.
@Suite("Machines that share an order", .serialized, .limited)
struct MachineTests {
  private let share: TemporaryFolder

  init() throws { share = try TemporaryFolder() }

  private func machine(_ name: String, albums: Int = 5) throws -> Machine {
    try Machine(name, albums: albums, folder: share.path)
  }

  @Test("What is done on one is done on the other, and told as that, and taken back where it was")
  func both() throws {
    let laptop = try machine("laptop")
    let desk = try machine("desk")
    try expectOneOrder(laptop, desk)
    let title = try laptop.client.albums()[3].title
    try laptop.move(title, .top, to: "Jazz")
    try expectOneOrder(laptop, desk)
    let change = try desk.newest()
    #expect(change.author == .machine && change.origin == "laptop")
    #expect(change.summary == "From laptop: \(title) is in the new crate Jazz")
    #expect(try desk.client.album(title).placedBy == "laptop")
    #expect(try laptop.client.album(title).placedBy == nil)
    #expect(try desk.home.crate("show", title).output.contains("put here on laptop"))
    #expect(try desk.home.crate("undo", status: 1).errors.contains("nothing to undo"))
    let before = try laptop.newest().sequence
    try laptop.home.crate("undo")
    try expectOneOrder(laptop, desk)
    // It has its own change, and nothing comes back to it.
    #expect(try laptop.newest().sequence == before + 1)
    try desk.session.stop()
    try laptop.session.stop()
  }

  @Test("Without the setting there is no thread and no file of theirs")
  func alone() throws {
    func threads(_ pid: pid_t) throws -> [String] {
      try names(in: "/proc/\(pid)/task").map {
        String(decoding: try readFile("/proc/\(pid)/task/\($0)/comm"), as: UTF8.self)
      }
    }
    let laptop = try machine("laptop")
    #expect(try threads(laptop.session.daemon.pid).contains("machines\n"))
    #expect(try names(in: laptop.home.store).contains("machines.txt"))
    try laptop.session.stop()

    let home = try Home()
    try SmallLibrary.write(albums: 2, to: home.music)
    let daemon = try RunningDaemon(home)
    try CratesClient(home).sync()
    #expect(try !threads(daemon.pid).contains { $0.hasPrefix("machine") })
    #expect(try !names(in: home.store).contains("machines.txt"))
    try daemon.stop()
  }

  @Test("An undo leaves what another machine has moved since, and says so")
  func undo() throws {
    let laptop = try machine("laptop")
    let desk = try machine("desk")
    let titles = try laptop.client.albums().map(\.title)
    let ids = try titles[2...3].map { try laptop.client.album($0).id }
    try laptop.client.move(albums: ids, .top, to: "Jazz")
    try laptop.client.sync()
    _ = try desk.order()
    try desk.move(titles[2], .top, to: "Rock")
    _ = try laptop.order()
    let undone = try laptop.home.crate("undo")
    #expect(undone.output.contains("stays where it was put on desk"))
    #expect(try laptop.client.album(titles[2]).crate == "Rock")
    #expect(try laptop.client.album(titles[3]).crate == "Music")
    try expectOneOrder(laptop, desk)
  }

  @Test("An album that another machine has placed comes in there, and nowhere else first")
  func arrival() throws {
    let laptop = try machine("laptop", albums: 6)
    let desk = try machine("desk", albums: 5)
    let new = try #require(
      Set(try laptop.client.albums().map(\.title))
        .subtracting(try desk.client.albums().map(\.title)).first)
    try laptop.move(new, .bottom, to: "Late")
    _ = try desk.order()
    let before = try desk.client.status().sequence
    try SmallLibrary.write(albums: 6, to: desk.home.music)
    try expectOneOrder(laptop, desk)
    let changes = try desk.client.changes(after: before)
    #expect(changes.allSatisfy { $0.author == .folder })
  }

  @Test("A machine with an order of its own waits until a person says whose counts")
  func joining() throws {
    let desk = try machine("desk")
    try desk.move(try desk.client.albums()[4].title, .top, to: "Jazz")
    let home = try Home()
    try SmallLibrary.write(albums: 5, to: home.music)
    let alone = try Session(home)
    let id = try alone.client.albums()[1].id
    try alone.client.move(albums: [id], .bottom, to: "Mine")
    try home.configure(
      """
      music_folders = ["\(home.music)"]
      machines = "\(share.path)"
      machine_name = "laptop"
      """)
    try alone.restart()
    let own = try home.listings()
    #expect(try home.problems().map(\.kind) == [.machines])
    #expect(try home.listings() == own)
    #expect(try home.crate("machines").errors.contains("crate machines join"))
    let would = try home.crate("machines", "join", "--dry-run").output
    #expect(would.contains("would"))
    #expect(try home.listings() == own)
    try home.crate("machines", "join")
    #expect(try home.problems().isEmpty)
    #expect(try alone.client.order() == desk.client.order())
    #expect(try home.crate("machines", "join", status: 1).errors.contains("no order"))
    #expect(try home.crate("machines").output.contains("desk"))
    try home.crate("machines", "drop", "desk")
    #expect(try names(in: share.path).filter { $0.contains("desk") }.isEmpty)
  }

  @Test("After a kill at any moment, both have every decision once", arguments: 0..<3)
  func kills(round: Int) throws {
    let laptop = try machine("laptop")
    let desk = try machine("desk")
    let titles = try laptop.client.albums().map(\.title)
    for (number, title) in titles.enumerated() {
      try laptop.client.move(
        albums: [try laptop.client.album(title).id], .top, to: "Crate \(number % 2)")
      if number % 3 == round { try laptop.session.restart(after: .killed) }
    }
    try desk.session.restart(after: .killed)
    try expectOneOrder(laptop, desk)
    let news = try desk.client.changes(after: 0).filter { $0.author == .machine }
    #expect(!news.isEmpty)
    #expect(try laptop.client.changes(after: 0).allSatisfy { $0.author != .machine })
  }

  @Test(
    "Three machines whose files rsync or git carries late, or not to all, come to one order",
    arguments: [Carrier.rsync, .git], 0..<(Effort.isNightly ? 10 : 1) as Range<UInt64>)
  func carried(by carrier: Carrier, seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let folders = try (0..<3).map { _ in try TemporaryFolder() }
    for folder in folders { try carrier.prepare(folder) }
    var machines: [Machine] = []
    // The second finds what the first said, and the third what both did.
    for (number, folder) in folders.enumerated() {
      for other in folders[..<number] { try carrier.carry(from: other, to: folder) }
      machines.append(
        try Machine("machine \(number)", albums: 5 + number % 2, folder: folder.path))
    }
    for _ in 0..<24 {
      let number = Int.random(in: 0..<3, using: &random)
      let machine = machines[number]
      switch Int.random(in: 0..<10, using: &random) {
      case 0: try machine.session.restart(after: .killed)
      case 1: _ = try machine.succeeds("undo")
      case 2...5:
        let other = Int.random(in: 0..<3, using: &random)
        try machine.client.sync()
        if other != number { try carrier.carry(from: folders[number], to: folders[other]) }
      default:
        let album = try #require(try machine.client.albums().randomElement(using: &random))
        let crate = ["Jazz", "Rock", album.crate].randomElement(using: &random)
        let place: Interface.Place = Bool.random(using: &random) ? .top : .bottom
        try machine.client.move(albums: [album.id], place, to: crate)
      }
    }
    for _ in 0..<3 {
      for machine in machines { try machine.client.sync() }
      for one in folders {
        for other in folders where other !== one { try carrier.carry(from: one, to: other) }
      }
    }
    // What all of them have is in one order; one album is on the second alone.
    let titles = Set(try machines[0].client.albums().map(\.title))
    let orders = try machines.map { machine in
      try machine.client.albums().filter { titles.contains($0.title) }
        .map { "\($0.crate): \($0.title)" }
    }
    #expect(orders[1] == orders[0] && orders[2] == orders[0])
    for machine in machines {
      let sequence = try machine.client.sync()
      #expect(try machine.client.sync() == sequence)
      #expect(try machine.home.problems().isEmpty)
      try machine.session.stop()
    }
  }

  @Test(
    "Machines whose files Syncthing carries, together and apart, come to one order", .nightly,
    arguments: [2, 3], 0..<(3 as UInt64))
  func syncthing(count: Int, seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let folders = try (0..<count).map { _ in try TemporaryFolder() }
    let carriers = try RunningSyncthing.each(of: folders)
    var machines: [Machine] = []
    for (number, folder) in folders.enumerated() {
      machines.append(try Machine("machine \(number)", albums: 6, folder: folder.path))
      // The next one finds what this one said.
      try machines[number].client.sync()
      #expect(try happensInTime { try carriers[number].hasCarriedAll() })
    }
    for step in 0..<30 {
      let number = Int.random(in: 0..<count, using: &random)
      let machine = machines[number]
      switch Int.random(in: 0..<10, using: &random) {
      case 0: try machine.session.restart(after: .killed)
      case 1: _ = try machine.succeeds("undo")
      case 2...4: try machine.client.sync()
      default:
        let album = try #require(try machine.client.albums().randomElement(using: &random))
        let crate = ["Jazz", "Rock", album.crate].randomElement(using: &random)
        try machine.client.move(albums: [album.id], .top, to: crate)
      }
      // The first one is apart for a third of the time.
      if step == 10 { try carriers[0].stop() }
      if step == 20 { try carriers[0].start() }
    }
    let areOne = try happensInTime {
      let orders = try machines.map { try $0.order() }
      let haveCarried = try carriers.map { try $0.hasCarriedAll() }
      return Set(orders).count == 1 && !haveCarried.contains(false)
    }
    #expect(areOne)
    for machine in machines {
      #expect(try machine.home.problems().isEmpty)
      try machine.session.stop()
    }
  }

  /// A program that carries files, as machines.md says.
  enum Carrier: String, Sendable {
    case rsync
    case git

    func prepare(_ folder: TemporaryFolder) throws {
      if self == .git { try perform("git -C \"$1\" init --quiet --initial-branch=main", folder) }
    }

    func carry(from source: TemporaryFolder, to target: TemporaryFolder) throws {
      switch self {
      case .rsync: try perform("rsync -au \"$1\"/ \"$2\"/", source, target)
      case .git:
        let commit = "add --all && git commit --quiet --allow-empty --message=order"
        try perform("cd \"$1\" && git \(commit)", source)
        try perform("cd \"$1\" && if [ -n \"$(ls)\" ]; then git \(commit); fi", target)
        try perform("cd \"$2\" && git pull --quiet --no-rebase \"$1\" main", source, target)
      }
    }

    private func perform(_ command: String, _ folders: TemporaryFolder...) throws {
      let variables = ["AUTHOR_NAME", "AUTHOR_EMAIL", "COMMITTER_NAME", "COMMITTER_EMAIL"]
      let person = variables.map { "GIT_\($0)=ada" }
      let words = ["sh", "-c", command, "sh"] + folders.map(\.path)
      let result = try run("env", ["GIT_CONFIG_GLOBAL=/dev/null"] + person + words)
      try #require(result.status == 0, "\(command): \(result.errors)")
    }
  }
}
