import FolderWatching
import Glibc
import LibraryModel
import TestSupport
import Testing

/// Drives that come and go at random. Only root may mount.
@Suite(.limited) struct RandomMountTests {
  /// A small drive that is seen at one more place while it is plugged in; what is done to it
  /// elsewhere, another machine might do.
  private final class Drive {
    let files = TemporaryFolder()
    private let place: String
    private(set) var isPluggedIn = false

    init(at place: String) throws {
      self.place = place
      let isMounted = mount("tmpfs", files.path.display, "tmpfs", 0, "size=4m") == 0
      try #require(isMounted, "this test mounts: run it as root")
    }

    func plugIn() {
      isPluggedIn = mount(files.path.display, place, nil, UInt(MS_BIND), nil) == 0
      #expect(isPluggedIn)
    }

    func unplug() {
      isPluggedIn = umount2(place, Int32(MNT_DETACH)) != 0
      #expect(!isPluggedIn)
    }

    deinit {
      if isPluggedIn { umount2(place, Int32(MNT_DETACH)) }
      umount2(files.path.display, Int32(MNT_DETACH))
    }

    func songs(below prefix: String) -> [String: String] {
      let songs = ListedSongs(of: files.path.display).songs
      return Dictionary(uniqueKeysWithValues: songs.map { (prefix + "/" + $0.key, $0.value) })
    }
  }

  @Test(
    "a drive inside the music folder comes and goes, and takes nothing with it", arguments: 0..<8)
  func inside(seed: UInt64) throws {
    var numbers = SeededGenerator(usually: seed)
    let folder = WatchedFolder()
    folder.music.makeFolder("drive")
    let drive = try Drive(at: folder.music("drive"))
    var operations = RandomOperations(folder.music, TemporaryFolder(), .none)
    var onDrive = RandomOperations(drive.files, TemporaryFolder(), .none)
    folder.music.writeLasting()
    drive.files.writeLasting()
    drive.plugIn()
    try folder.start()
    for round in 0..<8 {
      for _ in 0..<Int.random(in: 0...20, using: &numbers) { operations.operate(&numbers) }
      for _ in 0..<Int.random(in: 0...20, using: &numbers) { onDrive.operate(&numbers) }
      if !drive.isPluggedIn { drive.plugIn() }
      folder.sync()
      expectSame(folder.songs, all(folder, drive), "\(numbers), round \(round)")
      let kept = drive.songs(below: "drive")
      drive.unplug()
      for _ in 0..<Int.random(in: 0...20, using: &numbers) { operations.operate(&numbers) }
      for _ in 0..<Int.random(in: 0...20, using: &numbers) { onDrive.operate(&numbers) }
      folder.sync()
      let there = ListedSongs(of: folder.music.path.display).songs
      let both = there.merging(kept) { one, _ in one }
      expectSame(folder.songs, both, "\(numbers), round \(round), unplugged")
      if !kept.isEmpty { #expect(folder.folderState?.offlineSubtrees.isEmpty == false) }
    }
  }

  private func all(_ folder: WatchedFolder, _ drive: Drive) -> [String: String] {
    let there = ListedSongs(of: folder.music.path.display).songs
    return there.filter { !$0.key.hasPrefix("drive/") }
      .merging(drive.songs(below: "drive")) { one, _ in one }
  }

  @Test("the drive of the music folder comes and goes, and takes nothing with it", arguments: 0..<8)
  func root(seed: UInt64) throws {
    var numbers = SeededGenerator(usually: seed)
    let folder = WatchedFolder()
    folder.music.makeFolder("music")
    let drive = try Drive(at: folder.music("music"))
    var operations = RandomOperations(drive.files, TemporaryFolder(), .none)
    drive.files.writeLasting()
    drive.plugIn()
    try folder.start(root: folder.music.at("music")) { $0.intervals.root = 20_000_000 }
    for round in 0..<8 {
      for _ in 0..<Int.random(in: 0...20, using: &numbers) { operations.operate(&numbers) }
      folder.sync()
      let kept = drive.songs(below: "music")
      expectSame(folder.songs, kept, "\(numbers), round \(round)")
      drive.unplug()
      for _ in 0..<Int.random(in: 0...20, using: &numbers) { operations.operate(&numbers) }
      folder.sync()
      expectSame(folder.songs, kept, "\(numbers), round \(round), unplugged")
      #expect(isOffline(folder))
      drive.plugIn()
      #expect(folder.wait { $0.states.last?.mode == .watching })
    }
  }

  private func expectSame(
    _ told: [String: String], _ there: [String: String], _ place: String,
    _ location: SourceLocation = #_sourceLocation
  ) {
    // Two small sets say more than two whole trees.
    let missing = there.filter { told[$0.key] != $0.value }
    let surplus = told.filter { there[$0.key] == nil }
    #expect(
      missing.isEmpty && surplus.isEmpty, "\(place): missing \(missing), surplus \(surplus)",
      sourceLocation: location)
  }

  private func isOffline(_ folder: WatchedFolder) -> Bool {
    if case .offline? = folder.folderState?.mode { true } else { false }
  }
}
