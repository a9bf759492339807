import Glibc
import ProgramSupport
import TestSupport
import Testing

/// How the programs get to where they run. The programs are those of this build; those of a release
/// are tried by `make test-deb`.
@Suite("Packages", .serialized, .limited)
struct PackageTests {
  let folder: TemporaryFolder
  let scripts: String
  let products: String

  init() throws {
    folder = try TemporaryFolder()
    scripts = Repository.path("scripts")
    products = String(try Home.program("crated").dropLast("/crated".count))
  }

  private func files() throws -> [String] {
    try run("find", [folder.path("root"), "!", "-type", "d", "-printf", "%P %m\n"]).output
      .split(separator: "\n").map(String.init).sorted()
  }

  private func install(_ action: String, _ prefix: String) throws -> ProgramResult {
    let words = ["\(scripts)/install.sh", action, products, prefix, folder.path("root")]
    let environment = ["HOME": "/home/ada"]
    let result = try run("env", ["-u", "XDG_CONFIG_HOME", "sh"] + words, environment: environment)
    #expect(result.status == 0, "\(result.errors)")
    return result
  }

  @Test(
    "What is installed is where it is looked for, and goes again",
    arguments: [
      ("/home/ada/.local", "home/ada/.config/systemd/user"),
      ("/usr/local", "usr/local/lib/systemd/user"),
    ])
  func installs(prefix: String, units: String) throws {
    let said = try install("install", prefix).output
    #expect(said.contains("systemctl --user enable --now crated\n"))
    let base = prefix.dropFirst()
    let (pages, others) = try files().reduce(into: ([String](), [String]())) { parts, file in
      if file.contains("/doc/crated/Documentation/") {
        parts.0.append(file)
      } else {
        parts.1.append(file)
      }
    }
    for name in ["README.md", "users/players.md", "developers/database.md", "pictures/window.webp"]
    {
      #expect(pages.contains("\(base)/share/doc/crated/Documentation/\(name) 644"), "\(name)")
    }
    #expect(
      others
        == [
          "\(base)/bin/crate 755", "\(base)/bin/crated 755",
          "\(base)/libexec/crated/crate-tag-reader 755",
          "\(units)/crated.service 644", "\(units)/crated-web.service 644",
          "\(units)/crated.socket 644",
          "\(base)/share/bash-completion/completions/crate 644",
          "\(base)/share/bash-completion/completions/crated 644",
          "\(base)/share/doc/crated/CHANGELOG.md 644", "\(base)/share/doc/crated/LICENSE 644",
          "\(base)/share/doc/crated/README.md 644",
          "\(base)/share/doc/crated/config.example.toml 644",
          "\(base)/share/doc/crated/namespaces.conf 644",
          "\(base)/share/fish/vendor_completions.d/crate.fish 644",
          "\(base)/share/fish/vendor_completions.d/crated.fish 644",
          "\(base)/share/man/man1/crate.1 644", "\(base)/share/man/man5/crated.toml.5 644",
          "\(base)/share/man/man8/crated.8 644", "\(base)/share/zsh/site-functions/_crate 644",
          "\(base)/share/zsh/site-functions/_crated 644",
        ].sorted())
    for (name, command) in [("crated", "crated"), ("crated-web", "crated web")] {
      let unit = try readFile(folder.path("root/\(units)/\(name).service"))
      let line = "\nExecStart=\(prefix)/bin/\(command)\n"
      #expect(String(decoding: unit, as: UTF8.self).contains(line), "\(name)")
    }
    _ = try install("uninstall", prefix)
    #expect(try files() == [])
  }

  @Test("A daemon that was left running gives way to what is installed")
  func givesWay() throws {
    let home = try Home()
    let daemon = try RunningDaemon(home)
    func script(_ action: String) throws -> String {
      let words = ["\(scripts)/install.sh", action, products, home.folder.path(".local"), ""]
      let result = try run("sh", words, environment: home.environment)
      #expect(result.status == 0, "\(result.errors)")
      return result.output
    }
    let said = try script("install")
    #expect(said.contains("(process \(daemon.pid)) has ended, to make room"), "\(said)")
    #expect(try daemon.program.end() == 0)
    let crate = home.folder.path(".local/bin/crate")
    #expect(try run(crate, ["list"], environment: home.environment).status == 69)
    // Nothing runs any more.
    #expect(try !script("install").contains("has ended"))
    #expect(try script("uninstall").contains("Removed."))
    #expect(access(crate, F_OK) != 0)
  }

  @Test("crated's commands and options are completed", arguments: ["bash", "zsh", "fish"])
  func completions(shell: String) throws {
    let script = try run(
      Home.program("crated"), ["--generate-completion-script", shell], environment: [:])
    #expect(script.status == 0 && script.output.contains("config"))
    try folder.write(script.output, to: "script")
    let file = folder.path("script")
    func said(_ words: [String]) throws -> String {
      let result = try run(words[0], Array(words.dropFirst()), environment: ["HOME": folder.path])
      #expect(result.status == 0, "\(result.errors)")
      return result.output
    }
    switch shell {
    case "bash":
      let typed = """
        . '\(file)'; COMP_WORDS=(crated "$1"); COMP_CWORD=1; _crated; echo "${COMPREPLY[*]}"
        """
      #expect(try said(["bash", "-c", typed, "bash", "ch"]) == "check\n")
      #expect(try said(["bash", "-c", typed, "bash", "--c"]) == "--config\n")
    case "fish":
      let found = try said(["fish", "-c", "source '\(file)'; complete -C 'crated res'"])
      #expect(found.hasPrefix("restore\t"), "\(found)")
    default: #expect(try said(["zsh", "-n", file]) == "")
    }
    let wrong = try run(
      Home.program("crated"), ["--generate-completion-script", "csh"], environment: [:])
    #expect(wrong.status == 64)
  }

  @Test("A Debian package is clean, installs, runs, is upgraded and removed", .nightly)
  func debian() throws {
    let built = try run(
      "sh", ["\(scripts)/deb.sh", products, folder.path("deb")], environment: ["DEVELOPMENT": "1"])
    try #require(built.status == 0, "\(built.errors)")
    let package = built.output.trimmingSuffix(while: \.isNewline)
    let name = try #require(package.split(separator: "/").last)
    let version = try run(Home.program("crate"), ["--version"]).output
      .trimmingSuffix(while: \.isNewline)
    #expect(name.hasPrefix("crated_\(version)~"))

    // Programs of this build find Swift where it is, and have their symbols.
    let ours = ["--suppress-tags", "custom-library-search-path,unstripped-binary-or-object"]
    let lint = try run(
      "lintian", ["--allow-root", "--fail-on", "error"] + ours + [String(package)])
    #expect(lint.status == 0, "\(lint.output)\(lint.errors)")

    try SmallLibrary.write(albums: 2, to: try folder.makeFolder("Music"))
    let limit = "\(2 * Patience.seconds)"
    let tried = try run(
      "timeout",
      [
        "--kill-after=5", limit, "bash", "\(scripts)/test-deb.sh", String(package),
        folder.path("Music"),
      ],
      // The list of exceptions that these name is not in the copy of this system.
      environment: ["TSAN_OPTIONS": ""])
    if tried.status == 77, getenv("CRATED_NO_SYSTEMD") != nil { return }
    #expect(tried.status == 0, "\(tried.errors)\(tried.output)")
    #expect(
      tried.output.hasSuffix(
        "songs in their crate: 6\nremoved: none\nleft: \ncrates stay: 1\nall good\n"))
  }
}

extension StringProtocol {
  fileprivate func trimmingSuffix(while isDropped: (Character) -> Bool) -> SubSequence {
    var end = endIndex
    while end > startIndex, isDropped(self[index(before: end)]) { end = index(before: end) }
    return self[..<end]
  }
}
