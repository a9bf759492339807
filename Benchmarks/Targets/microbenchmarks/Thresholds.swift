/// What the parts may take, in microseconds.
enum Threshold {
  // What `make bench` promises of whole answers bounds their parts.

  /// An edit may take so much beside the disk.
  static let edit = 200.0
  /// An album's songs may take so much, from socket to socket.
  static let listedAlbum = 150.0
  static let search12k = 2_000.0
  static let search100k = 4_000.0
  /// How much longer a change in memory may take where there are so many more songs.
  static let growth = 2.0

  // The rest is there to notice what becomes slow by a factor: some four times what a shared
  // machine with two processors took when these were written.

  static let arrival = 400.0
  static let encodedSongs = 150.0
  static let decodedCall = 30.0
  // For each song, where everything has to be touched.
  static let journalOfSong = 28.0
  static let snapshotOfSong = 14.0
  static let parsedSnapshotOfSong = 20.0
  static let checkpointOfSong = 16.0
  static let listedAlbumsOfSong = 2.0
}
