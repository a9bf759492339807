package import LibraryModel

/// A file on its way through the pool. Its descriptor stays open until it has an outcome, since
/// another reader may have to be asked. Then whoever opened it closes it, which may hang.
final class FileToRead: Sendable {
  enum Wish: Sendable {
    case song(@Sendable (ReadOutcome) -> Void)
    case picture(@Sendable (PictureOutcome) -> Void)
    case thumbnail(side: Int, form: Thumbnail.Form, @Sendable (ThumbnailOutcome) -> Void)
  }

  let descriptor: Int32
  /// What it is known by when it is asked for again, for whatever.
  let stamp: FileStamp
  let pathExtension: String
  let share: ShareID
  /// Whether it is read to see whether its folder's files can be read: before all others.
  let isTrial: Bool
  private let wish: Wish

  init(
    _ descriptor: Int32, _ wish: Wish, stamp: FileStamp, pathExtension: String,
    _ share: ShareID, isTrial: Bool = false
  ) {
    self.isTrial = isTrial
    self.descriptor = descriptor
    self.stamp = stamp
    self.wish = wish
    self.pathExtension = pathExtension
    self.share = share
  }

  /// Files of one request want the same.
  var wants: ReaderRequest.Wanted {
    switch wish {
    case .song: .tags
    case .picture: .picture
    case .thumbnail(let side, let form, _): .thumbnail(side: side, form: form)
    }
  }

  func fail(_ problem: FileProblem) {
    switch wish {
    case .song(let completion): completion(.problem(problem))
    case .picture(let completion):
      completion(Self.isPictures(problem) ? .noPicture : .unknown(problem))
    case .thumbnail(_, _, let completion):
      completion(Self.isPictures(problem) ? .noCover(nil) : .unknown(problem))
    }
  }

  /// A picture that ends its reader does so again.
  private static func isPictures(_ problem: FileProblem) -> Bool {
    [.crashed, .computedTooLong, .nonsense].contains(problem)
  }

  func complete(with reply: ReaderReply) {
    switch (wish, reply) {
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

/// What asking for a cover as it is came to.
package enum PictureOutcome: Equatable, Sendable {
  case found([UInt8])
  /// There is no picture, or one that nobody could show.
  case noPicture
  /// It could not be found out this time.
  case unknown(FileProblem)
}

/// What asking for a shrunk cover came to.
package enum ThumbnailOutcome: Sendable {
  case made(Thumbnail, CoverDigest)
  /// There is no picture, or one that can't be shown: its digest, where the reader came so far.
  case noCover(CoverDigest?)
  /// The reader could not find it out this time.
  case unknown(FileProblem)
}
