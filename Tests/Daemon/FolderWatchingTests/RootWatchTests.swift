import LibraryModel
import TestSupport
import Testing

@testable import FolderWatching

@Suite("Whether the music folder is there", .limited) struct RootWatchTests {
  private static let one = FileIdentity(fileSystem: 1, inode: 2, birth: 3)
  private static let other = FileIdentity(fileSystem: 4, inode: 2, birth: 3)
  private static let away = RootLook.away(reason: "it is not there")

  private func look(
    _ watch: inout RootWatch, _ look: RootLook, at now: Int64 = 0, knownThere: Int = 0
  ) -> RootWatch.Turn {
    watch.looked(look, at: now, name: "/music") { (tried: 100, there: knownThere) }
  }

  @Test("it comes, goes and comes back, and each is told once")
  func turns() {
    var watch = RootWatch(identity: nil, probe: 10)
    #expect(watch.connection == .unknown)
    // At once, whatever the clock says.
    #expect(watch.nextProbe == 0)
    #expect(look(&watch, Self.away, at: 5) == .stays)
    #expect(watch.connection == .offline(reason: "it is not there"))
    #expect(watch.nextProbe == 15)
    #expect(look(&watch, .there(Self.one), at: 15, knownThere: 50) == .came)
    #expect(look(&watch, .there(Self.one), at: 16) == .stays)
    #expect(look(&watch, Self.away, at: 20) == .went)
    #expect(look(&watch, Self.away, at: 40) == .stays)
    #expect(watch.nextProbe == 50)
    watch.probeNow()
    #expect(watch.nextProbe == 0)
    #expect(look(&watch, .there(Self.one), at: 41) == .came)
  }

  @Test("another folder is taken where half of the known paths are there, and only there")
  func replaced() {
    var watch = RootWatch(identity: Self.one, probe: 10)
    #expect(look(&watch, .there(Self.one)) == .came)
    #expect(look(&watch, .there(Self.other), knownThere: 50) == .replaced)
    #expect(watch.identity == Self.other)
    #expect(watch.isOnline)
    #expect(look(&watch, .there(Self.one), knownThere: 49) == .went)
    #expect(watch.identity == Self.other)
    guard case .offline(let reason) = watch.connection else { return #expect(Bool(false)) }
    #expect(reason.hasSuffix("crate rescan /music"))
  }

  @Test("a person's word stands in for the paths, once")
  func accepted() {
    var watch = RootWatch(identity: Self.one, probe: 10)
    watch.accept(other: true)
    #expect(look(&watch, Self.away) == .stays)
    #expect(watch.acceptsOther)
    #expect(look(&watch, .there(Self.other)) == .came)
    #expect(!watch.acceptsOther)
    #expect(look(&watch, .there(Self.one)) == .went)
    watch.accept(other: true)
    watch.accept(other: false)
    #expect(look(&watch, .there(Self.one)) == .stays)
  }

  @Test("a folder with too few of the known files is away until half are there, or it is meant")
  func emptied() {
    var watch = RootWatch(identity: Self.one, probe: 10)
    #expect(look(&watch, .there(Self.one)) == .came)
    #expect(watch.deletions == .untold)
    #expect(watch.emptied(at: 5, name: "/music") == .went)
    #expect(watch.nextProbe == 15)
    guard case .offline(let reason) = watch.connection else { return #expect(Bool(false)) }
    #expect(reason.hasSuffix("crate rescan /music"))
    #expect(look(&watch, .there(Self.one), at: 15, knownThere: 49) == .stays)
    #expect(watch.connection == .offline(reason: reason))
    #expect(look(&watch, .there(Self.one), at: 25, knownThere: 50) == .came)
    // From then on its identity says enough.
    #expect(look(&watch, .there(Self.one), at: 26) == .stays)

    #expect(watch.emptied(at: 30, name: "/music") == .went)
    #expect(look(&watch, Self.away, at: 31) == .stays)
    #expect(look(&watch, .there(Self.one), at: 41) == .stays)
    watch.accept(other: true)
    #expect(look(&watch, .there(Self.one), at: 42) == .came)
    #expect(watch.deletions == .accepted)
  }

  @Test("events tell of all deletions, but for those before the folder came or mounts changed")
  func deletions() {
    var watch = RootWatch(identity: nil, probe: 10)
    #expect(look(&watch, .there(Self.one), knownThere: 50) == .came)
    #expect(watch.deletions == .untold)
    watch.toldAll()
    #expect(look(&watch, .there(Self.one)) == .stays)
    #expect(watch.deletions == .told)
    watch.mountsChanged()
    #expect(watch.deletions == .untold && watch.nextProbe == 0)
    watch.accept(other: true)
    #expect(look(&watch, .there(Self.one)) == .stays)
    #expect(watch.deletions == .accepted)
    watch.mountsChanged()
    #expect(watch.deletions == .untold)
  }

  @Test("where nobody was stuck, it is looked for no sooner")
  func noHang() {
    var watch = RootWatch(identity: nil, probe: 10)
    #expect(look(&watch, Self.away, at: 5) == .stays)
    for now in 6...8 as ClosedRange<Int64> {
      #expect(watch.noteHang(nil, at: now) == .stays)
      #expect(watch.nextProbe == 15)
    }
    #expect(!watch.acceptsOther && watch.resolved == nil)
  }

  @Test("a hang takes it away, and its end has it looked for at once")
  func hangs() {
    var watch = RootWatch(identity: Self.one, probe: 10)
    #expect(watch.noteHang("stuck", at: 0) == .stays)
    #expect(watch.connection == .unknown)
    #expect(look(&watch, .there(Self.one), at: 1) == .came)
    #expect(watch.noteHang("stuck", at: 2) == .went)
    #expect(watch.nextProbe == 12)
    #expect(watch.hangs("still stuck", at: 12) == .stays)
    #expect(watch.connection == .offline(reason: "still stuck"))
    #expect(watch.nextProbe == 22)
    #expect(watch.noteHang(nil, at: 13) == .stays)
    #expect(watch.nextProbe == 13)
    #expect(watch.noteHang(nil, at: 14) == .stays)
    #expect(watch.nextProbe == 13)
  }
}
