import LibraryModel
import TestSupport

/// Files that say all that crated reads, in the words that taggers use for it in each kind of tag.
enum FullTags {
  /// Where the words are.
  enum Kind: String, CaseIterable, Sendable {
    case id3v24, id3v23, vorbis, mp4, ape, asf
  }

  /// What they say.
  static func tags(in kind: Kind) -> SongTags {
    var tags = whole
    if kind == .id3v23 {
      // Has no form for several values, and none for a day that is not that of the recording.
      tags.artist = "Mirja Halonen/Ville Ranta"
      tags.composer = "O. Brandt/Å. Ek"
      tags.genre = "Folk/Jazz"
      tags.originalDate = "1999"
    } else if kind == .asf {
      // mutagen writes a second value where the file has it before the first.
      tags.composer = "Å. Ek; O. Brandt"
      tags.genre = "Jazz; Folk"
    }
    return tags
  }

  private static var whole: SongTags {
    var tags = SongTags()
    tags.title = "Käärme — 蛇 🐍"
    tags.artist = "Mirja Halonen; Ville Ranta"
    tags.album = "Kesäyö"
    tags.albumArtist = "Various Artists"
    tags.composer = "O. Brandt; Å. Ek"
    tags.genre = "Folk; Jazz"
    tags.date = "2011-06-24"
    tags.originalDate = "1999-05-04"
    (tags.disc, tags.discTotal) = (2, 3)
    (tags.track, tags.trackTotal) = (3, 12)
    tags.isCompilation = true
    tags.titleSort = "Kaarme"
    tags.artistSort = "Halonen, Mirja"
    tags.albumSort = "Kesayo"
    tags.albumArtistSort = "Various"
    tags.recording = "f3b1c9a2-0000-4000-8000-000000000001"
    tags.release = "f3b1c9a2-0000-4000-8000-000000000002"
    tags.releaseArtist = "89ad4ac3-39f7-470e-963a-56509c546377"
    return tags
  }

  /// Writes them into a file that has none, by mutagen.
  static func write(_ kind: Kind, to path: String) throws {
    let result = try run("/usr/bin/python3", ["-c", script, "\(kind)", path])
    if result.status != 0 { throw TaggerError(message: result.errors) }
  }

  private static let script = """
    import sys
    import mutagen
    from mutagen import apev2, asf, id3, mp4

    TITLE, ALBUM, ALBUM_ARTIST = "Käärme — 蛇 🐍", "Kesäyö", "Various Artists"
    ARTISTS, COMPOSERS = ["Mirja Halonen", "Ville Ranta"], ["O. Brandt", "Å. Ek"]
    GENRES, DATE, ORIGINAL = ["Folk", "Jazz"], "2011-06-24", "1999-05-04"
    SORTS = ["Kaarme", "Halonen, Mirja", "Kesayo", "Various"]
    IDS = ["f3b1c9a2-0000-4000-8000-000000000001", "f3b1c9a2-0000-4000-8000-000000000002",
        "89ad4ac3-39f7-470e-963a-56509c546377"]

    def write_id3(path, version):
        # mutagen has no tags for bare AAC, but writes them into any file.
        is_bare = path.endswith(".aac")
        audio = id3.ID3() if is_bare else mutagen.File(path)
        if not is_bare and audio.tags is None:
            audio.add_tags()
        tags = audio if is_bare else audio.tags
        texts = {"TIT2": TITLE, "TPE1": ARTISTS, "TALB": ALBUM, "TPE2": ALBUM_ARTIST,
            "TCOM": COMPOSERS, "TCON": GENRES, "TDRC": DATE, "TDOR": ORIGINAL, "TPOS": "2/3",
            "TRCK": "3/12", "TCMP": "1"}
        for key, text in texts.items():
            tags.add(getattr(id3, key)(encoding=3, text=text))
        tags.add(id3.UFID(owner="http://musicbrainz.org", data=IDS[0].encode()))
        tags.add(id3.UFID(owner="http://example.org", data=b"another"))
        for key, text in zip(["Album Id", "Album Artist Id"], IDS[1:]):
            tags.add(id3.TXXX(encoding=3, desc="MusicBrainz " + key, text=text))
        if version == 3:
            tags.update_to_v23()
        # Not in version 2.3, but written there by iTunes and others.
        for key, text in zip(["TSOT", "TSOP", "TSOA", "TSO2"], SORTS):
            tags.add(getattr(id3, key)(encoding=3, text=text))
        has_end = is_bare or path.endswith(".mp3")
        audio.save(path, v2_version=version, **({"v1": 0} if has_end else {}))

    def write_vorbis(path):
        audio = mutagen.File(path)
        audio.delete()
        audio.tags.update({
            "title": TITLE, "ARTIST": ARTISTS, "Album": ALBUM, "ALBUMARTIST": ALBUM_ARTIST,
            "COMPOSER": COMPOSERS, "GENRE": GENRES, "DATE": DATE, "ORIGINALDATE": ORIGINAL,
            "ORIGINALYEAR": "1998", "DISCNUMBER": "2", "DISCTOTAL": "3", "TRACKNUMBER": "03",
            "TOTALTRACKS": "12", "COMPILATION": "1", "TITLESORT": SORTS[0],
            "ARTISTSORT": SORTS[1], "ALBUMSORT": SORTS[2], "ALBUMARTISTSORT": SORTS[3],
            "MUSICBRAINZ_TRACKID": IDS[0], "MUSICBRAINZ_ALBUMID": IDS[1],
            "MUSICBRAINZ_ALBUMARTISTID": IDS[2]})
        audio.save()

    def write_mp4(path):
        audio = mp4.MP4(path)
        audio.tags.clear()
        audio.tags.update({
            "\\u00a9nam": [TITLE], "\\u00a9ART": ARTISTS, "\\u00a9alb": [ALBUM],
            "aART": [ALBUM_ARTIST], "\\u00a9wrt": COMPOSERS, "\\u00a9gen": GENRES,
            "\\u00a9day": [DATE], "disk": [(2, 3)], "trkn": [(3, 12)], "cpil": True,
            "sonm": [SORTS[0]], "soar": [SORTS[1]], "soal": [SORTS[2]], "soaa": [SORTS[3]]})
        names = ["MusicBrainz Track Id", "MusicBrainz Album Id", "MusicBrainz Album Artist Id",
            "ORIGINALDATE"]
        for name, text in zip(names, IDS + [ORIGINAL]):
            audio.tags["----:com.apple.iTunes:" + name] = mp4.MP4FreeForm(text.encode())
        audio.save()

    def write_ape(path):
        tags = apev2.APEv2()
        tags.update({
            "Title": TITLE, "Artist": ARTISTS, "Album": ALBUM, "Album Artist": ALBUM_ARTIST,
            "Composer": COMPOSERS, "Genre": GENRES, "Year": DATE, "ORIGINALDATE": ORIGINAL,
            "Disc": "2/3", "Track": "3/12", "Compilation": "1", "TITLESORT": SORTS[0],
            "ARTISTSORT": SORTS[1], "ALBUMSORT": SORTS[2], "ALBUMARTISTSORT": SORTS[3],
            "MUSICBRAINZ_TRACKID": IDS[0], "MUSICBRAINZ_ALBUMID": IDS[1],
            "MUSICBRAINZ_ALBUMARTISTID": IDS[2]})
        tags.save(path)

    def write_asf(path):
        audio = asf.ASF(path)
        audio.tags.clear()
        audio.tags.update({
            "Title": [TITLE], "Author": ARTISTS, "WM/AlbumTitle": [ALBUM],
            "WM/AlbumArtist": [ALBUM_ARTIST], "WM/Composer": COMPOSERS, "WM/Genre": GENRES,
            "WM/Year": [DATE], "WM/OriginalReleaseTime": [ORIGINAL],
            "WM/OriginalReleaseYear": ["1999"], "WM/PartOfSet": ["2/3"],
            "WM/TrackNumber": ["3/12"], "WM/IsCompilation": [True],
            "WM/TitleSortOrder": [SORTS[0]], "WM/ArtistSortOrder": [SORTS[1]],
            "WM/AlbumSortOrder": [SORTS[2]], "WM/AlbumArtistSortOrder": [SORTS[3]],
            "MusicBrainz/Track Id": [IDS[0]], "MusicBrainz/Album Id": [IDS[1]],
            "MusicBrainz/Album Artist Id": [IDS[2]]})
        audio.save()

    kind, path = sys.argv[1:]
    if kind.startswith("id3"):
        write_id3(path, int(kind[-1]))
    else:
        {"vorbis": write_vorbis, "mp4": write_mp4, "ape": write_ape, "asf": write_asf}[kind](path)
    """
}
