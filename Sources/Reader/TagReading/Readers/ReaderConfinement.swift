import CLinuxShims
import Glibc
package import Platform

/// The confinement of a reader.
package enum ReaderConfinement {
  /// The descriptor at which the daemon put the socket.
  package static let socket: Int32 = 3

  /// The size from which an allocation has pages of its own. It is above the usual cover: new pages
  /// for each cover would cost more than reading it.
  private static let separatePages = 1 << 20
  /// The free memory to keep: a few covers. If it were returned after each one, the next would need
  /// new pages, too.
  private static let spareMost = 4 << 20
  private static let addressSpaceMost: rlim_t = 512 << 20
  /// The standard three descriptors, the socket, a batch of sixteen files, and a few to spare.
  private static let descriptorsMost: rlim_t = 32

  /// Gives up what reading tags doesn't need, for the rest of the process's life. Returns the
  /// protections that the system doesn't provide.
  ///
  /// - Throws: if something fails that should be possible everywhere.
  package static func enter() throws(SystemCallError) -> ReaderProtections {
    // The descriptors that the daemon itself was started with may have been passed on.
    crated_close_from(socket + 1)
    guard crated_die_with_parent() == 0, crated_no_new_privileges() == 0 else {
      throw SystemCallError("prctl", "")
    }
    signal(SIGPROF, SIG_DFL)
    // A large picture's memory is returned after its use. Otherwise it would leave a hole that the
    // next one doesn't fit into.
    crated_limit_heaps(1, separatePages, spareMost)
    try limit(RLIMIT_CORE, to: 0)
    try limit(RLIMIT_FSIZE, to: 0)
    try limit(RLIMIT_NOFILE, to: descriptorsMost)
    // With a sanitizer, which has reports to write and maps to read, far more is already in use.
    guard addressSpaceInUse() < addressSpaceMost else { return [.landlock, .systemCalls, .memory] }
    try limit(RLIMIT_AS, to: addressSpaceMost)
    var missing: ReaderProtections = []
    if crated_landlock_forbid_all() != 0 { missing.insert(.landlock) }
    if crated_seccomp_forbid_most(socket) != 0 { missing.insert(.systemCalls) }
    return missing
  }

  /// Makes SIGPROF end the process after it has used this much processor time. So a file that
  /// TagLib never finishes costs less than one on a slow disk, which only takes time.
  package static func limitComputing(milliseconds: Int = 1_500) {
    var limit = itimerval()
    limit.it_value = timeval(tv_sec: milliseconds / 1_000, tv_usec: milliseconds % 1_000 * 1_000)
    // If this is refused, the daemon's deadline still applies.
    _ = setitimer(__itimer_which_t(ITIMER_PROF.rawValue), &limit, nil)
  }

  private static func limit(
    _ resource: __rlimit_resource, to most: rlim_t
  ) throws(SystemCallError) {
    var limit = rlimit(rlim_cur: most, rlim_max: most)
    guard setrlimit(__rlimit_resource_t(resource.rawValue), &limit) == 0 else {
      throw SystemCallError("setrlimit", "")
    }
  }

  /// Returns the size in bytes; 0 if the kernel doesn't say.
  private static func addressSpaceInUse() -> rlim_t {
    let file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return 0 }
    defer { close(file) }
    var text = [UInt8](repeating: 0, count: 64)
    let count = read(file, &text, text.count)
    guard count > 0 else { return 0 }
    let pages = rlim_t(String(decoding: text.prefix { $0 != UInt8(ascii: " ") }, as: UTF8.self))
    return (pages ?? 0) * rlim_t(sysconf(Int32(_SC_PAGESIZE)))
  }
}
