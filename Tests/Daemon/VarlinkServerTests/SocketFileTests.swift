import Glibc
import Platform
import TestSupport
import Testing

@testable import VarlinkServer

@Suite("The file of the socket", .limited)
struct SocketFileTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path + "/socket" }

  init() throws { folder = try TemporaryFolder() }

  /// Listens and stops again; why it could not.
  private func refusal(at path: String) -> ServerError? {
    do throws(ServerError) {
      let (file, socket) = try SocketFile.listen(at: path, backlog: 5)
      close(socket)
      file.remove()
      return nil
    } catch {
      return error
    }
  }

  private func exists(_ path: String) -> Bool {
    var found = stat()
    return lstat(path, &found) == 0
  }

  @Test(
    "a path lies in the directory before its last slash",
    arguments: [
      ("/socket", "/"), ("/run/socket", "/run"), ("/run/user/socket", "/run/user"),
      ("run/socket", "run"), ("socket", "."),
    ])
  func directory(path: String, directory: String) {
    #expect(SocketFile.directory(of: path) == directory)
  }

  @Test("a user leaves sockets in directories of their own and of root")
  func trust() {
    #expect(SocketFile.isTrusted(owner: 1_000, by: 1_000))
    #expect(SocketFile.isTrusted(owner: 0, by: 1_000))
    #expect(SocketFile.isTrusted(owner: 0, by: 0))
    #expect(!SocketFile.isTrusted(owner: 1, by: 1_000))
    #expect(!SocketFile.isTrusted(owner: 1_001, by: 1_000))
    #expect(!SocketFile.isTrusted(owner: 1_000, by: 0))
  }

  @Test("a file with the name that the socket has for a moment is left alone")
  func occupiedForAMoment() {
    close(open(path + ".new", O_CREAT | O_WRONLY, 0o644))
    guard case .occupied(let occupied) = refusal(at: path) else {
      Issue.record("it was not refused")
      return
    }
    #expect(occupied == path + ".new")
    #expect(exists(path + ".new") && !exists(path))
  }

  @Test("a directory that is a file, or a link to nowhere, is refused")
  func noDirectory() {
    close(open("\(folder.path)/file", O_CREAT | O_WRONLY, 0o644))
    symlink("nowhere", "\(folder.path)/link")
    for (name, call, code) in [("file", "open", ENOTDIR), ("link", "stat", ENOENT)] {
      guard case .systemCall(let error) = refusal(at: "\(folder.path)/\(name)/socket") else {
        Issue.record("\(name) was not refused")
        continue
      }
      #expect((error.call, error.code) == (call, code))
    }
  }

  @Test(
    "whoever else may write into the directory, it is refused, unless nobody may take out",
    arguments: [
      (0o700, true), (0o755, true), (0o720, false), (0o702, false), (0o777, false), (0o1777, true),
    ] as [(UInt32, Bool)])
  func openDirectory(mode: UInt32, isTaken: Bool) {
    chmod(folder.path, mode)
    let refusal = refusal(at: path)
    chmod(folder.path, 0o700)
    if isTaken {
      #expect(refusal == nil)
    } else if case .directoryOpenToOthers(folder.path) = refusal {
    } else {
      Issue.record("it was not refused")
    }
  }

  @Test("so it is where they may write into the one above, also before the directory is made")
  func openAbove() throws {
    let inner = folder.path("crated")
    for isThere in [false, true] {
      if isThere { try #require(mkdir(inner, 0o700) == 0) }
      for (mode, isTaken) in [(0o777, false), (0o770, false), (0o1777, true), (0o755, true)] {
        chmod(folder.path, mode_t(mode))
        let refusal = refusal(at: "\(inner)/socket")
        chmod(folder.path, 0o700)
        if isTaken {
          #expect(refusal == nil)
        } else {
          guard case .directoryOpenToOthers(folder.path) = refusal else {
            Issue.record("mode \(String(mode, radix: 8)) was not refused")
            continue
          }
        }
        if !isThere { rmdir(inner) }
      }
    }
  }

  @Test("a daemon that is too busy to accept anyone answers there all the same")
  func busy() throws {
    let (_, listening) = try RawListener.make(at: path, backlog: 0)
    defer { close(listening) }
    var connected: [Int32] = []
    defer { for descriptor in connected { close(descriptor) } }
    while connected.count < 100, let next = try? RawListener.connect(to: path) {
      connected.append(next)
    }
    #expect(connected.count < 100)
    guard case .answering = refusal(at: path) else {
      Issue.record("the second one listens")
      return
    }
  }

  @Test("a socket that another one has taken the place of is not there, and not removed")
  func replaced() throws {
    let (file, socket) = try SocketFile.listen(at: path, backlog: 5)
    defer { close(socket) }
    #expect(file.isThere)
    let (other, otherSocket) = try RawListener.make(at: path + ".other")
    defer { close(otherSocket) }
    #expect(rename(other, path) == 0)
    #expect(!file.isThere)
    file.remove()
    #expect(exists(path))
    unlink(path)
    #expect(!file.isThere)
  }

  @Test("where the socket can't get its place, nothing is left of it")
  func noPlace() throws {
    let other = path + ".other"
    for name in [path, other] { close(try RawListener.make(at: name).descriptor) }
    // What is mounted there can't be replaced.
    let isMounted = mount(other, path, nil, UInt(MS_BIND), nil) == 0
    try #require(isMounted, "this test mounts: run it as root")
    defer { umount2(path, Int32(MNT_DETACH)) }
    guard case .systemCall(let error) = refusal(at: path) else {
      Issue.record("it was not refused")
      return
    }
    #expect((error.call, error.code) == ("rename", EBUSY))
    #expect(!exists(path + ".new"))
  }

  @Test("of inherited descriptors only a unix socket that listens is taken")
  func adopted() throws {
    let silent = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    let network = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    let (_, listening) = try RawListener.make(at: path)
    defer { for descriptor in [silent, network, listening] { close(descriptor) } }
    // At a port that the kernel chooses.
    #expect(listen(network, 5) == 0)
    for descriptor in [silent, network] {
      guard case .notListening(descriptor) = adoption(of: descriptor) else {
        Issue.record("it was not refused")
        continue
      }
    }
    #expect(adoption(of: listening) == nil)
    #expect(fcntl(listening, F_GETFD) & FD_CLOEXEC != 0)
    #expect(fcntl(listening, F_GETFL) & O_NONBLOCK != 0)
  }

  private func adoption(of descriptor: Int32) -> ServerError? {
    do throws(ServerError) {
      try SocketFile.adopt(descriptor, backlog: 5)
      return nil
    } catch {
      return error
    }
  }
}
