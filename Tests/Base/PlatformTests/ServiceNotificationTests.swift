import Glibc
import Platform
import TestSupport
import Testing

@Suite("Telling the service manager", .limited)
struct ServiceNotificationTests {
  let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
  }

  @Test("Each piece of news is one datagram, in order")
  func order() throws {
    let manager = try ScratchSocket(SOCK_DGRAM, boundTo: "\(folder.path)/notify")
    let clock = Clock(monotonic: { 5_000_001_999 }, wall: { 0 })
    let notification = ServiceNotification(
      environment: ["NOTIFY_SOCKET": "\(folder.path)/notify"], clock: clock)
    #expect(notification.status("Reading 3 of 4 songs"))
    #expect(notification.ready(status: "12 crates"))
    #expect(notification.reloading())
    #expect(notification.ready())
    #expect(notification.watchdog())
    #expect(notification.stopping(status: "Writing a\nSTATUS=fake"))
    #expect(manager.next() == "STATUS=Reading 3 of 4 songs")
    #expect(manager.next() == "READY=1\nSTATUS=12 crates")
    #expect(manager.next() == "RELOADING=1\nMONOTONIC_USEC=5000001")
    #expect(manager.next() == "READY=1")
    #expect(manager.next() == "WATCHDOG=1")
    #expect(manager.next() == "STOPPING=1\nSTATUS=Writing a STATUS=fake")
    #expect(manager.next() == nil)
  }

  @Test("An abstract address is reached, to its last byte")
  func abstract() throws {
    let short = "@crated-test-\(getpid())-\(folder.path)"
    // As long as an address may be (unix(7)), and short.
    let long = short + String(repeating: "x", count: 108 - short.utf8.count)
    for name in [short, long] {
      let manager = try ScratchSocket(SOCK_DGRAM, boundTo: name)
      #expect(ServiceNotification(environment: ["NOTIFY_SOCKET": name]).ready())
      #expect(manager.next() == "READY=1")
      #expect(!ServiceNotification(environment: ["NOTIFY_SOCKET": name + "x"]).ready())
    }
  }

  @Test("A path is reached that is as long as one may be")
  func longPath() throws {
    let short = "\(folder.path)/notify"
    // A NUL ends it.
    let long = short + String(repeating: "x", count: 107 - short.utf8.count)
    let manager = try ScratchSocket(SOCK_DGRAM, boundTo: long)
    #expect(ServiceNotification(environment: ["NOTIFY_SOCKET": long]).ready())
    #expect(manager.next() == "READY=1")
    #expect(!ServiceNotification(environment: ["NOTIFY_SOCKET": long + "x"]).ready())
  }

  @Test(
    "Where nobody listens, nothing happens",
    arguments: [
      nil, "", "@", "/", "relative", "vsock:2:1234", "/nowhere/notify", "/dev/null",
      "/" + String(repeating: "a", count: 300),
    ])
  func nobody(address: String?) {
    let environment = address.map { ["NOTIFY_SOCKET": $0] } ?? [:]
    #expect(!ServiceNotification(environment: environment).ready())
  }

  @Test("A manager that does not read is not waited for")
  func full() throws {
    let manager = try ScratchSocket(SOCK_DGRAM, boundTo: "\(folder.path)/notify")
    let notification = ServiceNotification(
      environment: ["NOTIFY_SOCKET": "\(folder.path)/notify"])
    var sent = 0
    while sent < 1_000_000 && notification.watchdog() { sent += 1 }
    // The kernel holds a limited number; the call that found it full came back.
    #expect(sent > 0)
    #expect(sent < 1_000_000)
    #expect(manager.next() == "WATCHDOG=1")
    #expect(notification.ready())
  }

  @Test(
    "The watchdog's interval is for the process that it names",
    arguments: [
      ([:], nil),
      (["WATCHDOG_USEC": "60000000"], 60_000_000_000),
      (["WATCHDOG_USEC": "60000000", "WATCHDOG_PID": "42"], 60_000_000_000),
      (["WATCHDOG_USEC": "60000000", "WATCHDOG_PID": "43"], nil),
      (["WATCHDOG_USEC": "1"], 1000), (["WATCHDOG_USEC": "0"], nil), (["WATCHDOG_USEC": "-5"], nil),
      (["WATCHDOG_USEC": "soon"], nil), (["WATCHDOG_USEC": "9223372036854775807"], nil),
    ] as [([String: String], Int64?)])
  func watchdog(environment: [String: String], interval: Int64?) {
    let notification = ServiceNotification(environment: environment, processIdentifier: 42)
    #expect(notification.watchdogInterval == interval)
  }
}
