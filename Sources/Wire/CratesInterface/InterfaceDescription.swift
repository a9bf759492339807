extension Interface {
  /// The text of org.crated.Crates.varlink. A test checks that the two are equal.
  package static let description = #"""
    # A person's music in crates, in the order that person chose.
    # The music folder decides what is there; the person decides where it goes.
    #
    # Clients must accept fields, enumeration values and errors that they don't know. A server \#
    refuses parameters that it doesn't know (InvalidParameter),
    # so a client learns what is missing by asking; an absent parameter always means what the \#
    first edition did.
    # Every id may be abbreviated to an unambiguous prefix of four characters or more.
    # Positions count from 1, over what is listed. Times are RFC 3339 in UTC. Durations are seconds.
    # A method that changes something answers when the change is durable: it survives kill -9 and \#
    power loss.
    # Its optional sequence is the one the client last saw: Outdated if the library has changed \#
    since.
    # Listings carry the sequence they show. Called with "more" they stream in batches of one \#
    snapshot, 256 KiB at most each;
    # without it they answer once, or with org.varlink.service.ExpectedMore if that would be over \#
    8 MiB. first (from 1) and count give a window.
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
      presence: Presence,
      # the person moved it: false for what still stands where it came in, or was put back by undo
      moved: bool,
      # the sequence at which it came
      came: int,
      # digest of its cover; absent where it has none
      cover: ?string,
      # why these songs are one album, in a sentence: tags, folder, edition
      because: string,
      # the other machine on which the person put it where it stands
      placedBy: ?string
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
      # or the side of a record, counted through all of a set
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
      uri: string,
      year: ?int,
      genre: ?string,
      composer: ?string,
      bitRate: ?int,
      sampleRate: ?int,
      recording: ?string,
      release: ?string,
      # by what it was last recognised, as a sentence
      evidence: ?string
    )

    type Kind (crate, album, song)

    # The fields say which kind of thing, label is how people call it.
    type Thing (crate: ?string, album: ?string, song: ?string, label: string, presence: Presence)

    # A crate's presence is as an album's.
    # what: meant, all of them, in order. candidates: several fit, none is meant. near: nothing \#
    fits; what is spelt alike, best first.
    type Meaning (what: []Thing, candidates: []Thing, near: []Thing)

    # What another program knows of a song, and what it was matched with, by the rules for \#
    importing. song: its id in another library. Matched without song: none, and tried says what was.
    type Wanted (song: ?string, path: ?string, title: ?string, artist: ?string, album: ?string, \#
    albumArtist: ?string, disc: ?int, track: ?int, seconds: ?float, recording: ?string, release: \#
    ?string)
    type Matched (song: ?string, album: ?string, by: ?string, tried: ?string)

    # kept: in the order they have now. given: in the order in which they are named. Absent: kept.
    type Gathering (kept, given)

    # Applied one after the other, each takes the thing out and puts it directly behind after \#
    (the nearest listed predecessor of its new place), else first.
    # crate absent: no longer listed. was: the former name, of a crate that was renamed.
    # A crate that comes into being has a move of its own before its albums'; one without listed \#
    albums goes without one.
    # An album that comes in has its own move before its songs'; one that leaves takes its songs \#
    along.
    type Move (crate: ?string, album: ?string, song: ?string, after: ?string, was: ?string)

    type Where (top, bottom, up, down, before, after)

    # The anchor is needed by before and after, and refused otherwise.
    type Place (where: Where, anchor: ?string)

    type AlbumOrder (added, released, artist, title, reversed, shuffled)
    type SongOrder (track, added, title, reversed, shuffled)

    # person: a call on this interface, an edit, an undo. folder: a merge of what the music \#
    folder says. machine: what the person did on another machine (origin: its name).
    type Author (person, folder, machine)

    # What one durable change did. changed is false where there was nothing to do; nothing was \#
    written then.
    type Change (
      changed: bool,
      # the library's sequence number after it; grows with every change
      sequence: int,
      time: string,
      author: Author,
      # one sentence for people with names and places, the same wherever the change is told, such \#
    as: Blue Train is on top of Jazz
      summary: string,
      # who asked, where it wasn't a plain call: Jazz.m3u, import of mixxxdb.sqlite; 255 bytes at \#
    most, no control characters
      origin: ?string,
      # what moved, in order, at most 1000; with it an order can be followed without reading it \#
    again
      moves: []Move,
      # what else people should know: lines put back, evidence by which songs were recognised; at \#
    most 1000
      notes: []string,
      # ids (names of crates) that were added, moved, retagged, gone, returned or renamed, and \#
    crates in which albums came, left or moved, at most 1000 of each
      # retagged: also where only a title, an artist, a year, a genre or a number is another one
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
      # while a full scan runs: songs read so far, and found to be read
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
      warnings: []string,
      # the crate in which new albums arrive now
      newAlbums: string,
      # what crate(1) needs of the settings
      settingsPath: string,
      playlists: ?string,
      player: ?string,
      mpd: ?string
    )

    type ProblemKind (unreadable, crashedReader, timedOutReader, duplicate, skippedFolder, \#
    permission, watchLimit, damagedStore, playlist, folder, settings, store, machines)

    # others: how many more of this kind are left out after this one.
    type Problem (
      kind: ProblemKind,
      path: ?string,
      uri: ?string,
      message: string,
      since: string,
      others: ?int
    )

    # What the watcher of a music folder heard, did or found: a text for people, which may change.
    type TraceEntry (folder: string, time: string, text: string)

    # A machine that has the same order. here: it is this one. heard: when its file was written \#
    that was read last. elsewhere: how many albums it has that are not here.
    type Machine (name: string, id: string, here: bool, heard: ?string, version: int, elsewhere: \#
    int, problem: ?string)

    # What a shrunk cover is sent as.
    type ThumbnailForm (pixels, jpeg)

    method Status() -> (status: LibraryStatus)

    method ListCrates() -> (crates: []Crate, sequence: int)

    # The albums of one crate, or of all crates, in order.
    # With albums: only these, in library order; ids that resolve to nothing listed are left out \#
    (gone ones come with gone: true), and one that was taken over
    # answers with the album that has it now. total: how many there are without the window.
    method ListAlbums(crate: ?string, albums: ?[]string, gone: ?bool, first: ?int, count: ?int) \#
    -> (albums: []Album, total: int, sequence: int)

    # The songs of one album, of one crate, or of all crates, in order.
    method ListSongs(crate: ?string, album: ?string, songs: ?[]string, gone: ?bool, first: ?int, \#
    count: ?int) -> (songs: []Song, total: int, sequence: int)

    # What people's words mean, by the rules for WHAT in crate(1). words: each a whole WHAT, as \#
    words (name, then positions). wanted: what a name may stand for.
    # Gone things are meant only where nothing listed bears the name. beginning: the last word \#
    may be unfinished (completion); candidates are then all that begin so. count: at most so many \#
    candidates and near ones.
    method Resolve(words: [][]string, wanted: ?[]Kind, beginning: ?bool, count: ?int) -> \#
    (meanings: []Meaning, sequence: int)

    # At most 1,000 a call, answered in the order asked; calls may be pipelined. relativeTo: the \#
    folder of the list. roots: theirs to ours.
    method Match(wanted: []Wanted, relativeTo: ?string, roots: ?[string]string) -> (matched: \#
    []Matched, sequence: int)

    # Albums and songs in which every word of the query begins a word of the artist, album or \#
    title, whatever the case and accents; the best first.
    # Names with whole words come before names whose words only begin so. Songs that match by \#
    nothing but the artist are left out where their album is found by it.
    # artist:, album:, title:, year: (a year or a range), composer:, genre: and path: confine a \#
    word to that field, a dash in front excludes; "quotes" make a phrase.
    # An unknown field is InvalidQuery, and so is year: with anything else behind it; digits, a \#
    colon at the end of a word, and quotes are text.
    method Search(query: string, crate: ?string, limit: ?int) -> (albums: []Album, songs: []Song, \#
    totalAlbums: int, totalSongs: int, sequence: int)

    # dryRun: ?bool, on every method that answers with a change: the change it would be. changed \#
    says whether it would; sequence is the present one;
    # the summary is told with would; nothing is written, and nothing is told to Watch. It is \#
    refused as the real one would be.
    # With a crate, the albums go there; one that does not exist comes into being. No albums, or \#
    neither place nor crate: InvalidParameter.
    method MoveAlbums(albums: []string, place: ?Place, crate: ?string, gather: ?Gathering, \#
    sequence: ?int, dryRun: ?bool) -> (change: Change)
    method MoveSongs(songs: []string, place: Place, gather: ?Gathering, sequence: ?int, dryRun: \#
    ?bool) -> (change: Change)
    method MoveCrate(crate: string, place: Place, sequence: ?int, dryRun: ?bool) -> (change: Change)
    method RenameCrate(crate: string, name: string, sequence: ?int, dryRun: ?bool) -> (change: \#
    Change)
    # ascending absent: the order's own direction (released and added: newest first). Unknown \#
    values are last in both; reversed and shuffled take none.
    method SortAlbums(albums: []string, order: AlbumOrder, ascending: ?bool, sequence: ?int, \#
    dryRun: ?bool) -> (change: Change)
    method SortSongs(songs: []string, order: SongOrder, ascending: ?bool, sequence: ?int, dryRun: \#
    ?bool) -> (change: Change)

    # The order as text, of all crates or of one, and the sequence number it was read at; \#
    ApplyText merges an edited text with what changed since.
    # songs absent: true.
    method ReadText(crate: ?string, album: ?string, songs: ?bool) -> (text: string, sequence: int)
    # crate, album, songs: the scope that ReadText was given; what it excludes isn't meant. \#
    partial: what isn't in the text isn't meant, instead of being put back.
    method ApplyText(text: string, sequence: int, crate: ?string, album: ?string, songs: ?bool, \#
    partial: ?bool, origin: ?string, dryRun: ?bool) -> (change: Change)

    # count steps (1), as one change, or all back to how it was right after change to, \#
    which has to be one of the history. \#
    change: only if that is the one it would take back (with count 1).
    # only: that change of the person's alone, whatever was done since, as a change of its own.
    method Undo(count: ?int, to: ?int, change: ?int, only: ?int, sequence: ?int, dryRun: ?bool) \#
    -> (change: Change)
    method Redo(count: ?int, to: ?int, sequence: ?int, dryRun: ?bool) -> (change: Change)

    # The newest first; before gives the changes with a smaller sequence number. Their moves are \#
    those of crates that were renamed.
    method History(limit: ?int, before: ?int) -> (changes: []Change)

    # Drops the places that gone songs hold: of these songs or albums, or of all. Offline ones \#
    only when named.
    method Forget(songs: ?[]string, albums: ?[]string, folder: ?string, all: ?bool, sequence: \#
    ?int, dryRun: ?bool) -> (change: Change)

    # Needs "more". The first reply comes at once, with changed = false and the present sequence; \#
    then one for each change, in order, from since or from now on.
    # A subscriber that falls behind gets one reply with complete = false: read again.
    method Watch(since: ?int) -> (change: Change)

    # Answers when everything that happened in the music folders before the call has been merged. \#
    With "more": progress first.
    method Sync() -> (sequence: int, scanned: ?int, toScan: ?int)

    # Looks at the folders again, all or below one path (a file: URI or an absolute path), and \#
    answers at the end. With "more": progress first.
    # Naming an offline music folder whose root is another one accepts what is there now.
    method Rescan(path: ?string) -> (sequence: int, scanned: ?int, toScan: ?int)

    method Problems() -> (problems: []Problem)

    # Needs "more". The first reply comes at once, then one when status or problems differ, at \#
    most one a second.
    # problems: absent where they are as before.
    method WatchStatus() -> (status: LibraryStatus, problems: ?[]Problem)

    # The last 512 entries of each music folder, its oldest first: why a file is or is not in the \#
    library.
    method Trace() -> (entries: []TraceEntry)

    # The cover of an album: the embedded picture of its first song that has one, else cover, \#
    folder or front in its album folder.
    method Artwork(album: string) -> (mimeType: string, base64: string)

    # Covers, shrunk to side (16 to 512) and turned upright; decoded where tags are read, in \#
    confinement. With "more": one reply for each album, in the order asked.
    # form: pixels if absent. Each reply has rgb, width × height × 3 bytes in base64, or jpeg, a \#
    JPEG without metadata in base64. No cover: width 0. digest is Album.cover: one that is as \#
    before need not be asked again.
    method Thumbnails(albums: []string, side: int, form: ?ThumbnailForm) -> (album: string, \#
    width: int, height: int, rgb: ?string, digest: ?string, jpeg: ?string)

    # The machines that have the same order, this one first. folder: of their files. share: what \#
    they share; absent where this one shares nothing yet. waiting: a person has to join.
    method Machines() -> (machines: []Machine, folder: ?string, share: ?string, waiting: bool)
    # Takes the order of the other machines; with mine, this machine's order counts everywhere.
    method JoinMachines(mine: ?bool, dryRun: ?bool) -> (change: Change)
    # Removes the file of another machine, by its name or id, and forgets what only that had. It \#
    is back when the machine writes again.
    method DropMachine(machine: string) -> ()

    error NoSuchCrate (name: string)
    error NoSuchAlbum (id: string)
    error NoSuchSong (id: string)
    error AmbiguousId (id: string, matches: []string)
    error NotOneAlbum (songs: []string)
    error InvalidPlace (reason: string)
    error CrateExists (name: string)
    error InvalidName (name: string, reason: string)
    # steps: how many there are, where more were asked for.
    error NothingToUndo (steps: ?int)
    error NothingToRedo (steps: ?int)
    error EditRejected (line: int, reason: string)
    error NoArtwork (album: string)
    error NoSuchPath (path: string)
    error InvalidQuery (word: string, reason: string)
    error NoSuchMachine (name: string)
    error NothingToJoin ()
    error Outdated (sequence: int)
    # Nothing was changed; the reason says why and what to do.
    error ChangesRefused (reason: string)
    # It can't be known whether the change reached the disk; after a restart it is there wholly \#
    or not at all.
    error OutcomeUnknown (reason: string)
    error TooManyClients (limit: int)

    """#
}
