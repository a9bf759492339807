import Glibc
import TestSupport
import Testing

@testable import FolderWatching

@Suite("Directories that the kernel doesn't tell everything of", .limited) struct CoverageTests {
  private typealias ID = Catalogue.ID
  private let one = ID(index: 1)
  private let two = ID(index: 2)

  @Test(
    "are polled where they have no watch or somebody else may change them",
    arguments: [
      (false, nil, false, false), (true, nil, true, false), (false, ENOSPC, true, true),
      (true, EACCES, true, true),
    ] as [(Bool, Int32?, Bool, Bool)])
  func polled(isRemote: Bool, failure: Int32?, isPolled: Bool, lacksWatch: Bool) {
    var coverage = Coverage()
    #expect(coverage.isWhole && coverage.polled.isEmpty && coverage.oneWithoutWatch == nil)
    coverage.note(one, isRemote: isRemote, failure: failure)
    #expect(coverage.polled == (isPolled ? [one] : []))
    #expect(coverage.isWhole == !isPolled)
    #expect(coverage.lacksWatch(one) == lacksWatch && !coverage.lacksWatch(two))
    #expect(coverage.oneWithoutWatch == (lacksWatch ? one : nil))
    #expect((coverage.reason(folderCount: 1, instanceFailure: nil) != nil) == isPolled)
    // Another one, which is as it should be, changes nothing.
    coverage.note(two, isRemote: false, failure: nil)
    #expect(coverage.polled == (isPolled ? [one] : []))
    // It is gone, or is told of whole by now.
    var other = coverage
    other.forget(one)
    #expect(other.isWhole && other.polled.isEmpty && !other.lacksWatch(one))
    coverage.note(one, isRemote: false, failure: nil)
    #expect(coverage.isWhole && coverage.polled.isEmpty && !coverage.lacksWatch(one))
  }

  @Test("Those without a watch are tried in turn: one that can't get any is in no other's way")
  func inTurn() {
    var coverage = Coverage()
    for folder in [one, two] { coverage.note(folder, isRemote: false, failure: ENOSPC) }
    let tried = (0..<4).compactMap { _ -> ID? in
      guard let next = coverage.oneWithoutWatch else { return nil }
      coverage.triedToWatch(next)
      return next
    }
    #expect(tried == [one, two, one, two])
  }

  @Test("Both kinds are polled, each once")
  func both() {
    var coverage = Coverage()
    coverage.note(one, isRemote: true, failure: ENOSPC)
    coverage.note(two, isRemote: true, failure: nil)
    #expect(coverage.polled == [one, two])
    #expect(coverage.oneWithoutWatch == one)
    coverage.forget(two)
    #expect(coverage.polled == [one] && !coverage.isWhole)
  }

  @Test(
    "The limit is told as it has to be, in steps, so that the advice stays the same",
    arguments: [(0, 1024), (1, 1024), (1023, 1024), (1024, 2048), (5000, 5120)])
  func watches(folders: Int, needed: Int) {
    var coverage = Coverage()
    coverage.note(one, isRemote: true, failure: EACCES)
    coverage.note(two, isRemote: false, failure: ENOSPC)
    #expect(
      coverage.reason(folderCount: folders, instanceFailure: nil)
        == "not all directories can be watched; \(needed) watches are needed here: `sysctl"
        + " fs.inotify.max_user_watches` has to be larger")
  }

  @Test(
    "What else keeps a watch away is told as the system tells it",
    arguments: [
      (EACCES, "not all directories can be watched (Permission denied)"),
      (ENOENT, "not all directories can be watched (No such file or directory): is /proc mounted?"),
    ])
  func failures(code: Int32, told: String) {
    var coverage = Coverage()
    coverage.note(one, isRemote: true, failure: code)
    #expect(coverage.reason(folderCount: 9, instanceFailure: nil) == told)
  }

  @Test("Of several failures the same one is always told")
  func several() {
    for (first, second) in [(EACCES, ENOENT), (ENOENT, EACCES)] {
      var coverage = Coverage()
      coverage.note(one, isRemote: false, failure: first)
      coverage.note(two, isRemote: false, failure: second)
      #expect(
        coverage.reason(folderCount: 9, instanceFailure: nil)
          == "not all directories can be watched (Permission denied)")
    }
  }

  @Test("Where there is no instance, nothing else counts")
  func instance() {
    for failure in [nil, ENOSPC] {
      var coverage = Coverage()
      coverage.note(one, isRemote: true, failure: failure)
      #expect(
        coverage.reason(folderCount: 9, instanceFailure: EMFILE)
          == "no inotify instance is left: raise fs.inotify.max_user_instances with sysctl")
      #expect(
        coverage.reason(folderCount: 9, instanceFailure: ENOSYS)
          == "nothing can be watched: Function not implemented")
    }
  }

  @Test("A network file system is told as what it is")
  func remote() {
    var coverage = Coverage()
    coverage.note(one, isRemote: true, failure: nil)
    #expect(
      coverage.reason(folderCount: 9, instanceFailure: nil)
        == "changes made elsewhere to a network or FUSE file system are not reported, so this"
        + " folder is also looked at from time to time")
  }
}
