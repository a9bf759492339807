import Testing

/// The entry point of the tests. SwiftPM's own would look for tests of XCTest, of which there are
/// none, in an index of all sources, whose writing is a tenth of a build.
@main struct Tests {
  static func main() async { await Testing.__swiftPMEntryPoint() as Never }
}
