import FolderWatching
import Glibc
import LibraryModel
import Platform
import ProgramSupport
import TestSupport
import Testing

@testable import DaemonCore
@testable import TagReading

@Suite("The covers of one folder", .serialized, .limited)
struct CoverFolderTests {
  private let folder: TemporaryFolder
  private let readers: ReaderPool
  private let now = Monitor<Int64>(1)
  private let covers: CoverFolder

  init() throws {
    folder = try TemporaryFolder()
    readers = try ReaderPool(program: BytePath(try Home.program("crate-tag-reader")))
    let clock = Clock(monotonic: { [now] in now.withLock { $0 } }, wall: { 0 })
    covers = CoverFolder(share: readers.share(of: BytePath(folder.path)), clock: clock)
  }

  private func outcome(_ place: CoverFolder.Place, side: Int = 16) throws -> ThumbnailOutcome {
    let found = Monitor<[ThumbnailOutcome]>([])
    let request = CoverFolder.Request.thumbnail(side: side) { outcome in
      found.withLock { $0.append(outcome) }
    }
    covers.find(CoverFolder.Job(place: place, request: request))
    return try #require(found.wait(until: Patience.end) { $0.first })
  }

  private func width(_ place: CoverFolder.Place, side: Int = 16) throws -> Int? {
    switch try outcome(place, side: side) {
    case .made(let made, _): made.width
    case .noCover: 0
    case .unknown: nil
    }
  }

  private func path(_ name: String) -> BytePath { BytePath(folder.path(name)) }

  @Test("A cover is taken from a song, or from the first directory that has an image")
  func places() throws {
    for name in ["one", "two", "three"] { try folder.makeFolder(name) }
    try folder.write(try SamplePicture.bytes("png"), to: "two/cover.png")
    try folder.write(try SamplePicture.bytes("jpeg"), to: "three/folder.jpg")
    #expect(try width(.beside([path("two"), path("three")])) == 16)
    #expect(try width(.beside([path("one"), path("three")]), side: 40) == 40)
    #expect(try width(.beside([path("one"), path("none")])) == nil)
    #expect(try width(.beside([])) == nil)
    #expect(try width(.song(path("none.flac"))) == nil)
    #expect(try width(.song(path("one"))) == nil)
    let sound = try readFile(try SampleMusic.sound(.mp3))
    let jpeg = try SamplePicture.bytes("jpeg")
    try folder.write(SamplePicture.inSong(jpeg, sound), to: "song.mp3")
    try folder.write(sound, to: "plain.mp3")
    #expect(try width(.song(path("song.mp3")), side: 40) == 40)
    #expect(try width(.song(path("plain.mp3"))) == 0)
    // More than may be open at a time, and each is closed before the next is opened.
    for _ in 0..<20 { #expect(try width(.beside([path("two")])) == 16) }
    let open = try names(in: "/proc/self/fd").filter { name in
      var target = [CChar](repeating: 0, count: 4096)
      let count = readlink("/proc/self/fd/\(name)", &target, target.count)
      let bytes = target.prefix(max(0, count)).map { UInt8(bitPattern: $0) }
      return bytes.starts(with: folder.path.utf8)
    }
    #expect(open.count <= 1)
  }

  @Test("Pixels are made of kinds that can be shown, though another one comes before them")
  func kinds() throws {
    try folder.makeFolder("kinds")
    try folder.write("GIF89a", to: "kinds/cover.gif")
    try folder.write(try SamplePicture.bytes("jpeg"), to: "kinds/folder.jpg")
    #expect(try width(.beside([path("kinds")])) == 16)
  }

  @Test("A file that keeps a reader is not opened again, by whichever name")
  func keepsReader() throws {
    let queue = Monitor(ReaderQueue())
    let root = BytePath(folder.path)
    let share = ReaderShare(in: queue, of: root, try WakeUp(), waitingMost: 100)
    let covers = CoverFolder(share: share, clock: .system)
    try folder.makeFolder("one")
    for name in ["song.flac", "other.flac", "one/cover.png"] { try folder.write(name, to: name) }
    try #require(symlink("song.flac", folder.path("link.flac")) == 0)
    var health = ShareHealth()
    health.lost = Set(["song.flac", "one/cover.png"].compactMap { path($0).stamp })
    try #require(health.lost.count == 2)
    queue.withLock { [health] queue in queue.setHealth(health, of: queue.share(of: root)) }
    func ask(_ place: CoverFolder.Place) -> FileProblem? {
      let problem = Monitor<FileProblem?>(nil)
      let request = CoverFolder.Request.thumbnail(side: 16) { outcome in
        if case .unknown(let found) = outcome { problem.withLock { $0 = found } }
      }
      covers.find(CoverFolder.Job(place: place, request: request))
      return problem.wait(until: Patience.end, for: { $0 })
    }
    #expect(ask(.song(path("song.flac"))) == CoverFolder.fileHangs)
    #expect(ask(.song(path("link.flac"))) == CoverFolder.fileHangs)
    // No other one is shown in its place.
    try folder.makeFolder("two")
    try folder.write("cover", to: "two/cover.png")
    #expect(ask(.beside([path("one"), path("two")])) == CoverFolder.fileHangs)
    // Another one is given to the readers.
    covers.find(
      CoverFolder.Job(place: .song(path("other.flac")), request: .thumbnail(side: 16) { _ in }))
    #expect(happensInTime { queue.withLock { $0.wanted().count == 1 } })
    share.giveUp()
  }

  @Test("Readers have room for all files that a watcher and the covers have open")
  func roomForAll() {
    let watched = WatchSettings(cookies: BytePath("/cookies")).limits.inFlight
    #expect(ReaderLimits().waitingMost >= watched + CoverFolder.openMost)
  }

  @Test("Four files are open at a time, and another one for each that was told")
  func openMost() throws {
    let queue = Monitor(ReaderQueue())
    // Nobody reads.
    let share = ReaderShare(
      in: queue, of: BytePath(folder.path), try WakeUp(), waitingMost: 100)
    let covers = CoverFolder(share: share, clock: .system)
    for number in 0..<7 { try folder.write("x", to: "\(number).flac") }
    for isWhole in [false, true, false] {
      let found = Monitor(0)
      for number in 0..<7 {
        let request: CoverFolder.Request =
          isWhole
          ? .whole { _ in found.withLock { $0 += 1 } }
          : .thumbnail(side: 16) { _ in found.withLock { $0 += 1 } }
        covers.find(CoverFolder.Job(place: .song(path("\(number).flac")), request: request))
      }
      #expect(happensInTime { covers.waitingCount <= 3 })
      let soon = Clock.system.monotonic() + 20_000_000
      #expect(found.wait(until: soon) { $0 > 0 ? () : nil } == nil)
      #expect(covers.waitingCount == 3)
      #expect(
        happensInTime {
          share.giveUp()
          return found.withLock { $0 } == 7
        })
    }
  }

  @Test("Nothing is left of it when nobody has it any more")
  func remains() throws {
    let queue = Monitor(ReaderQueue())
    var remains = Remains()
    do {
      let share = ReaderShare(
        in: queue, of: BytePath(folder.path), try WakeUp(), waitingMost: 100)
      let covers = CoverFolder(share: share, clock: .system)
      remains.note(covers, as: "covers")
      let found = Monitor(false)
      let request = CoverFolder.Request.whole { _ in found.withLock { $0 = true } }
      covers.find(CoverFolder.Job(place: .song(path("none.flac")), request: request))
      found.wait { $0 ? () : nil }
    }
    #expect(remains.count > 1 && remains.left == [])
  }

  @Test("A picture may be as long as a reader takes it, and no longer")
  func longest() throws {
    let most = ReaderReply.pictureBytesMost
    for (count, isTaken) in [(most, true), (most + 1, false)] {
      let path = try folder.write("", to: "long.png")
      #expect(truncate(path, count) == 0)
      guard let file = ImageFiles.open(BytePath(path)) else {
        Issue.record("it can't be opened")
        return
      }
      let found = ImageFiles.contents(file)?.count
      #expect(found == (isTaken ? count : nil))
    }
  }

  @Test("While a file of it hangs, what is asked for is answered at once, till it is back")
  func hanging() throws {
    try folder.write(try SamplePicture.bytes("png"), to: "cover.png")
    let goesOn = covers.hang()
    let late = Monitor<[ThumbnailOutcome]>([])
    let request = CoverFolder.Request.thumbnail(side: 16) { outcome in
      late.withLock { $0.append(outcome) }
    }
    let job = CoverFolder.Job(place: .beside([BytePath(folder.path)]), request: request)
    // In time, it waits.
    now.withLock { $0 += CoverFolder.patience - 1 }
    covers.find(job)
    #expect(late.withLock { $0.count } == 0)
    now.withLock { $0 += 1 }
    guard case .unknown(let problem) = try outcome(.beside([BytePath(folder.path)])) else {
      Issue.record("it doesn't hang")
      return
    }
    #expect(problem.kind == .timedOutReader && problem.message == "the folder doesn't answer")
    #expect(late.withLock { $0.count } == 0)
    goesOn.withLock { $0 = true }
    let found = try #require(late.wait(until: Patience.end) { $0.first })
    guard case .made = found else {
      Issue.record("what waited is not found")
      return
    }
    #expect(try width(.beside([BytePath(folder.path)])) == 16)
  }

  @Test("What waits when it is stopped is not found, and nothing is begun any more")
  func stopped() throws {
    let goesOn = covers.hang()
    let found = Monitor(0)
    for _ in 0..<3 {
      let request = CoverFolder.Request.thumbnail(side: 16) { outcome in
        if case .unknown = outcome { found.withLock { $0 += 1 } }
      }
      covers.find(CoverFolder.Job(place: .song(path("none.flac")), request: request))
    }
    covers.stop()
    #expect(found.withLock { $0 } == 3)
    #expect(try width(.beside([])) == nil)
    goesOn.withLock { $0 = true }
  }
}
