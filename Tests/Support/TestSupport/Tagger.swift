import Glibc
import Platform

/// A tagger that is not ours and does not rewrite files: Python's mutagen, one process for as many
/// files as wanted. Needs Debian's package python3-mutagen.
package final class Tagger {
  private let program: RunningProgram
  private let folder: TemporaryFolder

  package init() throws {
    folder = try TemporaryFolder()
    let script = try folder.write(Self.script, to: "tagger.py")
    // Debian's own Python has Debian's packages; another one first in PATH hasn't.
    program = try RunningProgram(
      "/usr/bin/python3", ["-u", script], environment: ["LC_ALL": "C.UTF-8"],
      errors: folder.path("errors"), takesInput: true)
    guard try program.nextLine() == "ready" else { throw TaggerError(message: errors) }
  }

  private var errors: String {
    String(decoding: (try? readFile(folder.path("errors"))) ?? [], as: UTF8.self)
  }

  /// Gives the file these tags and no other ones, in place, without room for more.
  ///
  /// - Parameters:
  ///   - tags: by ffmpeg's names for them ("title", "album_artist", ...).
  ///   - picture: how many bytes the cover picture has; 0: there is none.
  package func write(_ tags: [String: String], picture: Int = 0, to path: String) throws {
    let pairs = tags.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    try program.tell(([path, "\(picture)"] + pairs).joined(separator: "\t"))
    guard let answer = try program.nextLine() else { throw TaggerError(message: errors) }
    if answer != "done" { throw TaggerError(message: answer) }
  }

  private static let script = """
    import base64
    import sys
    try:
        import mutagen
        from mutagen import apev2, flac, id3, mp4
    except ImportError:
        sys.exit("python3-mutagen is not installed: apt-get install python3-mutagen")

    FRAMES = {
        "title": id3.TIT2, "artist": id3.TPE1, "album": id3.TALB, "album_artist": id3.TPE2,
        "track": id3.TRCK, "disc": id3.TPOS, "date": id3.TDRC,
    }
    ATOMS = {
        "title": "\\u00a9nam", "artist": "\\u00a9ART", "album": "\\u00a9alb",
        "album_artist": "aART", "date": "\\u00a9day", "comment": "\\u00a9cmt",
    }
    VORBIS = {"album_artist": "ALBUMARTIST", "track": "TRACKNUMBER", "disc": "DISCNUMBER"}
    APE = {"album_artist": "Album Artist", "date": "Year"}
    PADDING = {"padding": lambda info: 0}

    def write(path, tags, picture):
        audio = mutagen.File(path)
        kind = type(audio).__name__
        if audio.tags is None:
            audio.add_tags()
        audio.clear() if kind in ("FLAC", "OggVorbis", "OggOpus") else audio.tags.clear()
        cover = b"\\x89PNG\\r\\n\\x1a\\n" + bytes(picture) if picture else None
        options = PADDING
        if kind in ("MP3", "WAVE", "AIFF"):
            for key, value in tags.items():
                if key == "comment":
                    audio.tags.add(id3.COMM(encoding=3, lang="eng", desc="", text=value))
                else:
                    audio.tags.add(FRAMES[key](encoding=3, text=value))
            if cover:
                audio.tags.add(
                    id3.APIC(encoding=3, mime="image/png", type=3, desc="", data=cover))
        elif kind == "MP4":
            for key, value in tags.items():
                if key in ("track", "disc"):
                    audio.tags["trkn" if key == "track" else "disk"] = [(int(value), 0)]
                else:
                    audio.tags[ATOMS[key]] = [value]
            if cover:
                audio.tags["covr"] = [mp4.MP4Cover(cover, mp4.MP4Cover.FORMAT_PNG)]
        elif kind == "WavPack":
            options = {}
            for key, value in tags.items():
                audio.tags[APE.get(key, key.capitalize())] = value
            if cover:
                audio.tags["Cover Art (Front)"] = apev2.APEValue(
                    b"cover.png\\0" + cover, apev2.BINARY)
        else:
            if kind == "FLAC":
                audio.clear_pictures()
            for key, value in tags.items():
                audio.tags[VORBIS.get(key, key.upper())] = [value]
            if cover:
                block = flac.Picture()
                block.type, block.mime, block.data = 3, "image/png", cover
                if kind == "FLAC":
                    audio.add_picture(block)
                else:
                    encoded = base64.b64encode(block.write()).decode("ascii")
                    audio.tags["METADATA_BLOCK_PICTURE"] = [encoded]
        audio.save(**options)

    print("ready")
    for line in sys.stdin:
        path, picture, *pairs = line.rstrip("\\n").split("\\t")
        try:
            write(path, dict(pair.split("=", 1) for pair in pairs), int(picture))
            print("done")
        except Exception as error:
            print(f"{path}: {type(error).__name__}: {error}")
    """
}

/// A file could not be tagged; what was said of it.
package struct TaggerError: Error, CustomStringConvertible {
  package var message: String

  package init(message: String) { self.message = message }

  package var description: String { "tagging failed: \(message)" }
}
