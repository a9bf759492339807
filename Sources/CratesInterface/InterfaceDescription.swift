extension Interface {
  /// The text of Documentation/org.crated.Crates.varlink, which a test compares.
  package static let description = #"""
    # A person's music in crates, in the order that person chose.
    # The music folder decides what is there; the person decides where it goes.
    #
    # Clients must accept fields, enumeration values and errors that they don't know.
    # Every id may be abbreviated to an unambiguous prefix of four characters or more.
    # Positions count from 1, over what is listed. Times are RFC 3339 in UTC. Durations are \#
    seconds.
    # A method that changes something answers when the change is durable: it survives kill -9 \#
    and power loss.
    # Its optional sequence is the one the client last saw: Outdated if the library has changed \#
    since.
    # Listings carry the sequence they show. Called with "more" they stream in batches of one \#
    snapshot, 256 KiB at most each;
    # without it they answer once, or with org.varlink.service.ExpectedMore if that would be \#
    over 8 MiB. first (from 1) and count give a window.
    interface org.crated.Crates

    # present: its file is there. offline: its music folder or mount is away. gone: its file is \#
    away, its place is kept.
    type Presence (present, offline, gone)

    # Counts and seconds are over what is listed: present and offline songs.
    type Crate (
      name: string,
      position: ?int,
      albums: int,
      songs: int,
      seconds: float
    )

    # presence: present if a song is, else offline if one is, else gone.
    type Album (
      id: string,
      crate: string,
      position: ?int,
      title: string,
      artist: string,
      # the earliest year its songs' tags give
      year: ?int,
      songs: int,
      seconds: float,
      added: string,
      # the person put its songs in an order of their own
      arranged: bool,
      presence: Presence
    )

    type Song (
      id: string,
      album: string,
      albumTitle: string,
      albumArtist: string,
      crate: string,
      position: ?int,
      title: string,
      artist: string,
      disc: ?int,
      track: ?int,
      # 0 where the file doesn't say
      seconds: float,
      # mp3, flac, m4a, ogg, opus, wav, aiff, wv, ...
      format: string,
      added: string,
      presence: Presence,
      # absolute path, for people: bytes that are not UTF-8 are shown as U+FFFD
      path: string,
      # the exact path as a file: URI, every byte that needs it percent-encoded
      uri: string
    )

    type Where (top, bottom, up, down, before, after)

    # The anchor is needed by before and after, and refused otherwise.
    type Place (where: Where, anchor: ?string)

    type AlbumOrder (added, released, artist, title, reversed, shuffled)
    type SongOrder (track, added, title, reversed, shuffled)

    # person: a call on this interface, an edit, an undo. folder: a merge of what the music \#
    folder says.
    type Author (person, folder)

    # What one durable change did. changed is false where there was nothing to do; nothing was \#
    written then.
    type Change (
      changed: bool,
      # the library's sequence number after it; grows with every change
      sequence: int,
      time: string,
      author: Author,
      # one line for people, in the words of the command line, such as: move album bkqv7m2a to \#
    top of Jazz
      summary: string,
      # what else people should know: lines put back, evidence by which songs were recognised
      notes: []string,
      # ids (names of crates) that were added, moved, retagged, gone, returned or renamed, at \#
    most 1000 of each
      albums: []string,
      songs: []string,
      crates: []string,
      # false where the lists were cut or changes were left out: read again
      complete: bool
    )

    type FolderState (watching, polling, offline)

    type MusicFolder (
      path: string,
      state: FolderState,
      # why it is polled or offline, and what to do about it
      reason: ?string,
      directories: int,
      songs: int,
      # while a full look runs: songs read so far, and found to be read
      scanned: ?int,
      toScan: ?int
    )

    # ready: all is well. full: the disk is full; changes are refused until there is room. \#
    readOnly: changes are refused; the reason says why.
    type StoreState (ready, full, readOnly)

    type LibraryStatus (
      version: string,
      pid: int,
      started: string,
      sequence: int,
      folders: []MusicFolder,
      store: StoreState,
      storeReason: ?string,
      storePath: string,
      crates: int,
      albums: int,
      songs: int,
      # songs that are gone and keep their places
      gone: int,
      problems: int,
      # protections this system lacks, and the like
      warnings: []string
    )

    type ProblemKind (unreadable, crashedReader, timedOutReader, duplicate, skippedFolder, \#
    permission, watchLimit, damagedStore, playlist)

    type Problem (kind: ProblemKind, path: ?string, uri: ?string, message: string, since: string)

    method Status() -> (status: LibraryStatus)

    method ListCrates() -> (crates: []Crate, sequence: int)

    # The albums of one crate, or of all crates, in order.
    method ListAlbums(crate: ?string, gone: ?bool, first: ?int, count: ?int) -> (albums: \#
    []Album, sequence: int)

    # The songs of one album, of one crate, or of all crates, in order.
    method ListSongs(crate: ?string, album: ?string, gone: ?bool, first: ?int, count: ?int) -> \#
    (songs: []Song, sequence: int)

    # Albums and songs in which every word of the query begins a word of the artist, album or \#
    title, whatever the case and accents; the best first.
    # artist:, album:, title:, year: and path: confine a word to that field; "quotes" make a \#
    phrase. No query is an error.
    method Search(query: string, limit: ?int) -> (albums: []Album, songs: []Song, sequence: int)

    # With a crate, the albums go there; one that does not exist comes into being. No albums, \#
    or neither place nor crate: InvalidParameter.
    method MoveAlbums(albums: []string, place: ?Place, crate: ?string, sequence: ?int) -> \#
    (change: Change)
    method MoveSongs(songs: []string, place: Place, sequence: ?int) -> (change: Change)
    method MoveCrate(crate: string, place: Place, sequence: ?int) -> (change: Change)
    method RenameCrate(crate: string, name: string, sequence: ?int) -> (change: Change)
    method SortAlbums(albums: []string, order: AlbumOrder, sequence: ?int) -> (change: Change)
    method SortSongs(songs: []string, order: SongOrder, sequence: ?int) -> (change: Change)

    # The order as text, of all crates or of one, and the sequence number it was read at; \#
    ApplyText merges an edited text with what changed since.
    method ReadText(crate: ?string) -> (text: string, sequence: int)
    method ApplyText(text: string, sequence: int, crate: ?string) -> (change: Change)

    method Undo(sequence: ?int) -> (change: Change)
    method Redo(sequence: ?int) -> (change: Change)

    # The newest first; before gives the changes with a smaller sequence number.
    method History(limit: ?int, before: ?int) -> (changes: []Change)

    # Drops the places that gone songs hold: of these songs or albums, or of all. Offline ones \#
    only when named.
    method Forget(songs: ?[]string, albums: ?[]string, all: ?bool, sequence: ?int) -> (change: \#
    Change)

    # Needs "more". The first reply comes at once, with changed = false and the present \#
    sequence; then one for each change, in order, from since or from now on.
    # A subscriber that falls behind gets one reply with complete = false: read again.
    method Watch(since: ?int) -> (change: Change)

    # Answers when everything that happened in the music folders before the call has been \#
    merged. With "more": progress first.
    # While the store takes no changes: ChangesRefused.
    method Sync() -> (sequence: int, scanned: ?int, toScan: ?int)

    # Looks at the folders again, all or below one path (a file: URI or an absolute path), and \#
    answers at the end. With "more": progress first.
    # Naming an offline music folder whose root is another one accepts what is there now.
    # While the store takes no changes: ChangesRefused.
    method Rescan(path: ?string) -> (sequence: int, scanned: ?int, toScan: ?int)

    method Problems() -> (problems: []Problem)

    # The cover of an album: the embedded picture of its first song that has one, else cover, \#
    folder or front in its album folder.
    method Artwork(album: string) -> (mimeType: string, base64: string)

    error NoSuchCrate (name: string)
    error NoSuchAlbum (id: string)
    error NoSuchSong (id: string)
    error AmbiguousId (id: string, matches: []string)
    error NotOneAlbum (songs: []string)
    error InvalidPlace (reason: string)
    error CrateExists (name: string)
    error InvalidName (name: string, reason: string)
    error NothingToUndo ()
    error NothingToRedo ()
    error EditRejected (line: int, reason: string)
    error NoArtwork (album: string)
    error NoSuchPath (path: string)
    error Outdated (sequence: int)
    # Nothing was changed; the reason says why and what to do.
    error ChangesRefused (reason: string)
    # It can't be known whether the change reached the disk; after a restart it is there wholly \#
    or not at all.
    error OutcomeUnknown (reason: string)
    error TooManyClients (limit: int)

    """#
}
