import Glibc
import Platform

/// Every kind of file that ffmpeg can write and crated promises to read.
package enum SampleFormat: String, CaseIterable, Sendable {
  case mp3, flac, aac, alac, ogg, opus, wav, aiff, wv, spx, oga, wma, tta

  package var pathExtension: String {
    switch self {
    case .aac, .alac: "m4a"
    default: rawValue
    }
  }

  fileprivate var encoding: [String] {
    switch self {
    case .mp3: ["-c:a", "libmp3lame", "-b:a", "96k"]
    case .flac: ["-c:a", "flac"]
    case .aac: ["-c:a", "aac", "-b:a", "96k"]
    case .alac: ["-c:a", "alac"]
    case .ogg: ["-c:a", "libvorbis", "-q:a", "3"]
    case .opus: ["-c:a", "libopus", "-b:a", "96k", "-ar", "48000"]
    case .wav: ["-c:a", "pcm_s16le"]
    case .aiff: ["-c:a", "pcm_s16be", "-write_id3v2", "1"]
    case .wv: ["-c:a", "wavpack"]
    case .spx: ["-c:a", "libspeex", "-ar", "32000", "-f", "ogg"]
    case .oga: ["-c:a", "flac", "-f", "ogg"]
    case .wma: ["-c:a", "wmav2", "-b:a", "96k"]
    case .tta: ["-c:a", "tta"]
    }
  }

  /// What writing the same sound into another file takes.
  fileprivate var container: [String] {
    switch self {
    case .aiff: ["-write_id3v2", "1"]
    case .spx, .oga: ["-f", "ogg"]
    default: []
    }
  }
}

/// Real songs of a second or two, encoded by ffmpeg. A sound of one seed is encoded once and kept
/// below the folder for temporary files, for this run and later ones.
package enum SampleMusic {
  // To be raised when what is encoded changes.
  private static let version = 1

  /// Writes a song with these tags, by ffmpeg's names for them ("title", "album_artist", ...).
  ///
  /// - Parameters:
  ///   - seed: songs of different seeds sound different.
  package static func write(
    _ format: SampleFormat, seed: UInt64 = 1, tags: [String: String] = [:], to path: String
  ) throws {
    try retag(try sound(format, seed: seed), format, tags: tags, to: path)
  }

  /// Writes the sound of one file into another with these tags only, by ffmpeg, which packs it
  /// anew.
  package static func retag(
    _ source: String, _ format: SampleFormat, tags: [String: String], to path: String
  ) throws {
    var arguments = ["-map", "0:a", "-map_metadata", "-1", "-map_metadata:s", "-1", "-c", "copy"]
    for (key, value) in tags.sorted(by: { $0.key < $1.key }) {
      arguments += ["-metadata", "\(key)=\(value)"]
    }
    try encode(["-i", source], arguments + format.container, to: path)
  }

  /// The path of the sound without tags; not to be changed.
  package static func sound(_ format: SampleFormat, seed: UInt64 = 1) throws -> String {
    let folder = try kept()
    let path = "\(folder)/\(format)-\(seed).\(format.pathExtension)"
    if access(path, R_OK) == 0 { return path }
    // Another test may be making the same: each makes its own, and the last stays.
    let own = try TemporaryFolder(in: folder)
    let draft = own.path("draft.\(format.pathExtension)")
    let tone = "sine=frequency=\(220 + seed % 97 * 11):duration=1.5"
    let noise = "anoisesrc=color=pink:amplitude=0.3:duration=1.5:seed=\(seed)"
    try encode(
      ["-f", "lavfi", "-i", tone, "-f", "lavfi", "-i", noise],
      ["-filter_complex", "amix=inputs=2", "-ac", "2", "-ar", "44100"] + format.encoding, to: draft)
    guard rename(draft, path) == 0 else { throw SystemCallError("rename", draft) }
    return path
  }

  /// The paths of 36 different sounds without tags, which are quicker to make than one by one; not
  /// to be changed.
  package static func sounds(_ format: SampleFormat) throws -> [String] {
    let folder = try kept()
    let count = 36
    let names = (0..<count).map { "\(format)-of-many-\($0).\(format.pathExtension)" }
    let paths = names.map { "\(folder)/\($0)" }
    if paths.allSatisfy({ access($0, R_OK) == 0 }) { return paths }
    let own = try TemporaryFolder(in: folder)
    let seed = SampleFormat.allCases.firstIndex(of: format) ?? 0
    let seconds = 1.5
    let noise =
      "anoisesrc=color=pink:amplitude=0.3:duration=\(seconds * Double(count)):seed=\(seed + 1)"
    var arguments = ["-nostdin", "-v", "error", "-y", "-f", "lavfi", "-i", noise]
    for (index, name) in names.enumerated() {
      arguments += ["-ss", "\(seconds * Double(index))", "-t", "\(seconds)", "-map", "0:a"]
      arguments += ["-ac", "2", "-ar", "44100"] + format.encoding + [own.path(name)]
    }
    let result = try run("ffmpeg", arguments)
    if result.status != 0 { throw SampleMusicError(message: result.errors) }
    for name in names {
      guard rename(own.path(name), "\(folder)/\(name)") == 0 else {
        throw SystemCallError("rename", name)
      }
    }
    return paths
  }

  /// A folder with an album of three songs in each of the formats, kept like the sounds; not to be
  /// changed. The album in FLAC is "Album flac" by "Artist flac", in a folder of that name, and its
  /// songs are "First flac", "Second flac" and "Third flac".
  package static func albums(_ formats: [SampleFormat]) throws -> String {
    let folder = try kept()
    let path = "\(folder)/albums-" + formats.map(\.rawValue).joined(separator: "-")
    if access(path, R_OK) == 0 { return path }
    let own = try TemporaryFolder(in: folder)
    for (number, format) in formats.enumerated() {
      let album = try own.makeFolder("albums/Album \(format)")
      for (index, ordinal) in ["First", "Second", "Third"].enumerated() {
        let title = "\(ordinal) \(format)"
        try write(
          format, seed: UInt64(1000 + number * 10 + index),
          tags: [
            "title": title, "artist": "Artist \(format)", "album": "Album \(format)",
            "album_artist": "Artist \(format)", "track": "\(index + 1)", "date": "20\(10 + number)",
          ], to: "\(album)/\(index + 1) \(title).\(format.pathExtension)")
      }
    }
    // Another test may have been faster with the same.
    guard rename(own.path("albums"), path) == 0 || access(path, R_OK) == 0 else {
      throw SystemCallError("rename", path)
    }
    return path
  }

  private static func kept() throws -> String {
    let folder = "\(TemporaryFolder.systemFolder)/crated-sample-music-\(getuid())-\(version)"
    guard mkdir(folder, 0o700) == 0 || errno == EEXIST else {
      throw SystemCallError("mkdir", folder)
    }
    return folder
  }

  private static func encode(_ input: [String], _ output: [String], to path: String) throws {
    let options = ["-nostdin", "-v", "error", "-y"]
    let result = try run("ffmpeg", options + input + output + [path])
    if result.status != 0 { throw SampleMusicError(message: result.errors) }
  }
}

/// ffmpeg could not make a song; what it said.
package struct SampleMusicError: Error, CustomStringConvertible {
  package var message: String

  package var description: String { "ffmpeg failed: \(message)" }
}
