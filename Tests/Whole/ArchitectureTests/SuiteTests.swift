import TestSupport
import Testing

@Suite("Suites", .limited)
struct SuiteTests {
  @Test("Every test is in a suite, and every suite has a time limit")
  func limits() {
    for file in Repository.swiftFiles where file.isTest {
      let suites = file.places(of: /@Suite\b/)
      let tests = file.places(of: /@Test\b/)
      #expect(tests.isEmpty || !suites.isEmpty, "\(file.path) has tests outside of a suite")
      let limits = file.places(of: /\.limited\b/)
      #expect(limits.count == suites.count, "\(file.path): add .limited to @Suite")
    }
  }
}
