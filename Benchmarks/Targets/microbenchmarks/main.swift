// Times of the parts that the daemon's answers are made of, without disk (but for the checkpoint),
// socket and scheduler.
//
//   microbenchmarks [--million]       exits with 1 where a threshold is missed
import Glibc

let arguments = Array(CommandLine.arguments.dropFirst())
do {
  if arguments.count == 2, arguments[0] == Changes.option, let songs = Int(arguments[1]) {
    print(try Changes(measuring: songs).line)
    exit(0)
  }
  guard arguments.allSatisfy({ $0 == "--million" }) else {
    complain("microbenchmarks [--million]")
    exit(64)
  }
  var report = Report()
  for songs in [12_000, 100_000] + (arguments.isEmpty ? [] : [1_000_000]) {
    guard let changes = Changes.measuredElsewhere(songs) else {
      complain("microbenchmarks: the process that changes a library of \(songs) songs failed")
      exit(70)
    }
    report.add(changes, songs)
  }
  for songs in [12_000, 100_000] { try Parts(songs: songs).measureAll(&report) }
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
