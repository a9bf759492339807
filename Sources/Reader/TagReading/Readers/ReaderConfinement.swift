import CLinuxShims
import Glibc
package import Platform

/// What a reader gives up.
package enum ReaderConfinement {
  /// Where the daemon put the socket.
  package static let socket: Int32 = 3

  /// Above the usual cover: pages that are new for each one cost more than reading it.
  private static let separatePages = 1 << 20
  /// A few covers: given back after each one, they would be new pages, too.
  private static let spareMost = 4 << 20
  private static let addressSpaceMost: rlim_t = 512 << 20
  /// The standard three, the socket, a batch of sixteen files, and a few to spare.
  private static let descriptorsMost: rlim_t = 32

  /// Gives up what reading tags doesn't need, for the rest of the process's life. Returns what the
  /// system doesn't let it give up.
  ///
  /// - Throws: what should be possible everywhere, and isn't.
  package static func enter() throws(SystemCallError) -> ReaderProtections {
    // What the daemon itself was started with may have been passed on.
    crated_close_from(socket + 1)
    guard crated_die_with_parent() == 0, crated_no_new_privileges() == 0 else {
      throw SystemCallError("prctl", "")
    }
    signal(SIGPROF, SIG_DFL)
    // A large picture's memory goes back when the picture is done with, instead of leaving a hole
    // that the next one doesn't fit into.
    crated_limit_heaps(1, separatePages, spareMost)
    try limit(RLIMIT_CORE, to: 0)
    try limit(RLIMIT_FSIZE, to: 0)
    try limit(RLIMIT_NOFILE, to: descriptorsMost)
    // Under a sanitizer, which has reports to write and maps to read, there is far more already.
    guard addressSpaceInUse() < addressSpaceMost else { return [.landlock, .systemCalls, .memory] }
    try limit(RLIMIT_AS, to: addressSpaceMost)
    var missing: ReaderProtections = []
    if crated_landlock_forbid_all() != 0 { missing.insert(.landlock) }
    if crated_seccomp_forbid_most(socket) != 0 { missing.insert(.systemCalls) }
    return missing
  }

  /// Ends the program by SIGPROF when it has computed for so long after this: a file that TagLib
  /// never comes to an end with costs less than one whose disk is slow, which only takes time.
  package static func limitComputing(milliseconds: Int = 1_500) {
    var limit = itimerval()
    limit.it_value = timeval(tv_sec: milliseconds / 1_000, tv_usec: milliseconds % 1_000 * 1_000)
    // Refused, there is still the daemon's patience.
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

  /// In bytes; 0 if the kernel doesn't say.
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
