package import LibraryModel

/// What is wanted of playlists: where, how they are called, and whether players may edit crates by
/// them.
package struct PlaylistWish: Hashable, Sendable {
  package var directory: BytePath
  /// Where it is remembered what was written; made where it is not there.
  package var state: BytePath
  package var ending: PlaylistEnding
  /// Whether what players make of the lists is offered as edits, and never written over unseen.
  package var takesEdits: Bool

  package init(
    directory: BytePath, state: BytePath, ending: PlaylistEnding = .m3u8, takesEdits: Bool = false
  ) {
    self.directory = directory
    self.state = state
    self.ending = ending
    self.takesEdits = takesEdits
  }
}

/// What a playlist's name ends in.
package enum PlaylistEnding: String, Sendable, CaseIterable {
  case m3u8
  /// The only one that MPD takes for its own playlists.
  case m3u

  var suffix: String { "." + rawValue }
}
