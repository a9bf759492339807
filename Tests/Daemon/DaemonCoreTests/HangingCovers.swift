import LibraryModel
import Platform

@testable import DaemonCore

extension CoverFolder {
  /// Has the folder's thread be with a file, until what is returned is true.
  func hang() -> Monitor<Bool> {
    let (goesOn, hangs) = (Monitor(false), Monitor(false))
    let request = Request.whole { _ in
      hangs.withLock { $0 = true }
      goesOn.wait { $0 ? () : nil }
    }
    find(Job(place: .song(BytePath("/nowhere/none.flac")), request: request))
    hangs.wait { $0 ? () : nil }
    return goesOn
  }
}
