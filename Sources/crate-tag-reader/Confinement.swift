import CLinuxShims
import Glibc

/// Where the daemon put the socket.
let socketDescriptor: Int32 = 3

private let addressSpaceMost: rlim_t = 512 << 20
/// The standard three, the socket, a batch of sixteen files, and a few to spare.
private let descriptorsMost: rlim_t = 32

/// Gives up what reading tags doesn't need. Nil, or what couldn't be given up.
func confine() -> String? {
  // What the daemon itself was started with may have been passed on.
  for descriptor in (socketDescriptor + 1)..<1024 { close(descriptor) }
  guard crated_die_with_parent() == 0 else { return failure("dying with the daemon") }
  guard crated_no_new_privileges() == 0 else { return failure("refusing new privileges") }
  guard limit(RLIMIT_CORE, to: 0) else { return failure("a limit on core files") }
  guard limit(RLIMIT_FSIZE, to: 0) else { return failure("a limit on files' sizes") }
  guard limit(RLIMIT_NOFILE, to: descriptorsMost) else { return failure("a limit on open files") }
  // Under a sanitizer there is far more already, and the limit would end the program at once.
  guard addressSpaceInUse() < addressSpaceMost else { return nil }
  guard limit(RLIMIT_AS, to: addressSpaceMost) else { return failure("a limit on memory") }
  return nil
}

private func failure(_ what: String) -> String {
  "\(what) failed: \(String(cString: strerror(errno)))"
}

private func limit(_ resource: __rlimit_resource, to most: rlim_t) -> Bool {
  var limit = rlimit(rlim_cur: most, rlim_max: most)
  return setrlimit(__rlimit_resource_t(resource.rawValue), &limit) == 0
}

/// In bytes; 0 if the kernel doesn't say.
private func addressSpaceInUse() -> rlim_t {
  let file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
  guard file >= 0 else { return 0 }
  defer { close(file) }
  var text = [UInt8](repeating: 0, count: 64)
  let count = read(file, &text, text.count)
  guard count > 0 else { return 0 }
  let pages = rlim_t(String(decoding: text.prefix { $0 != UInt8(ascii: " ") }, as: UTF8.self))
  return (pages ?? 0) * rlim_t(sysconf(Int32(_SC_PAGESIZE)))
}
