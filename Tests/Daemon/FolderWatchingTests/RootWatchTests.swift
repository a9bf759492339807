import LibraryModel
import TestSupport
import Testing

@testable import FolderWatching

@Suite("Whether the music folder is there", .limited) struct RootWatchTests {
  private static let one = FileIdentity(fileSystem: 1, inode: 2, birth: 3)
  private static let other = FileIdentity(fileSystem: 4, inode: 2, birth: 3)
  private static let away = RootStatus.away(reason: "it is not there")

  /// What a look comes to, and whether the folder is there afterwards.
  private struct Watched {
    var watch: RootWatch
    var isOnline = false
    var reason: String?

    init(identity: FileIdentity?) { watch = RootWatch(identity: identity, probe: 10) }

    mutating func follow(_ turn: RootWatch.Transition) -> RootWatch.Transition {
      switch turn {
      case .stays: break
      case .came, .replaced: (isOnline, reason) = (true, nil)
      case .away(let why): (isOnline, reason) = (false, why)
      }
      return turn
    }

    mutating func look(
      _ look: RootStatus, at now: Int64 = 0, knownThere: Int = 0
    ) -> RootWatch.Transition {
      follow(
        watch.checked(look, isOnline: isOnline, at: now, name: "/music") {
          (tried: 100, there: knownThere)
        })
    }

    mutating func noteHang(_ reason: String?, at now: Int64) -> RootWatch.Transition {
      follow(watch.noteHang(reason, isOnline: isOnline, at: now))
    }
  }

  private static let isAway = RootWatch.Transition.away(reason: "it is not there")

  @Test("it comes, goes and comes back, and each is told once")
  func turns() {
    var folder = Watched(identity: nil)
    // At once, whatever the clock says.
    #expect(folder.watch.nextProbe == 0)
    #expect(folder.look(Self.away, at: 5) == Self.isAway)
    #expect(folder.watch.nextProbe == 15)
    #expect(folder.look(.there(Self.one), at: 15, knownThere: 50) == .came)
    #expect(folder.look(.there(Self.one), at: 16) == .stays)
    #expect(folder.look(Self.away, at: 20) == Self.isAway)
    #expect(folder.look(Self.away, at: 40) == Self.isAway)
    #expect(folder.watch.nextProbe == 50)
    folder.watch.probeNow()
    #expect(folder.watch.nextProbe == 0)
    #expect(folder.look(.there(Self.one), at: 41) == .came)
  }

  @Test("another folder is taken where half of the known paths are there, and only there")
  func replaced() {
    var folder = Watched(identity: Self.one)
    #expect(folder.look(.there(Self.one)) == .came)
    #expect(folder.look(.there(Self.other), knownThere: 50) == .replaced)
    #expect(folder.watch.identity == Self.other)
    _ = folder.look(.there(Self.one), knownThere: 49)
    #expect(!folder.isOnline && folder.reason?.hasSuffix("crate rescan /music") == true)
    #expect(folder.watch.identity == Self.other)
  }

  @Test("a person's word stands in for the paths, once")
  func accepted() {
    var folder = Watched(identity: Self.one)
    folder.watch.accept(other: true)
    #expect(folder.look(Self.away) == Self.isAway)
    #expect(folder.watch.acceptsOther)
    #expect(folder.look(.there(Self.other)) == .came)
    #expect(!folder.watch.acceptsOther)
    _ = folder.look(.there(Self.one))
    #expect(!folder.isOnline)
    folder.watch.accept(other: true)
    folder.watch.accept(other: false)
    _ = folder.look(.there(Self.one))
    #expect(!folder.isOnline)
  }

  @Test("a folder with too few of the known files is away until half are there, or it is meant")
  func emptied() {
    var folder = Watched(identity: Self.one)
    #expect(folder.look(.there(Self.one)) == .came)
    #expect(folder.watch.deletions == .untold)
    _ = folder.follow(folder.watch.emptied(at: 5, name: "/music"))
    #expect(folder.watch.nextProbe == 15)
    let reason = folder.reason
    #expect(!folder.isOnline && reason?.hasSuffix("crate rescan /music") == true)
    _ = folder.look(.there(Self.one), at: 15, knownThere: 49)
    #expect(folder.reason == reason)
    #expect(folder.look(.there(Self.one), at: 25, knownThere: 50) == .came)
    // From then on its identity says enough.
    #expect(folder.look(.there(Self.one), at: 26) == .stays)

    _ = folder.follow(folder.watch.emptied(at: 30, name: "/music"))
    #expect(folder.look(Self.away, at: 31) == Self.isAway)
    _ = folder.look(.there(Self.one), at: 41)
    #expect(!folder.isOnline)
    folder.watch.accept(other: true)
    #expect(folder.look(.there(Self.one), at: 42) == .came)
    #expect(folder.watch.deletions == .accepted)
  }

  @Test("events tell of all deletions, but for those before the folder came or mounts changed")
  func deletions() {
    var folder = Watched(identity: nil)
    #expect(folder.look(.there(Self.one), knownThere: 50) == .came)
    #expect(folder.watch.deletions == .untold)
    folder.watch.toldAll()
    #expect(folder.look(.there(Self.one)) == .stays)
    #expect(folder.watch.deletions == .told)
    folder.watch.mountsChanged()
    #expect(folder.watch.deletions == .untold && folder.watch.nextProbe == 0)
    folder.watch.accept(other: true)
    #expect(folder.look(.there(Self.one)) == .stays)
    #expect(folder.watch.deletions == .accepted)
    folder.watch.mountsChanged()
    #expect(folder.watch.deletions == .untold)
  }

  @Test("where nobody was stuck, it is looked for no sooner")
  func noHang() {
    var folder = Watched(identity: nil)
    #expect(folder.look(Self.away, at: 5) == Self.isAway)
    for now in 6...8 as ClosedRange<Int64> {
      #expect(folder.noteHang(nil, at: now) == .stays)
      #expect(folder.watch.nextProbe == 15)
    }
    #expect(!folder.watch.acceptsOther && folder.watch.resolved == nil)
  }

  @Test("a hang takes it away, and its end has it looked for at once")
  func hangs() {
    var folder = Watched(identity: Self.one)
    #expect(folder.noteHang("stuck", at: 0) == .stays)
    #expect(folder.look(.there(Self.one), at: 1) == .came)
    #expect(folder.noteHang("stuck", at: 2) == .away(reason: "stuck"))
    #expect(folder.watch.nextProbe == 12)
    #expect(
      folder.follow(folder.watch.hangs("still stuck", at: 12)) == .away(reason: "still stuck"))
    #expect(folder.watch.nextProbe == 22)
    #expect(folder.noteHang(nil, at: 13) == .stays)
    #expect(folder.watch.nextProbe == 13)
    #expect(folder.noteHang(nil, at: 14) == .stays)
    #expect(folder.watch.nextProbe == 13)
  }
}
