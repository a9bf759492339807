import LibraryModel
import Platform

/// Requests reads and handles their results.
extension WatchCore {
  /// Requests a read of the file.
  ///
  /// - Parameters:
  ///   - earlier: the facts from a first read that came too close to the file's last change.
  ///   - waits: until when the file must be unchanged if it is not ready.
  ///   - number: the number of a read that is requested again.
  mutating func request(
    _ key: FileKey, isFinished: Bool, stoodStill: FileStamp? = nil, earlier: FileFacts? = nil,
    tries: Int = 0, waits: Reads.Waits? = nil, again number: Int? = nil
  ) {
    let number = reads.ask(key, tries: tries, earlier: earlier, waits: waits, again: number)
    emit(
      .read(
        ReadRequest(
          sequence: number, path: tree.absolute(key), isFinished: isFinished,
          stoodStill: stoodStill)))
  }

  /// Requests the reads that are due: of files that had to be unchanged, retries, and second reads.
  mutating func readWhatIsDue() {
    for key in reads.takeDue(at: now) {
      switch tree.catalogue.state(key.name, in: key.folder) {
      case .settled?: readAgain(key)
      case .unsettled(let file)?: request(key, isFinished: false, stoodStill: file.stamp)
      case nil: break
      }
    }
  }

  /// Requests a waiting file before its time. It may be ready: its writer may be done, and the
  /// kernel's event may have had another path.
  mutating func askWhetherReady(_ key: FileKey) {
    guard case .unsettled(let file)? = tree.catalogue.state(key.name, in: key.folder),
      case .standing(let until) = reads.phase(key)
    else { return }
    request(
      key, isFinished: false, stoodStill: until <= now ? file.stamp : nil,
      waits: Reads.Waits(stamp: file.stamp, until: until))
  }

  /// Reads a file a second time, because the first read may have missed a change with the same
  /// timestamp.
  mutating func readAgain(_ key: FileKey) {
    guard case .settled(let facts)? = tree.catalogue.state(key.name, in: key.folder) else { return }
    request(key, isFinished: true, earlier: facts)
  }

  mutating func settle(_ key: FileKey, _ facts: FileFacts, racy: Int64? = nil) {
    tree.catalogue.setState(.settled(facts), key.name, in: key.folder)
    reads.succeeded(key, racy: racy)
  }

  // MARK: Answers

  mutating func take(_ answers: [ReadAnswer]) {
    for answer in answers {
      guard let (key, asked) = reads.take(answer.sequence) else { continue }
      if !take(answer, key, asked) { reads.close(answer.sequence) }
    }
  }

  /// Handles an answer. Returns true if the same read was requested again.
  private mutating func take(_ answer: ReadAnswer, _ key: FileKey, _ asked: Reads.Asked) -> Bool {
    trace(.read(tree.path(of: key), Trace.Outcome(answer.result)))
    let state = tree.catalogue.state(key.name, in: key.folder)
    if let earlier = asked.earlier {
      guard case .settled(let facts)? = state, facts == earlier else { return false }
      takeSecond(answer, key, earlier)
      return false
    }
    guard case .unsettled(var file)? = state else { return false }
    if let isFinished = asked.again, !answer.isOfReading {
      request(key, isFinished: isFinished, tries: asked.tries, again: answer.sequence)
      return true
    }
    switch answer.result {
    case .notReady(let writers):
      file.stamp = answer.stamp
      wait(key, file, answer, writers, asked.waits)
    case .notThere:
      if reads.wentMeanwhile(key, at: now) == .scanAgain {
        isDirty(key.folder)
        waiters.scanAgain(after: answer.sequence)
      }
    case .failed(let error):
      failed(key, FileProblem(error))
    case .read(let outcome):
      guard isUnchanged(key, answer.stamp) else { return askAgain(answer, key, asked, file) }
      file.stamp = answer.stamp
      tree.catalogue.setState(.unsettled(file), key.name, in: key.folder)
      switch outcome {
      case .facts(let facts):
        let facts = facts.stamped(answer.stamp)
        settle(key, facts, racy: answer.secondTime(at: now, settings))
        outbox.batch.clearProblem(at: tree.absolute(key))
        // A file may have been exchanged with another one, and back before it was read.
        if facts != file.facts { found(key, facts, isNew: !file.isSong, seen: file.seen) }
      case .problem(let problem): failed(key, problem)
      }
    }
    return false
  }

  /// Requests the file again, because it changed or went while it was read.
  private mutating func askAgain(
    _ answer: ReadAnswer, _ key: FileKey, _ asked: Reads.Asked, _ file: Catalogue.Unsettled
  ) -> Bool {
    if asked.tries < 3 {
      request(key, isFinished: false, tries: asked.tries + 1, again: answer.sequence)
      return true
    }
    wait(key, file, answer, .some, nil)
    return false
  }

  private mutating func takeSecond(_ answer: ReadAnswer, _ key: FileKey, _ earlier: FileFacts) {
    guard case .read(.facts(let read)) = answer.result else { return }
    // Another change has an event, or is found by the next scan.
    guard answer.stamp == earlier.stamp else { return isDirty(key.folder) }
    let facts = read.stamped(answer.stamp)
    let racy = answer.secondTime(at: now, settings)
    if facts == earlier { return reads.succeeded(key, racy: racy) }
    settle(key, facts, racy: racy)
    found(key, facts, isNew: false, seen: session.round.seen)
  }

  private mutating func isDirty(_ folder: Catalogue.ID) {
    note(.other, in: tree.catalogue.path(of: folder))
  }

  private func isUnchanged(_ key: FileKey, _ stamp: FileStamp) -> Bool {
    let path = tree.absolute(key)
    guard let status = kernel.status(of: path) else { return false }
    // If the file lies on its directory's file system, no call of statfs(2) is needed.
    if let folder = tree.catalogue[key.folder].status, folder.device == status.device {
      let now = FileStamp(
        status, fileSystem: folder.fileSystem, hasStableInodes: folder.hasStableInodes)
      return now == stamp
    }
    return kernel.stamp(of: path) == stamp
  }

  private mutating func wait(
    _ key: FileKey, _ file: Catalogue.Unsettled, _ answer: ReadAnswer, _ writers: Writers,
    _ before: Reads.Waits?
  ) {
    tree.catalogue.setState(.unsettled(file), key.name, in: key.folder)
    let until = answer.standsStill(at: now, settings, before: before)
    reads.stand(key, until: until, isFresh: writers == .unknown)
  }

  private mutating func failed(_ key: FileKey, _ problem: FileProblem) {
    outbox.batch.note(problem, at: tree.absolute(key))
    reads.failed(key, at: now)
  }

  /// Adds the file to the next merge.
  ///
  /// - Parameters:
  ///   - isNew: whether the receiver has no file at its path.
  ///   - seen: the time of the scan that found it.
  mutating func found(_ key: FileKey, _ facts: FileFacts, isNew: Bool, seen: Int64) {
    let path = tree.path(of: key)
    outbox.batch.found(
      tree.absolute(path).sharingFolder(), facts, isNew: isNew, seen: seen, at: now)
    if let origin = session.agenda.renames.takeOrigin(of: path) {
      outbox.batch.renamed(from: tree.absolute(origin), to: tree.absolute(path))
    }
  }
}

extension FileFacts {
  /// Returns the facts with the stamp that the file had before and after the read.
  fileprivate func stamped(_ stamp: FileStamp) -> FileFacts {
    if self.stamp == stamp { return self }
    return FileFacts(
      stamp: stamp, tags: tags, audio: audio, digest: digest, format: format, cover: cover)
  }
}
