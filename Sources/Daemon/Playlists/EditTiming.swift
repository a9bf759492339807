import Platform

/// Schedules when an edit of a list is offered, and when the list is written again. Pure: times are
/// passed in as monotonic nanoseconds.
///
/// Players may still be writing, some of them in place and some of them song by song. And they move
/// songs by position, so a list that is written while a user edits it moves the wrong song.
struct EditTiming: Hashable, Sendable {
  /// The quiet period of a list that ends with a line feed.
  static let quiet: Int64 = 1_000_000_000
  /// The quiet period of one that doesn't: it may be half written, or by a program that never ends
  /// its last line, such as Jellyfin.
  static let quietUnended: Int64 = 5_000_000_000
  /// The time for which a list is empty or absent before it is written again: MPD removes a list
  /// before it puts the next one in its place.
  static let absence: Int64 = 10_000_000_000
  /// The quiet period before a list is written again.
  static let quietBeforeWrite: Int64 = 3_000_000_000
  /// The longest delay of a write after the first edit, if edits don't end.
  static let longestDelay: Int64 = 30_000_000_000

  enum Form: Hashable, Sendable {
    case ended, unended
    /// A list without songs, or no file.
    case nothing
  }

  private var status: FileStatus?
  private var form: Form?
  private var first = Int64.max
  private var last: Int64?
  /// The time at which the list may be offered, or written again if it is nothing; `.max` for known
  /// contents.
  private(set) var due = Int64.max

  /// Records contents that crated doesn't know.
  ///
  /// - Parameter status: nil if there is no file.
  mutating func see(_ status: FileStatus?, _ form: Form, at now: Int64) {
    if self.form == form, self.status == status { return }
    (self.status, self.form) = (status, form)
    if last.map({ now >= $0 + Self.quietBeforeWrite }) ?? true { first = now }
    last = now
    switch form {
    case .ended: due = now + Self.quiet
    case .unended: due = now + Self.quietUnended
    case .nothing: due = now + Self.absence
    }
  }

  /// Forgets the contents: they are known now. The quiet period before a write goes on.
  mutating func forget() {
    (status, form, due) = (nil, nil, .max)
  }

  /// The time before which the list is not written.
  var writeDue: Int64 {
    guard let last else { return .min }
    return min(last + Self.quietBeforeWrite, first + Self.longestDelay)
  }
}
