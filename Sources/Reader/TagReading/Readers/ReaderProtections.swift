/// The protections that keep a reader, whatever a file does to it, from doing more than answering.
package struct ReaderProtections: OptionSet, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// Landlock: no file can be opened or changed.
  package static let landlock = Self(rawValue: 1)
  /// seccomp: hardly any system call is left.
  package static let systemCalls = Self(rawValue: 2)
  /// A limit on memory.
  package static let memory = Self(rawValue: 4)

  /// The warnings for the user about missing protections, one sentence each.
  package var warnings: [String] {
    var warnings: [String] = []
    if contains(.landlock) {
      warnings.append(
        "the tag readers run without Landlock, which Linux has from 5.13 on: a file made to break "
          + "into them finds your files open, as far as seccomp lets it")
    }
    if contains(.systemCalls) {
      warnings.append(
        "the tag readers run without seccomp, which this system lacks: a file made to break into "
          + "them may use every system call")
    }
    if contains(.memory) {
      warnings.append("the tag readers run without a limit on memory")
    }
    return warnings
  }
}
