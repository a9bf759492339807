import Glibc
import LibraryModel

/// The messages for the user about a file: what is wrong, and what to do.
extension FileProblem {
  static func of(_ status: ReaderStatus, errorNumber: Int32) -> FileProblem {
    switch status {
    case .empty:
      FileProblem(.unreadable, "The file is empty; copy it again from where it came from.")
    case .unknown:
      FileProblem(
        .unreadable,
        "TagLib found no audio in this file; check that it plays, or copy it again.")
    case .damaged:
      FileProblem(
        .unreadable, "The file is damaged or cut off; check that it plays, or copy it again.")
    case .tooLarge:
      FileProblem(
        .unreadable,
        "The file's tags are larger than any song's; remove large pictures from them.")
    case .diskError:
      FileProblem(
        errorNumber == EACCES || errorNumber == EPERM ? .permission : .unreadable,
        "The file could not be read (\(String(cString: strerror(errorNumber)))); "
          + "check the disk it is on.")
    case .unsupported:
      FileProblem(
        .unreadable,
        "\(library(errorNumber)) does not read this format; convert the file, for example to FLAC.")
    case .song, .broken:
      FileProblem(
        .unreadable, "The file's tags are damaged; write them anew with a tag editor.")
    }
  }

  private static func library(_ version: Int32) -> String {
    guard (10_000..<1_000_000).contains(version) else { return "The installed TagLib" }
    let (major, minor, patch) = (version / 10_000, version / 100 % 100, version % 100)
    return "TagLib \(major).\(minor)" + (patch > 0 ? ".\(patch)" : "")
  }

  static let crashed = FileProblem(
    .crashedReader,
    "Reading the file crashed the tag reader twice; it may be damaged: check that it plays, "
      + "or copy it again.")

  static func timedOut(after deadline: Int64) -> FileProblem {
    let seconds = deadline / 1_000_000_000
    return FileProblem(
      .timedOutReader,
      "Reading the file took longer than \(seconds) seconds, twice; it may be damaged or its disk "
        + "slow: check that it plays, or copy it again.")
  }

  static let computedTooLong = FileProblem(
    .timedOutReader,
    "Reading the file took more computing than any song's, twice; it may be damaged: check that it "
      + "plays, or copy it again.")

  static let nonsense = FileProblem(
    .unreadable,
    "The tag reader gave answers without sense about the file, twice; it may be damaged: check "
      + "that it plays, or copy it again.")

  static let hangs = FileProblem(
    .timedOutReader,
    "The file can't be read, because the drive or server that it is on hangs; it is read again when"
      + " that answers.")

  static let interrupted = FileProblem(
    .unreadable, "Reading stopped because crated is stopping; the next start reads the file.")

  static func notStarted(_ failure: String) -> FileProblem {
    FileProblem(.unreadable, failure)
  }
}
