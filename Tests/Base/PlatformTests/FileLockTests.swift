import Glibc
import TestSupport
import Testing

@testable import Platform

@Suite("The lock on a directory", .limited)
struct FileLockTests {
  let folder: ScratchFolder
  let path: String

  init() throws {
    folder = try ScratchFolder()
    path = "\(folder.path)/lock"
  }

  func lock() throws(FileLock.Failure) -> FileLock {
    try FileLock(path: Array(path.utf8))
  }

  /// Why it can't be locked; nil if it can.
  func failure() -> FileLock.Failure? {
    do {
      _ = try lock()
      return nil
    } catch {
      return error
    }
  }

  /// The same once the lock was let go. A child that another test starts at this moment holds a
  /// copy of every descriptor from its fork to its exec, so the first answer need not be the last.
  func lastFailure() -> FileLock.Failure? {
    var last: FileLock.Failure?
    _ = happensInTime {
      last = failure()
      return last == nil
    }
    return last
  }

  func contents() -> String {
    guard let file = fopen(path, "r") else { return "" }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 100)
    return String(decoding: bytes[..<fread(&bytes, 1, 100, file)], as: UTF8.self)
  }

  @Test("The second claim is refused with the first one's process; the file stays when it ends")
  func exclusive() throws {
    do {
      let first = try lock()
      #expect(first.isIntact)
      #expect(contents() == "\(getpid())\n")
      #expect(failure() == .held(by: getpid()))
      #expect(first.isIntact)
    }
    #expect(access(path, F_OK) == 0)
    #expect(lastFailure() == nil)
  }

  @Test("A longer number left by a process that died is written over")
  func stale() throws {
    let file = try #require(fopen(path, "w"))
    fputs("4294967295123\n", file)
    fclose(file)
    let held = try lock()
    #expect(held.isIntact)
    #expect(contents() == "\(getpid())\n")
  }

  @Test("A lock file that was deleted is noticed, and lets nobody in")
  func deleted() throws {
    let first = try lock()
    unlink(path)
    #expect(!first.isIntact)
    #expect(failure() == .held(by: getpid()))
    #expect(!first.isIntact)
    // The refused claim made the file anew; to its owner it is still another one.
    #expect(access(path, F_OK) == 0)
  }

  @Test("A lock file that was replaced is noticed, and lets nobody in")
  func replaced() throws {
    let first = try lock()
    let file = try #require(fopen(path + ".new", "w"))
    fclose(file)
    try #require(rename(path + ".new", path) == 0)
    #expect(!first.isIntact)
    #expect(failure() == .held(by: getpid()))
  }

  @Test("A directory that was moved away is noticed")
  func moved() throws {
    let first = try lock()
    try #require(rename(folder.path, folder.path + ".old") == 0)
    #expect(!first.isIntact)
    try #require(rename(folder.path + ".old", folder.path) == 0)
    #expect(first.isIntact)
  }

  @Test("Another process is refused too, with our id")
  func otherProcess() throws {
    let first = try lock()
    // flock(1) of util-linux: 1 means that somebody else has it.
    #expect(first.isIntact)
    #expect(try status(of: ["/usr/bin/flock", "-n", path, "true"]) == 1)
    #expect(try status(of: ["/usr/bin/flock", "-n", folder.path, "true"]) == 1)
  }

  @Test("Who has it is told, without a claim, as long as somebody has")
  func holder() throws {
    func holder(_ path: String) -> Int32? { FileLock.holder(path: Array(path.utf8)) }
    #expect(holder(path) == nil)
    try #require(symlink("lock", path + "-link") == 0)
    do {
      let first = try lock()
      #expect(holder(path) == getpid() && first.isIntact)
      #expect(holder(path + "-link") == nil, "a link is followed nowhere")
      let other = try #require(fopen(path + "-other", "w"))
      fclose(other)
      #expect(holder(path + "-other") == nil)
    }
    // A child that another test starts may hold a copy until it runs.
    #expect(happensInTime { holder(path) == nil })
  }

  @Test("The kernel's table tells who has a file, and whom it does not know is nobody")
  func table() {
    let table = """
      1: POSIX  ADVISORY  WRITE 11 fe:01:123 0 EOF
      2: FLOCK  ADVISORY  WRITE 12 fe:01:9123 0 EOF
      2: -> FLOCK  ADVISORY  WRITE 13 fe:01:123 0 EOF
      3: FLOCK  ADVISORY  WRITE 0 fe:01:123 0 EOF
      4: FLOCK  ADVISORY  WRITE -1 fe:01:123 0 EOF
      5: FLOCK  ADVISORY  WRITE x fe:01:123 0 EOF
      6: FLOCK  ADVISORY
      7: FLOCK  ADVISORY  WRITE 1 fe:01:45
      8: FLOCK  ADVISORY  WRITE 4711 fe:01:123 0 EOF
      9: FLOCK  ADVISORY  WRITE 4712 fe:02:123 0 EOF
      10: FLOCK  ADVISORY  WRITE 4713 103:12345:123 0 EOF
      11: FLOCK  ADVISORY  WRITE 4714 00:2f:77 0 EOF
      12: FLOCK  ADVISORY  WRITE 4715 fe:02:123:4 0 EOF
      13: FLOCK  ADVISORY  WRITE 4716 fe:0x:46 0 EOF

      """
    func holder(_ inode: UInt64, on device: UInt64 = 0xFE01) -> Int32? {
      lockingProcess(in: Array(table.utf8)[...], device: device, inode: inode)
    }
    #expect(holder(123) == 4711 && holder(9123) == 12 && holder(45) == 1)
    #expect(holder(3) == nil && holder(5) == nil && holder(0) == nil && holder(46) == nil)
    // The same number on other devices is another file.
    #expect(holder(123, on: 0xFE02) == 4712 && holder(123, on: 0xFE03) == nil)
    #expect(holder(123, on: 0x1231_0345) == 4713 && holder(123, on: 0x1231_0346) == nil)
    // Where there is none, on either side, its number is all that can be compared.
    #expect(holder(77) == 4714 && holder(77, on: 0x30) == 4714 && holder(123, on: 0x30) == 4711)
  }

  @Test("A number is read up to what is no digit")
  func written() throws {
    func number(_ text: String) throws -> Int32? {
      let file = try #require(fopen(path, "w+"))
      defer { fclose(file) }
      fputs(text, file)
      fflush(file)
      return writtenProcess(fileno(file))
    }
    let texts: [(String, Int32?)] = [
      ("1234567890\n", 1_234_567_890), ("9", 9), ("10/", 10), ("12:", 12),
      ("", nil), ("\n1", nil), ("-1", nil), ("4294967295123\n", nil),
    ]
    for (text, expected) in texts { #expect(try number(text) == expected, "\(text)") }
    #expect(writtenProcess(-1) == nil)
  }

  @Test("No child inherits it")
  func children() throws {
    var first: FileLock? = try lock()
    #expect(first?.isIntact == true)
    // The process's output stays open for as long as it lives, and it lives until its input ends.
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    _ = fcntl(ends[1], F_SETFD, FD_CLOEXEC)
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_adddup2(&actions, ends[0], 0)
    var child = pid_t()
    try spawn(["/bin/cat"], &actions, &child)
    posix_spawn_file_actions_destroy(&actions)
    first = nil
    #expect(lastFailure() == nil)
    close(ends[0])
    close(ends[1])
    waitpid(child, nil, 0)
  }

  @Test("A link, a directory, and a folder that is not there are told apart from a held lock")
  func unusable() throws {
    try #require(symlink("elsewhere", path) == 0)
    #expect(failure() == .system(SystemCallError("open", path, code: ELOOP)))
    unlink(path)
    try #require(mkdir(path, 0o700) == 0)
    #expect(failure() == .system(SystemCallError("open", path, code: EISDIR)))
    rmdir(path)
    rmdir(folder.path)
    #expect(failure() == .system(SystemCallError("open", path, code: ENOENT)))
  }

  private func status(of words: [String]) throws -> Int32 {
    var child = pid_t()
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    try spawn(words, &actions, &child)
    var status: Int32 = 0
    waitpid(child, &status, 0)
    return (status >> 8) & 0xFF
  }

  private func spawn(
    _ words: [String], _ actions: inout posix_spawn_file_actions_t, _ child: inout pid_t
  ) throws {
    var arguments = words.map { strdup($0) } + [nil]
    defer { arguments.forEach { free($0) } }
    let error = posix_spawn(&child, words[0], &actions, nil, &arguments, nil)
    try #require(error == 0)
  }
}
