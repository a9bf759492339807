// Times of the parts that the daemon's answers are made of, without disk (but for the checkpoint),
// socket and scheduler.
//
//   microbenchmarks [--million]       exits with 1 where a threshold is missed
import Glibc

let arguments = CommandLine.arguments.dropFirst()
guard arguments.allSatisfy({ $0 == "--million" }) else {
  complain("microbenchmarks [--million]")
  exit(64)
}

do {
  var report = Report()
  for songs in [12_000, 100_000] {
    try Parts.measureChanges(songs: songs, &report)
    try Parts(songs: songs).measureRest(&report)
  }
  if !arguments.isEmpty { try Parts.measureChanges(songs: 1_000_000, &report) }
  report.compareGrowth()
  exit(report.isMet ? 0 : 1)
} catch {
  complain("microbenchmarks: \(error)")
  exit(70)
}

func complain(_ message: String) {
  let line = Array((message + "\n").utf8)
  _ = write(STDERR_FILENO, line, line.count)
}
