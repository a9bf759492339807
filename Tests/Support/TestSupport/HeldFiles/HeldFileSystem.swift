import Glibc

/// A file system that answers when a test lets it: the kernel's calls hang, as on a drive whose
/// server is gone. It shows another directory, which tests change as they like. Gone with this
/// value, and with it everybody who hangs.
package final class HeldFileSystem {
  /// Which calls hang.
  package enum Kind: String, Sendable {
    case read, look, open, flush
  }

  package enum Numbers: String {
    case each
    /// All directories but the uppermost have the same inode number.
    case one
  }

  /// Where it is mounted.
  package let place: String
  private let program: RunningProgram

  /// - Parameters:
  ///   - source: the directory that it shows.
  ///   - place: the directory that it is mounted on.
  package init(showing source: String, at place: String, numbers: Numbers = .each) throws {
    self.place = place
    program = try RunningProgram(
      "/usr/bin/python3", ["-c", Self.server, source, place, numbers.rawValue],
      environment: ["PATH": "/usr/bin:/bin"], errors: "/dev/null", takesInput: true)
    guard try program.nextLine() == "mounted" else { throw HeldFileSystemMissing() }
  }

  deinit { end() }

  /// All who wait for it get an error, and it is no longer there.
  package func end() {
    program.signal(SIGKILL)
    _ = try? program.end()
    umount2(place, Int32(MNT_DETACH))
  }

  /// Calls of that kind get no answer from now on.
  package func hold(_ kinds: Kind...) throws {
    try tell("hold " + kinds.map(\.rawValue).joined(separator: " "))
  }

  /// Reads of files of these names get no answer from now on, and all others do.
  package func holdReads(of names: String...) throws {
    try tell("only " + names.joined(separator: "/"))
    try tell("hold read")
  }

  /// Waits until a call hangs that was made since: so a fault proves that it fired.
  package func waitUntilHeld(_ kind: Kind) throws {
    guard try program.nextLine() == "held \(kind.rawValue)" else { throw HeldFileSystemMissing() }
  }

  /// Answers all that hang, and all to come.
  package func answer() throws {
    try program.tell("answer")
    // Others may have been held before.
    while let line = try program.nextLine(), line != "done" {}
  }

  package enum Failure: String { case list }

  /// Calls of that kind fail from now on, with EIO.
  package func fail(_ kind: Failure) throws { try tell("fail \(kind.rawValue)") }

  /// How many failed so far.
  package func failures() throws -> Int {
    try program.tell("failures")
    let count = try program.nextLine().flatMap { Int($0) }
    guard let count, try program.nextLine() == "done" else { throw HeldFileSystemMissing() }
    return count
  }

  private func tell(_ line: String) throws {
    try program.tell(line)
    guard try program.nextLine() == "done" else { throw HeldFileSystemMissing() }
  }
}

/// The tests of folders that hang mount a file system of their own: they run as root, where there
/// is /dev/fuse.
package struct HeldFileSystemMissing: Error, CustomStringConvertible {
  package var description: String {
    "no file system can be mounted over /dev/fuse: run the tests as root where the kernel has FUSE,"
      + " or leave these out with CRATED_NO_FUSE=1"
  }
}

/// Whether the person leaves out the tests that need FUSE.
package var leavesOutFUSE: Bool { getenv("CRATED_NO_FUSE") != nil }
