import LibraryModel
import Platform

/// Asking for files to be read, and what comes of it.
extension WatchLoop {
  /// - Parameters:
  ///   - earlier: what a reading found that came too close to the file's last change.
  ///   - waits: how long the file has to stand still otherwise.
  ///   - number: of the reading that is asked for again.
  func request(
    _ key: FileKey, isFinished: Bool, stoodStill: FileStamp? = nil, earlier: FileFacts? = nil,
    tries: Int = 0, waits: (stamp: FileStamp?, until: Int64)? = nil, again number: Int? = nil
  ) {
    let number = readings.ask(
      Readings.Asked(key: key, tries: tries, earlier: earlier, waits: waits), again: number)
    if earlier == nil, case .unsettled(var file)? = catalogue.state(key.name, in: key.folder) {
      file.phase = .requested(number)
      catalogue.setState(.unsettled(file), key.name, in: key.folder)
    }
    reader.request(
      ReadRequest(
        sequence: number, path: absolute(key), isFinished: isFinished, stoodStill: stoodStill))
  }

  /// The time is over that a file had to stand still, or a failed reading had to wait.
  func retry(_ key: FileKey) {
    guard case .unsettled(let file)? = catalogue.state(key.name, in: key.folder) else { return }
    if case .requested = file.phase { return }
    request(key, isFinished: false, stoodStill: file.stamp)
  }

  /// A file that waits may be ready before its time: its writer may be done, and what the kernel
  /// told of it may have had another path.
  func askWhetherReady(_ key: FileKey) {
    guard case .unsettled(let file)? = catalogue.state(key.name, in: key.folder),
      case .waiting(let until) = file.phase
    else { return }
    request(
      key, isFinished: false, stoodStill: until <= now ? file.stamp : nil,
      waits: (file.stamp, until))
  }

  /// Reads a file a second time whose first reading may have missed a change in the same instant.
  func readAgain(_ key: FileKey) {
    guard case .settled(let facts)? = catalogue.state(key.name, in: key.folder) else { return }
    request(key, isFinished: true, earlier: facts)
  }

  func takeAnswers() {
    for answer in reader.takeAnswers() {
      guard let asked = readings.take(answer.sequence) else { continue }
      if !take(answer, asked) { readings.close(answer.sequence) }
    }
  }

  /// The music folder is away: what it would have answered means nothing.
  ///
  /// - Parameter hangs: whether it is because reading doesn't come back.
  func forgetReadings(hangs: Bool) {
    let keys = readings.forgetAll(hangs: hangs).union(walk.newFiles.map(\.key))
    for key in keys {
      guard case .unsettled(var file)? = catalogue.state(key.name, in: key.folder) else { continue }
      file.phase = .unread
      catalogue.setState(.unsettled(file), key.name, in: key.folder)
    }
    reader.forget()
    walk.newFiles = []
  }

  // MARK: Answers

  /// True where the same reading was asked for again.
  private func take(_ answer: ReadAnswer, _ asked: Readings.Asked) -> Bool {
    let key = asked.key
    guard let state = catalogue.state(key.name, in: key.folder) else { return false }
    note(.read(catalogue.path(of: key.folder).appending(key.name), Trace.Outcome(answer.result)))
    if let earlier = asked.earlier {
      guard case .settled(let facts) = state, facts == earlier else { return false }
      takeSecond(answer, key, earlier)
      return false
    }
    guard case .unsettled(var file) = state, file.phase == .requested(answer.sequence) else {
      return false
    }
    if let isFinished = asked.again, !answer.isOfReading {
      request(key, isFinished: isFinished, tries: asked.tries, again: answer.sequence)
      return true
    }
    switch answer.result {
    case .notReady(let writers):
      file.stamp = answer.stamp
      wait(key, file, answer, writers, asked.waits)
    case .notThere:
      wentMeanwhile(key, file)
    case .failed(let error):
      batch.note(problem(error), at: absolute(key))
      failed(key, file)
    case .read(let outcome):
      guard isUnchanged(key, answer.stamp) else { return askAgain(answer, asked, file) }
      file.stamp = answer.stamp
      switch outcome {
      case .facts(let facts):
        let facts = facts.stamped(answer.stamp)
        settle(key, facts)
        noteIfRacy(key, answer)
        batch.clearProblem(at: absolute(key))
        found(key, facts, seen: file.seen)
      case .problem(let problem):
        batch.note(problem, at: absolute(key))
        failed(key, file)
      }
    }
    return false
  }

  /// The file changed while it was read, or went.
  private func askAgain(
    _ answer: ReadAnswer, _ asked: Readings.Asked, _ file: Catalogue.Unsettled
  ) -> Bool {
    if asked.tries < 3 {
      request(
        asked.key, isFinished: false, tries: asked.tries + 1, again: answer.sequence)
      return true
    }
    wait(asked.key, file, answer, .some, nil)
    return false
  }

  private func takeSecond(_ answer: ReadAnswer, _ key: FileKey, _ earlier: FileFacts) {
    guard case .read(.facts(let read)) = answer.result else { return }
    // Another change is told by the kernel, or found by the next look.
    guard answer.stamp == earlier.stamp else {
      pending.note(.other, in: catalogue.path(of: key.folder), at: now)
      return
    }
    noteIfRacy(key, answer)
    let facts = read.stamped(answer.stamp)
    guard facts != earlier else { return }
    settle(key, facts)
    found(key, facts, seen: walk.seen)
  }

  private func noteIfRacy(_ key: FileKey, _ answer: ReadAnswer) {
    if let time = answer.secondTime(at: now, settings) { readings.readAgain(key, at: time) }
  }

  private func isUnchanged(_ key: FileKey, _ stamp: FileStamp) -> Bool {
    absolute(key).withCPath { path in
      guard let status = FileStatus(name: path, followsLinks: true) else { return false }
      let folder = catalogue[key.folder].status
      // Without a call of statfs where the file lies on its directory's file system.
      if let folder, folder.device == status.device {
        let now = FileStamp(
          status, fileSystem: folder.fileSystem, hasStableInodes: folder.hasStableInodes)
        return now == stamp
      }
      guard let system = FileSystemStatus(path: path) else { return false }
      return FileStamp(status, on: system) == stamp
    }
  }

  private func wait(
    _ key: FileKey, _ file: Catalogue.Unsettled, _ answer: ReadAnswer, _ writers: Writers,
    _ before: (stamp: FileStamp?, until: Int64)?
  ) {
    let until = answer.standsStill(at: now, settings, before: before)
    var file = file
    file.phase = .waiting(until: until)
    catalogue.setState(.unsettled(file), key.name, in: key.folder)
    readings.wait(key, until: until, isFresh: writers == .unknown)
  }

  /// The next look at its directory asks for it again if it is there, as a directory may be that
  /// was moved away and back.
  private func wentMeanwhile(_ key: FileKey, _ file: Catalogue.Unsettled) {
    var file = file
    file.phase = .unread
    catalogue.setState(.unsettled(file), key.name, in: key.folder)
    if readings.wentMeanwhile(key, at: now) == .lookAgain {
      pending.note(.other, in: catalogue.path(of: key.folder), at: now)
    }
  }

  private func failed(_ key: FileKey, _ file: Catalogue.Unsettled) {
    var file = file
    let failure = readings.failed(key, at: now)
    file.phase = .failed(times: failure.times, retryAt: failure.retryAt)
    catalogue.setState(.unsettled(file), key.name, in: key.folder)
  }

  /// To be told at the end of this round.
  ///
  /// - Parameter seen: when the look was that found it.
  func found(_ key: FileKey, _ facts: FileFacts, seen: Int64) {
    let path = catalogue.path(of: key.folder).appending(key.name)
    readings.succeeded(key)
    batch.found(absolute(path).sharingFolder(), facts, seen: seen, at: now)
    if let origin = renames.takeOrigin(of: path) {
      batch.renamed(from: absolute(origin), to: absolute(path))
    }
  }
}

extension FileFacts {
  /// With the stamp that the file was seen to have before and after the reading.
  fileprivate func stamped(_ stamp: FileStamp) -> FileFacts {
    if self.stamp == stamp { return self }
    return FileFacts(
      stamp: stamp, tags: tags, audio: audio, digest: digest, format: format, cover: cover)
  }
}
