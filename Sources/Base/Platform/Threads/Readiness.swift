import Glibc

/// Waits until something can be done with a descriptor, as by poll(2). An error of it and the
/// leaving of its other end count, too.
///
/// - Parameters:
///   - event: POLLIN, POLLOUT or the like.
///   - milliseconds: how long at most; 0: not at all, -1: for ever.
/// - Returns: false where the time was over before.
package func isReady(
  _ descriptor: Int32, for event: Int32, within milliseconds: Int32
) -> Bool {
  var polled = pollfd(fd: descriptor, events: Int16(event), revents: 0)
  return retrying { poll(&polled, 1, milliseconds) } > 0
}

/// The same, up to a time of the monotonic clock, in nanoseconds. Where that is over already it is
/// false whatever could be done, so that who has more to do each time comes to an end.
package func isReady(_ descriptor: Int32, for event: Int32, until end: Int64) -> Bool {
  let left = Clock.milliseconds(from: Clock.system.monotonic(), until: end)
  return left > 0 && isReady(descriptor, for: event, within: left)
}
