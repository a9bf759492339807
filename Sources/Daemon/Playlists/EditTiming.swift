package import Platform

/// When an edit of one list is taken, and when the list is written again. Pure: it is told what
/// time it is, in nanoseconds that never jump.
///
/// Players write while we look, some of them in place and some of them song by song; and they move
/// by position, so that a list that is written under somebody's fingers moves the wrong song.
package struct EditTiming: Hashable, Sendable {
  /// For so long a list that ends with its line is as it was, before it is taken.
  package static let still: Int64 = 1_000_000_000
  /// The same where it breaks off: it may not be written to its end, or by a program that never
  /// ends its last line, such as Jellyfin.
  package static let stillUnended: Int64 = 5_000_000_000
  /// After so long, what was emptied or removed is written again; MPD removes a list before it
  /// puts the next one in its place.
  package static let absence: Int64 = 10_000_000_000
  /// Without an edit for so long, the list is written again.
  package static let calm: Int64 = 3_000_000_000
  /// From the first edit, where they don't end.
  package static let longestLag: Int64 = 30_000_000_000

  package enum Form: Hashable, Sendable {
    case ended, unended
    /// No song, or no file.
    case nothing
  }

  private var status: FileStatus?
  private var form: Form?
  private var first = Int64.max
  private var last: Int64?
  /// When what was seen is taken, or written again where it is nothing; `.max` for what is known.
  package private(set) var due = Int64.max

  package init() {}

  /// The list is something else than crated knows.
  ///
  /// - Parameter status: nil where there is none.
  package mutating func see(_ status: FileStatus?, _ form: Form, at now: Int64) {
    if self.form == form, self.status == status { return }
    (self.status, self.form) = (status, form)
    if last.map({ now >= $0 + Self.calm }) ?? true { first = now }
    last = now
    switch form {
    case .ended: due = now + Self.still
    case .unended: due = now + Self.stillUnended
    case .nothing: due = now + Self.absence
    }
  }

  /// What was seen is known by now.
  package mutating func settle() {
    (status, form, due) = (nil, nil, .max)
  }

  /// The time before which the list is not written.
  package var writeDue: Int64 {
    guard let last else { return .min }
    return min(last + Self.calm, first + Self.longestLag)
  }

  package mutating func wrote() { self = EditTiming() }
}
