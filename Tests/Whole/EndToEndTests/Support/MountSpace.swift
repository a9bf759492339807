import Glibc
import TestSupport
import Testing

/// A mount namespace: what is mounted in it is seen by the programs that run in it, and goes with
/// this value.
final class MountSpace {
  private let keeper: RunningProgram

  init(_ folder: TemporaryFolder) throws {
    let words = ["--mount", "--propagation", "private", "sh", "-c", "echo ready; exec cat"]
    keeper = try RunningProgram(
      "unshare", words, environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"],
      errors: folder.path("unshare.log"), takesInput: true)
    try #require(try keeper.nextLine() == "ready", "this test mounts: run it as root")
  }

  /// The command line that programs are put behind, to run them in it.
  var prefix: [String] { ["nsenter", "--mount=/proc/\(keeper.process)/ns/mnt", "--"] }

  /// The path of what is seen at this path in there.
  func path(_ path: String) -> String { "/proc/\(keeper.process)/root\(path)" }

  func mount(_ source: String, on target: String) throws {
    try run("mount", "--bind", source, target)
  }

  /// Nothing can be written below the folder any more.
  func mountReadOnly(_ folder: String) throws {
    try mount(folder, on: folder)
    try run("mount", "-o", "remount,bind,ro", folder)
  }

  /// A new, empty file system.
  func mountNew(on target: String, size: String = "64m") throws {
    try run("mount", "-t", "tmpfs", "-o", "size=\(size)", "tmpfs", target)
  }

  /// A new, empty drive with this file system, whose bytes are in `image`.
  func mountDrive(_ image: String, _ type: String, on target: String) throws {
    try run("truncate", "--size=128M", image)
    try run("mkfs.\(type)", "-q", image)
    try run("mount", "-o", "loop", image, target)
  }

  /// Runs a program of the file system's own.
  func btrfs(_ words: String...) throws { try run(["btrfs"] + words) }

  /// Takes all the room that there is with one file, whose path `path` gave.
  func fill(_ filler: String) throws {
    let written = try TestSupport.run("sh", ["-c", "cat /dev/zero > '\(filler)'"])
    try #require(written.status != 0 && written.errors.contains("No space"))
  }

  func remount(_ target: String, _ option: String) throws {
    try run("mount", "-o", "remount,\(option)", target)
  }

  /// - Parameter lazily: even where somebody has something in there open.
  func unmount(_ target: String, lazily: Bool = false) throws {
    if lazily { return try run("umount", "--lazy", target) }
    // The daemon may have a look or a second reading under way, for a moment.
    let isDone = try happensInTime {
      do {
        try run("umount", "--no-canonicalize", target)
      } catch let error as MountError where error.message.contains("busy") {
        return false
      }
      return true
    }
    try #require(isDone, "\(target) is held")
  }

  private func run(_ words: String...) throws { try run(words) }

  private func run(_ words: [String]) throws {
    let all = prefix + words
    // What it says is understood here, so it is said in one language.
    let result = try TestSupport.run(all[0], Array(all.dropFirst()), environment: ["LC_ALL": "C"])
    if result.status != 0 { throw MountError(message: "\(words): \(result.errors)") }
  }
}

/// What mount or umount said.
struct MountError: Error, CustomStringConvertible {
  var message: String

  var description: String { message }
}
