import Glibc
import ProgramSupport
import TestSupport
import Testing

/// Small libraries under the tools that people have; see `scripts/torture`. What they may become is
/// worked out there, by sound, and with no code of ours.
@Suite("Real tools", .limited)
struct RealToolTests {
  @Test(
    "Lives under taggers, converters and movers lose no place; at night by every kind of action"
  )
  func lives() throws {
    let folder = try TemporaryFolder()
    let programs = String(try Home.program("crated").dropLast("/crated".count))
    let torture = Repository.path("scripts/torture/torture.py")
    // Cut off before the test's own time limit is, the lives still say how far they came.
    let limit = "\(14 * Patience.seconds)"
    let words =
      [
        "--kill-after=5", limit, "/usr/bin/python3", "-B", torture, "--programs", programs,
        "--scratch", folder.path, "--reports", folder.path,
        "--seed", "50", "--shrink", "240", "--verbose",
      ] + (Effort.isNightly ? ["--lives", "6", "--every-kind"] : ["--lives", "1"])
    let result = try run("timeout", words)
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    // What needs root is left out where it is missing, and that is said.
    print(result.output.split(separator: "\n").suffix(3).joined(separator: "\n"))
  }
}
