package import LibraryModel

/// Where playlists lie, how they are called, and whether players may edit crates by them.
package struct PlaylistSettings: Hashable, Sendable {
  package var directory: BytePath
  /// The directory of `PlaylistRecords`, which is made if it is missing.
  package var state: BytePath
  package var ending: PlaylistEnding
  /// Whether what players make of the lists is an edit, and is never written over before that.
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
