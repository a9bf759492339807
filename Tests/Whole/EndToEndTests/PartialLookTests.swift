import CratesInterface
import Glibc
import ProgramSupport
import TestSupport
import Testing

/// What the kernel refuses to show is not taken for gone.
@Suite("Folders that can be read in part only", .serialized, .limited)
struct PartialLookTests {
  enum Fault: CaseIterable {
    /// A directory's listing breaks off, and fails.
    case brokenListing, failedListing
    /// The directory, or the files in it, can't be opened.
    case refusedOpening

    /// For strace: the system call, its error, and which of its calls on the folder fail.
    var injection: String {
      switch self {
      // The first look takes two calls, the second one breaks off.
      case .brokenListing: "getdents64:error=EIO:when=4+2"
      case .failedListing: "getdents64:error=EIO:when=3+"
      case .refusedOpening: "openat:error=EACCES:when=2+"
      }
    }
  }

  @Test(
    "An I/O error or a refusal makes nothing gone, is told, and leaves no trace",
    arguments: Fault.allCases)
  func faults(_ fault: Fault) throws {
    let home = try Home()
    try copy(try SampleMusic.albums([.mp3, .flac, .ogg]), to: "\(home.music)/Here")
    let folder = "\(home.music)/Here/Album flac"
    var session = try Session(home)
    try session.client.move(albums: [try session.client.album("Album flac").id], .top)
    let flac = try session.client.album("Album flac").id
    let songs = try session.client.songs().filter { $0.album == flac }.map(\.id)
    try session.client.move(songs: [songs[2]], .top)
    let order = try session.client.order()
    let sequence = try session.client.status().sequence
    try session.stop()

    let trace = home.folder.path("trace")
    let words = ["strace", "-D", "-f", "-qq", "-o", trace, "-P", folder]
    let faulty = try Home(
      folder: home.folder,
      prefix: words + ["-e", "trace=getdents64,openat", "-e", "inject=\(fault.injection)"])
    session = try Session(faulty)
    for _ in 0..<3 {
      // News, so that the folder is looked at; a file of another program's.
      try writeFile([], to: "\(folder)/notes.txt")
      try session.client.ask(.rescan(path: nil))
      expectSame(try session.client.order(), order, "\(fault)")
      let status = try session.client.status()
      #expect(status.gone == 0)
      #expect(status.sequence == sequence)
    }
    guard case .problems(let problems) = try session.client.ask(.problems) else { return }
    #expect(problems.contains { $0.path?.hasPrefix(folder) == true }, "\(problems)")
    try session.stop()
    let log = String(decoding: try readFile(trace), as: UTF8.self)
    #expect(log.contains("(INJECTED)"), "\(log)")

    session = try Session(home)
    expectSame(try session.client.order(), order)
    #expect(try session.client.status().sequence == sequence)
    #expect(try session.client.songs().allSatisfy { $0.presence == .present })
    #expect(try home.problems().isEmpty)
    try session.stop()
  }
}
