import Glibc
import LibraryModel
import Platform
import TestSupport
import Testing

@testable import TagReading

@Suite("What files come to, and processes are like", .limited)
struct ReaderOutcomeTests {
  private let outcome = Monitor<[String]>([])
  private let digest = CoverDigest(number: 7)

  private func file(_ wants: ReaderRequest.Wanted) -> FileToRead {
    let request: FileToRead.Request =
      switch wants {
      case .tags: .song { [outcome] found in outcome.withLock { $0.append("\(found)") } }
      case .picture:
        .picture { [outcome] found in
          switch found {
          case .found(let bytes): outcome.withLock { $0.append("found \(bytes)") }
          case .noPicture: outcome.withLock { $0.append("none") }
          case .unknown(let problem): outcome.withLock { $0.append(problem.message) }
          }
        }
      case .thumbnail(let side, let form):
        .thumbnail(side: side, form: form) { [outcome] found in
          switch found {
          case .made(let made, _):
            outcome.withLock { $0.append("made \(made.width) \(made.height)") }
          case .noCover(let digest): outcome.withLock { $0.append("none \(digest != nil)") }
          case .unknown(let problem): outcome.withLock { $0.append(problem.message) }
          }
        }
      }
    return FileToRead(0, request, stamp: stamp(3), pathExtension: "x", ShareID(number: 0))
  }

  private func take() -> [String] {
    outcome.withLock { outcome in
      defer { outcome = [] }
      return outcome
    }
  }

  @Test("A picture that ends its reader is none, and one that can't be read is not known")
  func failures() {
    for problem in [FileProblem.crashed, .computedTooLong, .nonsense] {
      file(.picture).fail(problem)
      file(.thumbnail(side: 16)).fail(problem)
      #expect(take() == ["none", "none false"])
    }
    for problem in [FileProblem.hangs, .interrupted, .timedOut(after: 1), .notStarted("so")] {
      file(.picture).fail(problem)
      file(.thumbnail(side: 16)).fail(problem)
      #expect(take() == [problem.message, problem.message])
    }
    #expect(file(.picture).wants == .picture && file(.tags).wants == .tags)
    for form in Thumbnail.Form.allCases {
      let wants = ReaderRequest.Wanted.thumbnail(side: 20, form: form)
      #expect(file(wants).wants == wants)
      file(wants).fail(.crashed)
      #expect(take() == ["none false"])
    }
  }

  @Test("Pixels are a cover where they have a digest, and no side is longer than was asked for")
  func thumbnails() {
    for (width, height, hasDigest, isMade) in [
      (16, 16, true, true), (16, 9, true, true), (9, 16, true, true), (17, 9, true, false),
      (9, 17, true, false), (16, 16, false, false),
    ] {
      var song = ReaderReply.Song()
      song.thumbnail = Thumbnail(
        width: width, height: height, bytes: [UInt8](repeating: 0, count: width * height * 3))
      song.cover = hasDigest ? digest : nil
      file(.thumbnail(side: 16)).complete(with: .song(song))
      #expect(take() == [isMade ? "made \(width) \(height)" : "none \(hasDigest)"])
    }
    var song = ReaderReply.Song()
    // In the form that was asked for, or not at all.
    song.cover = digest
    for made in Thumbnail.Form.allCases {
      let bytes: [UInt8] = made == .jpeg ? [0xFF, 0xD8, 0xFF, 0xFF, 0xD9] : [1, 2, 3]
      song.thumbnail = Thumbnail(width: 1, height: 1, form: made, bytes: bytes)
      for asked in Thumbnail.Form.allCases {
        file(.thumbnail(side: 16, form: asked)).complete(with: .song(song))
        #expect(take() == [made == asked ? "made 1 1" : "none true"])
      }
    }
    song = ReaderReply.Song()
    file(.thumbnail(side: 16)).complete(with: .song(song))
    file(.picture).complete(with: .song(song))
    song.picture = [1, 2]
    file(.picture).complete(with: .song(song))
    #expect(take() == ["none false", "none", "found [1, 2]"])
    file(.picture).complete(with: .problem(.empty, errorNumber: 0))
    #expect(take().first?.hasPrefix("The file is empty") == true)
  }

  @Test("A disk's error is one of permission or not, and an old TagLib is named by its version")
  func problems() {
    for (number, kind) in [
      (EACCES, FileProblem.Kind.permission), (EPERM, .permission), (EIO, .unreadable),
      (0, .unreadable),
    ] {
      #expect(FileProblem.of(.diskError, errorNumber: number).kind == kind)
    }
    for (version, name) in [
      (11_300, "TagLib 1.13"), (11_301, "TagLib 1.13.1"), (11_399, "TagLib 1.13.99"),
      (19_902, "TagLib 1.99.2"), (10_000, "TagLib 1.0"), (999_999, "TagLib 99.99.99"),
      (9_999, "The installed TagLib"), (1_000_000, "The installed TagLib"),
      (20_105, "TagLib 2.1.5"), (-1, "The installed TagLib"),
    ] as [(Int32, String)] {
      let message = FileProblem.of(.unsupported, errorNumber: version).message
      #expect(message.hasPrefix("\(name) does not read"), "\(message)")
    }
    #expect(FileProblem.timedOut(after: 5_000_000_000).message.contains(" 5 seconds"))
  }

  @Test("A process's state and its time are read behind its name, whatever that is")
  func processes() throws {
    func status(_ text: String) -> ProcessStatus? {
      ProcessStatus(Array(text.utf8)[...], ticksPerSecond: 100)
    }
    let rest = "1 2 3 4 5 6 7 8 9 10"
    for (text, isInCall, computed) in [
      ("7 (a) D \(rest) 30 4 9 9\n", true, 340_000_000),
      ("7 (D) S \(rest) 0 0 9\n", false, 0),
      ("7 (a) D) x) R \(rest) 100 7 9\n", false, 1_070_000_000),
      ("7 (a) DD \(rest) 1 1", false, 20_000_000), ("7 () D \(rest) 1 2", true, 30_000_000),
    ] as [(String, Bool, Int64)] {
      let found = try #require(status(text), "\(text)")
      #expect(found.isInCall == isInCall && found.computed == computed, "\(text)")
    }
    for text in ["", "7", "7 (a", "7 (a)", "7 (a) D \(rest) 1\n", "7 (a) D \(rest)"] {
      #expect(status(text) == nil, "\(text)")
    }
    let own = try #require(ProcessStatus(getpid()))
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    #expect(!own.isInCall && own.computed <= (Int64(time.tv_sec) + 2) * 1_000_000_000)
    #expect(own.computed > 0)
    #expect(ProcessStatus(.max) == nil)
  }

  @Test("One that was ended is looked at often at first, and seldom later")
  func leaving() {
    let reader = LeavingReader(process: getpid(), share: nil, since: 1_000, wasLate: false)
    for (later, wait) in [
      (0, 10_000_000), (40_000_000, 10_000_000), (40_000_004, 10_000_001),
      (4_000_000_000, 1_000_000_000), (20_000_000_000, 5_000_000_000),
      (20_000_000_004, 5_000_000_000), (90_000_000_000, 5_000_000_000),
    ] as [(Int64, Int64)] {
      #expect(reader.nextLook(1_000 + later) == wait)
    }
    // This process is in no call that it can't leave.
    #expect(!reader.isStuck(1_000 + 5, after: 5) && !reader.isStuck(.max, after: 5))
  }
}
