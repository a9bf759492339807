import LibraryModel
import TestSupport
import Testing

@testable import FolderWatching

@Suite(.limited) struct InotifyEventsTests {
  private func bytes(_ event: InotifyEvent, padding: Int) -> [UInt8] {
    var result: [UInt8] = []
    func append(_ word: UInt32) { withUnsafeBytes(of: word) { result.append(contentsOf: $0) } }
    append(UInt32(bitPattern: event.watch))
    append(event.mask)
    append(event.cookie)
    append(UInt32(event.name.count + padding))
    result += event.name + [UInt8](repeating: 0, count: padding)
    return result
  }

  private func events(_ bytes: [UInt8]) -> [InotifyEvent] {
    bytes.withUnsafeBytes { Array(InotifyEvents(buffer: $0)) }
  }

  private let some = [
    InotifyEvent(watch: 1, mask: 8, cookie: 0, name: Array("a.mp3".utf8)),
    InotifyEvent(watch: -1, mask: 0x4000, cookie: 0, name: []),
    InotifyEvent(watch: 3, mask: 0x4000_0040, cookie: 9, name: [0xFF]),
  ]

  @Test("what was written is read, and every cut ends before the cut record")
  func cuts() {
    let all = zip(some, [11, 0, 15]).map { bytes($0, padding: $1) }
    let joined = Array(all.joined())
    #expect(events(joined) == some)
    #expect(some[1].isOverflow && some[2].isFolder && !some[0].isFolder)
    for cut in 0..<joined.count {
      var whole = 0
      var end = 0
      for one in all {
        end += one.count
        if end <= cut { whole += 1 }
      }
      #expect(events(Array(joined[..<cut])) == Array(some[..<whole]))
    }
  }

  @Test("any bytes end", arguments: 0..<50)
  func anyBytes(seed: Int) {
    var numbers = SeededGenerator(seed: UInt64(seed))
    for _ in 0..<200 {
      let count = Int.random(in: 0...200, using: &numbers)
      let bytes = (0..<count).map { _ in
        Bool.random(using: &numbers) ? 0 : UInt8.random(in: 0...255, using: &numbers)
      }
      #expect(events(bytes).count <= count / 16)
    }
  }
}

@Suite(.limited) struct ListedNamesTests {
  @Test(
    "left out",
    arguments: [
      "", ".", ".hidden.mp3", "._song.mp3", ".song.mp3.aB3dE9", ".01 Song.mp3.Xa3bcd",
      ".syncthing.song.mp3.tmp", "song.mp3.part", "song.CRDOWNLOAD", "Album.download", "a.!qB",
      "a.mp3.aria2", ".goutputstream-X", ".fuse_hidden0001", ".nfs0001", "x.tmp", ".Trash-1000",
      "lost+found", "LOST+found", "a.PART", "a.TMP", ".part", ".a", ".-9.mp3", ".:x", ".A1",
      ".01 Song.mp3.aZ09Az", ".9.wv.zzzzzz", "..a.mp3.000000",
    ])
  func leftOut(name: String) {
    #expect(ListedNames.isLeftOut(Array(name.utf8)))
  }

  @Test(
    "listed",
    arguments: [
      "...And Justice for All", ".38 Special", ".38 Special.Greats", "song.mp3", "tmp", "part",
      "a.tmp.mp3", "lost+found.mp3", ".9 Lives", ".0", "..", "a", "lost+foun", "ost+found",
      // No copies of rsync: another length, another sign, no song, or not hidden.
      ".01 Song.mp3.Xa3bc", ".01 Song.mp3.Xa3bcde", ".01 Song.mp3.Xa3bc_", ".01 Song.mp3.Xa3b/d",
      ".01 Song.mp3.Xa3b:d", ".01 Song.mp3.@a3bcd", ".01 Song.mp3.[a3bcd", ".01 Song.mp3.`a3bcd",
      ".01 Song.mp3.{a3bcd", ".01 Song.mp3xXa3bcd", "01 Song.mp3.Xa3bcd", ".01 Song.Xa3bcd",
      ".012345", ".0123456", ".01234567",
    ])
  func listed(name: String) {
    #expect(!ListedNames.isLeftOut(Array(name.utf8)))
  }

  @Test(
    "trash and snapshots",
    arguments: [
      "#recycle", "#Recycle", "@eaDir", "#snapshot", ".snapshot", "@Recycle", "@Recently-Snapshot",
      "$RECYCLE.BIN", "$Recycle.Bin", "RECYCLER", "System Volume Information",
      "Network Trash Folder", "Temporary Items", ".zfs", ".ZFS", "~snapshot",
    ])
  func trash(name: String) {
    #expect(ListedNames.isTrash(Array(name.utf8)))
    // Unlike what is never looked at, a rule may take it in.
    #expect(!ListedNames.isLeftOut(Array(name.utf8)))
    for other in [name + "s", "a" + name, String(name.dropLast())] {
      #expect(!ListedNames.isTrash(Array(other.utf8)), "\(other)")
    }
  }

  @Test("audio is told by the end of the name, in any case")
  func audio() {
    for end in ["mp3", "FLAC", "m4a", "mp+", "Mpp", "wv", "aifc", "opus", "dff"] {
      #expect(ListedNames.isAudio(Array("x.\(end)".utf8)))
      #expect(!ListedNames.isAudio(Array(".\(end)".utf8)))
      #expect(!ListedNames.isAudio(Array("x\(end)".utf8)))
      #expect(!ListedNames.isAudio(Array("x.\(end)x".utf8)))
    }
  }
}

@Suite(.limited) struct MountsThatConcernTests {
  private let text = """
    1 0 8:1 / / rw - ext4 /dev/sda1 rw
    2 1 8:2 / /music rw - ext4 /dev/sdb1 rw
    3 2 8:3 / /music/a\\040b rw - ext4 /dev/sdc1 rw
    4 1 0:9 / /proc rw - proc proc rw
    """

  private func mounts(_ text: String, _ places: String...) -> Set<MountPoints.Mount> {
    MountPoints(Array(text.utf8)).concerning(Set(places.map { BytePath($0) }))
  }

  @Test("only mounts inside the folder and the one it lies on count")
  func relevant() {
    let mounts = mounts(text, "/music/a b")
    let others = text.replacing("4 1 0:9 / /proc", "9 1 0:7 / /sys")
    #expect(mounts == self.mounts(others, "/music/a b"))
    for (from, to) in [("3 2 8:3", "5 2 8:3"), ("\\040", "\\041")] {
      #expect(mounts != self.mounts(text.replacing(from, to), "/music/a b"))
    }
  }

  @Test("of what a folder lies on the nearest counts, and of two at one place the last")
  func nearest() {
    func table(_ lines: [String], _ places: String...) -> Set<MountPoints.Mount> {
      let text = lines.joined(separator: "\n") + "\n"
      let places = places.isEmpty ? ["/music/rock"] : places
      return MountPoints(Array(text.utf8)).concerning(Set(places.map { BytePath($0) }))
    }
    let lines = [
      "1 0 8:1 / / rw", "2 1 8:2 / /music rw", "3 1 8:3 / /music rw", "4 3 8:4 / /mus rw",
    ]
    let whole = table(lines)
    // Those that are covered, or lie elsewhere, may come and go, in any order.
    #expect(whole == table([lines[2]]))
    #expect(whole == table([lines[2], lines[0]]))
    #expect(whole != table([lines[2], lines[1]]))
    #expect(whole != table([lines[0]]))
    // What lies inside counts each, whatever is above.
    let inside = table(lines + ["5 3 8:5 / /music/rock/drive rw"])
    #expect(inside != whole)
    #expect(inside == table([lines[2], "5 3 8:5 / /music/rock/drive rw"]))
    #expect(
      table(["6 3 8:6 / /music/rock rw"] + lines) == table([lines[2], "6 3 8:6 / /music/rock rw"]))
    // Where a link leads counts like the path itself.
    let linked = table(lines + ["7 1 8:7 / /mnt rw"], "/music/rock", "/mnt/x")
    #expect(linked != table(lines, "/music/rock", "/mnt/x"))
    // What has too few fields is no mount, with five it is one.
    #expect(table(["1 0 8:1 /"]) == table([]))
    #expect(table(["1 0 8:1 / /"]) != table([]))
  }

  @Test(
    "blanks and backslashes are read as they are written",
    arguments: [
      ("", ""), ("abc", "abc"), ("a\\040b", "a b"), ("\\040\\011", " \t"), ("\\134040", "\\040"),
      ("\\101", "A"), ("\\177", "\u{7F}"), ("\\08", "\\08"), ("\\0", "\\0"), ("a\\", "a\\"),
      ("\\049", "\\049"), ("\\800", "\\800"), ("\\007x", "\u{7}x"), ("\\070", "8"),
      ("\\07:", "\\07:"),
      ("\\0/0", "\\0/0"), ("\\167\\000", "w\0"),
    ])
  func unescaped(field: String, text: String) {
    let inside = Array("x\(field)".utf8)
    #expect(MountPoints.unescaped(inside[1...]) == Array(text.utf8))
  }
}

extension String {
  fileprivate func replacing(_ from: String, _ to: String) -> String {
    guard let range = firstRange(of: from) else { return self }
    return String(self[..<range.lowerBound]) + to + String(self[range.upperBound...])
  }
}

@Suite(.limited) struct RootDecisionTests {
  private let one = FileIdentity(fileSystem: 1, inode: 2, birth: 3)
  private let other = FileIdentity(fileSystem: 4, inode: 2, birth: 3)

  @Test("the known folder is it, an unknown one is where nothing is lost or half is there")
  func decisions() {
    func decide(
      _ found: FileIdentity, _ known: FileIdentity?, _ there: Int, of tried: Int
    ) -> RootDecision {
      RootDecision(found: found, known: known) { (tried, there) }
    }
    #expect(decide(one, one, 0, of: 100) == .same)
    #expect(decide(one, nil, 0, of: 0) == .adopt)
    #expect(decide(one, other, 0, of: 0) == .adopt)
    #expect(decide(one, nil, 49, of: 100) == .refuse)
    #expect(decide(one, other, 49, of: 100) == .refuse)
    #expect(decide(one, other, 50, of: 100) == .adopt)
    #expect(decide(one, other, 1, of: 3) == .refuse)
  }
}

@Suite(.limited) struct PollingTests {
  @Test("looks that find nothing become rare, up to an hour, or as rare as they are at first")
  func rhythm() {
    var rhythm = Polling.Rhythm(30 * seconds)
    var waits: [Int64] = []
    for _ in 0..<9 {
      rhythm.polled(hasFound: false, at: 7)
      waits.append((rhythm.next - 7) / seconds)
    }
    #expect(waits == [60, 120, 240, 480, 960, 1_920, 3_600, 3_600, 3_600])
    rhythm.polled(hasFound: true, at: 5)
    #expect(rhythm.next == 5 + 30 * seconds)
    var rare = Polling.Rhythm(5_000 * seconds)
    for _ in 0..<3 { rare.polled(hasFound: false, at: 7) }
    #expect(rare.next == 7 + 5_000 * seconds)
  }

  @Test("what is needed for the first time has just been looked at, and is no more when it is not")
  func need() {
    var settings = WatchSettings(cookies: BytePath("/cookies"))
    settings.intervals.folders = 30
    settings.intervals.files = 40
    var polling = Polling(settings)
    #expect(polling.next == nil)
    polling.need(false, at: 5)
    #expect(polling.next == nil)
    polling.need(true, at: 10)
    #expect((polling.folders.next, polling.files.next) == (40, 50))
    #expect(polling.next == 40)
    polling.folders.polled(hasFound: false, at: 40)
    // It goes on being needed.
    polling.need(true, at: 45)
    #expect((polling.folders.next, polling.files.next) == (100, 50))
    #expect(polling.next == 50)
    polling.need(false, at: 60)
    #expect(polling.next == nil)
    polling.need(true, at: 70)
    #expect((polling.folders.next, polling.files.next) == (100, 110))
  }
}
