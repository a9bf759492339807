import Glibc
import TestSupport
import Testing

@Suite("Programs that tests start", .limited)
struct ProgramRunTests {
  @Test("has none of the tests' descriptors")
  func descriptors() throws {
    let other = open("/dev/null", O_RDONLY)
    defer { close(other) }
    // ls has the directory open that it lists.
    #expect(try run("ls", ["/proc/self/fd"]).output == "0\n1\n2\n3\n")
  }

  @Test("hear signals, which are blocked in the threads of tests")
  func signals() throws {
    var (blocked, before) = (sigset_t(), sigset_t())
    sigemptyset(&blocked)
    sigaddset(&blocked, SIGTERM)
    pthread_sigmask(SIG_BLOCK, &blocked, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    let ended = try run("sh", ["-c", "kill -TERM $$; echo heard nothing"])
    #expect(ended.status == 128 + SIGTERM && ended.output.isEmpty)

    let folder = try TemporaryFolder()
    let going = try RunningProgram(
      "sh", ["-c", "kill -TERM $$; echo heard nothing"], environment: [:],
      errors: folder.path("errors"))
    #expect(try going.nextLine() == nil)
  }
}
