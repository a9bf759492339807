import Glibc

/// Waits until a descriptor is ready, as by poll(2). It also counts as ready after an error, or
/// when its other end has closed.
///
/// - Parameters:
///   - event: POLLIN, POLLOUT or the like.
///   - milliseconds: the longest wait; 0 for none, -1 for no limit.
/// - Returns: false if the time ran out.
package func isReady(
  _ descriptor: Int32, for event: Int32, within milliseconds: Int32
) -> Bool {
  var polled = pollfd(fd: descriptor, events: Int16(event), revents: 0)
  return retrying { poll(&polled, 1, milliseconds) } > 0
}

/// Waits until a time of the monotonic clock, in nanoseconds. Returns false if that has passed,
/// even if the descriptor is ready, so that a loop in which there is always more to do ends.
package func isReady(_ descriptor: Int32, for event: Int32, until end: Int64) -> Bool {
  let left = Clock.milliseconds(from: Clock.system.monotonic(), until: end)
  return left > 0 && isReady(descriptor, for: event, within: left)
}
