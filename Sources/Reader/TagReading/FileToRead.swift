package import LibraryModel

/// A file on its way through the pool. Its descriptor stays open until the completion is called,
/// since another reader may have to be tried. Then the caller closes it, which may hang.
final class FileToRead: Sendable {
  enum Request: Sendable {
    case song(@Sendable (ReadOutcome) -> Void)
    case picture(@Sendable (PictureOutcome) -> Void)
    case thumbnail(side: Int, form: Thumbnail.Form, @Sendable (ThumbnailOutcome) -> Void)
  }

  let descriptor: Int32
  /// The stamp that identifies the file when it is requested again, for any purpose.
  let stamp: FileStamp
  let pathExtension: String
  let share: ShareID
  /// Whether this is a probe, which shows whether its folder's files can be read. It goes before
  /// all other files.
  let isProbe: Bool
  private let request: Request

  init(
    _ descriptor: Int32, _ request: Request, stamp: FileStamp, pathExtension: String,
    _ share: ShareID, isProbe: Bool = false
  ) {
    self.isProbe = isProbe
    self.descriptor = descriptor
    self.stamp = stamp
    self.request = request
    self.pathExtension = pathExtension
    self.share = share
  }

  /// The data to read. All files of one request have the same.
  var wants: ReaderRequest.Wanted {
    switch request {
    case .song: .tags
    case .picture: .picture
    case .thumbnail(let side, let form, _): .thumbnail(side: side, form: form)
    }
  }

  func fail(_ problem: FileProblem) {
    switch request {
    case .song(let completion): completion(.problem(problem))
    case .picture(let completion):
      completion(Self.isPictures(problem) ? .noPicture : .unknown(problem))
    case .thumbnail(_, _, let completion):
      completion(Self.isPictures(problem) ? .noCover(nil) : .unknown(problem))
    }
  }

  /// Whether the problem is the picture's own: a picture that ends its reader does so again.
  private static func isPictures(_ problem: FileProblem) -> Bool {
    [.crashed, .computedTooLong, .nonsense].contains(problem)
  }

  func complete(with reply: ReaderReply) {
    switch (request, reply) {
    case (_, .problem(let status, let errorNumber)):
      fail(.of(status, errorNumber: errorNumber))
    case (.song(let completion), .song(let song)):
      completion(
        .facts(
          FileFacts(
            stamp: stamp, tags: song.tags, audio: song.audio, digest: song.digest,
            format: song.format, cover: song.cover)))
    case (.picture(let completion), .song(let song)):
      completion(song.picture.isEmpty ? .noPicture : .found(song.picture))
    case (.thumbnail(let side, let form, let completion), .song(let song)):
      guard let thumbnail = song.thumbnail, let digest = song.cover, thumbnail.form == form,
        max(thumbnail.width, thumbnail.height) <= side
      else { return completion(.noCover(song.cover)) }
      completion(.made(thumbnail, digest))
    }
  }
}

/// The result of reading a cover as it is.
package enum PictureOutcome: Equatable, Sendable {
  case found([UInt8])
  /// There is no picture, or none that could be shown.
  case noPicture
  /// The reader could not find it out this time.
  case unknown(FileProblem)
}

/// The result of shrinking a cover.
package enum ThumbnailOutcome: Sendable {
  case made(Thumbnail, CoverDigest)
  /// There is no picture, or none that can be shown. The digest is the picture's, if the reader got
  /// that far.
  case noCover(CoverDigest?)
  /// The reader could not find it out this time.
  case unknown(FileProblem)
}
