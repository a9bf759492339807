import Glibc
import LibraryModel
import Platform

/// Sleeping until there is something to do.
extension WatchLoop {
  func openMounts() {
    let descriptor = open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC)
    if descriptor >= 0 { mounts = OpenFile(owning: descriptor) }
  }

  func wait() {
    // Negative descriptors are skipped.
    var descriptors = [mailbox.wakeUp.descriptor, clockJumps?.descriptor, inotify?.descriptor].map {
      pollfd($0 ?? .min, POLLIN)
    }
    descriptors.append(pollfd(mountsDescriptor, POLLPRI | POLLERR))
    leaveKernel()
    let patience = Clock.milliseconds(from: now, until: nextTime())
    _ = poll(&descriptors, nfds_t(descriptors.count), patience)
    kernelCameBack()
    if descriptors[0].revents != 0 { mailbox.wakeUp.clear() }
    if descriptors[1].revents != 0, clockJumps?.sleptSinceLastAsked() == true { wokeUp() }
    if descriptors[3].revents != 0 { readMounts() }
  }

  /// The machine slept, and another one may have changed a drive meanwhile.
  func wokeUp() {
    scanAll(because: .wokeUp)
    rootWatch.probeNow()
  }

  private var mountsDescriptor: Int32 {
    switch mounts {
    case .some(let file): file.descriptor
    case .none: .min
    }
  }

  /// When there is something to do, whatever comes in till then; bounded by the next full look.
  func nextTime() -> Int64 {
    let now = now
    if rootWatch.connection == .unknown || (isOnline && fullScan != nil) { return now }
    var next = isOnline ? nextFullLook : rootWatch.nextProbe
    func consider(_ time: Int64?) {
      if let time { next = min(next, time) }
    }
    if isOnline {
      if !hasOverflowed { consider(pending.nextDue()) }
      consider(polling.next)
      consider(readings.nextTime)
      consider(folderTimers.next)
      if hasOverflowed { consider(nextLookAfterOverflow) }
      if !batch.isEmpty || !readings.isEmpty { consider(now + settings.pieceTime) }
      if !hasOverflowed, let over = absent.nextOver(after: settings.vanishWait) {
        // Not while they wait for readings to end.
        consider(readings.isEmpty ? over : max(over, now + settings.pieceTime))
      }
    }
    consider(syncs.nextTime.map { hasOverflowed ? max($0, nextLookAfterOverflow) : $0 })
    return next
  }

  /// Hears of mounts that changed while there was something else to do.
  func takeMountNews() {
    if isReady(mountsDescriptor, for: POLLPRI | POLLERR, within: 0) { readMounts() }
  }

  /// Learns what is mounted. What came or went in the music folder, in what its links lead to, or
  /// where these lie, makes everything be looked at; elsewhere it costs nothing.
  func readMounts() {
    let descriptor = open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    let file = OpenFile(owning: descriptor)
    var text: [UInt8] = []
    var room = [UInt8](repeating: 0, count: 32 << 10)
    // Bounded: a table beyond this is cut, and changes there are found by the next full look.
    while text.count < 4 << 20 {
      let count = retrying { read(file.descriptor, &room, room.count) }
      guard count > 0 else { break }
      text.append(contentsOf: room.prefix(count))
    }
    let former = mountPoints
    mountPoints = MountPoints(text)
    locationsAbove = nil
    // A root that was never seen may be a link to a drive.
    let real = rootWatch.resolved ?? BytePath(resolvedPathWaiting(Array(root.bytes)))
    let places = linkTargets.mountedPlaces.union([root, real])
    guard mountPoints.concerning(places) != former.concerning(places) else { return }
    scanAll(because: .mountsChanged)
    rootWatch.mountsChanged()
  }

  /// What the passing of time makes due.
  func checkTimes() {
    let now = now
    if !isOnline && now >= rootWatch.nextProbe { checkRoot() }
    guard isOnline else { return }
    if now >= nextFullLook { scanAll(because: .hourly) }
    if hasOverflowed && now >= nextLookAfterOverflow { scanAll(because: .overflow) }
    for key in readings.takeSecondDue(at: now) { readAgain(key) }
    for key in readings.takeDue(at: now) { retry(key) }
    for path in folderTimers.takeDue(at: now) {
      pending.note([.other, .finished], in: path, at: now)
    }
    lookAtUnwatched(now)
  }
}

extension pollfd {
  init(_ descriptor: Int32, _ events: Int32) {
    self.init()
    (fd, self.events) = (descriptor, Int16(events))
  }
}
