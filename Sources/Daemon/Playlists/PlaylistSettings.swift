package import LibraryModel

/// The directory and the names of the playlists, and whether players may edit crates through them.
package struct PlaylistSettings: Hashable, Sendable {
  package var directory: BytePath
  /// The directory of the records and backups, which is made if it is missing.
  package var state: BytePath
  package var ending: PlaylistEnding
  /// Whether a change of a list by a player is an edit of its crate.
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

/// The ending of playlists' names.
package enum PlaylistEnding: String, Sendable, CaseIterable {
  case m3u8
  /// The only ending of MPD's own playlists.
  case m3u

  var suffix: String { "." + rawValue }
}
