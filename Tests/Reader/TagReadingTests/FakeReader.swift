import Glibc
import LibraryModel
import Synchronization
import TestSupport

/// Programs that stand in for the reader and do on demand what the real one must never do. They
/// look at nothing but a file's extension: `boom` ends them, `hang` stops them, `spin` ends them
/// as computing too long does, `lie` makes them talk nonsense.
struct FakeReader {
  private static let made = Atomic(0)

  let program: BytePath
  /// What its processes are called; others' are called otherwise.
  let name: String
  /// A line for each start.
  let startsPath: String
  private let folder: TemporaryFolder

  /// - Parameters:
  ///   - behaviour: Perl that runs for each file, with `$ext` the extension and `answer()` to write
  ///     an answer.
  ///   - greeted: Perl that runs when it has greeted, before it takes any file.
  ///   - name: what its processes are called, in place of a name of its own.
  init(
    _ behaviour: String = usual, greeting: String = "CRTREAD\\x04\\0", greeted: String = "",
    named name: String? = nil
  ) throws {
    let number = Self.made.wrappingAdd(1, ordering: .relaxed).newValue
    let name = name ?? "reader-\(number)"
    self.name = name
    folder = try TemporaryFolder()
    startsPath = folder.path("starts")
    let script = Self.script
      .replacing("GREETING", with: greeting).replacing("BEHAVIOUR", with: behaviour)
      .replacing("STARTS", with: startsPath).replacing("BEFORE", with: greeted)
    let path = try folder.write(script, to: name)
    chmod(path, 0o755)
    program = BytePath(path)
  }

  /// How often it was started.
  var starts: Int {
    (try? readFile(startsPath).count { $0 == UInt8(ascii: "\n") }) ?? 0
  }

  static let usual = """
    kill 9, $$ if $ext eq 'boom';
    sleep 60 if $ext eq 'hang';
    kill 'PROF', $$ if $ext eq 'spin';
    if ($ext eq 'lie') { syswrite(S, "\\xFF" x 100); sleep 60; }
    answer();
    """

  // The answer is a song of no fields. Like the real one, it holds answers back until the batch is
  // done, unless it is asked for each.
  private static let script = """
    #!/usr/bin/perl
    open(F, '>>', 'STARTS'); syswrite(F, "start\\n"); close F;
    open(S, '+<&=', 3) or exit 1;
    $SIG{PIPE} = 'DEFAULT';
    my $held = '';
    sub answer { $held .= "\\x05\\0\\0\\0\\0\\0\\0\\0\\0"; }
    sub flush { syswrite(S, $held) if length $held; $held = ''; }
    syswrite(S, "GREETING");
    BEFORE
    while (1) {
      my $request = '';
      while (length($request) < 262) {
        sysread(S, $request, 262 - length($request), length($request)) or exit 0;
      }
      my ($q, $count, $each, $wanted, $side, @extensions) = unpack('aCCCv(Z16)16', $request);
      for my $file (0 .. $count - 1) {
        my $ext = $extensions[$file];
        BEHAVIOUR
        flush() if $each;
      }
      flush();
    }

    """
}

extension String {
  /// Every occurrence, without Foundation.
  fileprivate func replacing(_ part: String, with other: String) -> String {
    var result = ""
    var rest = self[...]
    while let range = rest.firstRange(of: part) {
      result += rest[..<range.lowerBound] + other
      rest = rest[range.upperBound...]
    }
    return result + rest
  }
}
