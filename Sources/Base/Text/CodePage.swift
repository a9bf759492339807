import CUnicode

/// The code pages that programs have used for lists that are not UTF-8, by the C library's names.
/// The likeliest come first: if two lead to the same songs, the first is used.
package enum CodePage: String, CaseIterable, Sendable {
  case western = "CP1252"
  case centralEuropean = "CP1250"
  case cyrillic = "CP1251"
  case japanese = "CP932"
  case simplifiedChinese = "CP936"
  case traditionalChinese = "CP950"
  case korean = "CP949"
  case greek = "CP1253"
  case turkish = "CP1254"
  case baltic = "CP1257"
  case hebrew = "CP1255"
  case arabic = "CP1256"
  case vietnamese = "CP1258"
  case thai = "CP874"
  // The console of Windows, for example by `dir /b > list.m3u`.
  case consoleWestern = "CP850"
  case consoleAmerican = "CP437"
  case consoleCentralEuropean = "CP852"
  case consoleCyrillic = "CP866"
  case consoleGreek = "CP737"
  case consoleTurkish = "CP857"
  case consoleBaltic = "CP775"
  case consoleHebrew = "CP862"
  // Old Unix systems and Macs.
  case unixCyrillic = "KOI8-U"
  case unixCentralEuropean = "ISO-8859-2"
  case unixJapanese = "EUC-JP"
  case mac = "MACINTOSH"

  /// - Parameter name: the name as in files, in any case: `windows-1251`, `cp1251`, `Shift_JIS`.
  package init?(named name: String) {
    let plain = name.lowercased().filter { $0.isLetter || $0.isNumber }
    guard let page = Self.names[plain] else { return nil }
    self = page
  }

  private static let names: [String: CodePage] = {
    var names: [String: CodePage] = [
      // Files with these names mostly use the page of Windows, which has more characters.
      "iso88591": .western, "latin1": .western, "iso885915": .western, "latin9": .western,
      "shiftjis": .japanese, "sjis": .japanese, "xsjis": .japanese, "windows31j": .japanese,
      "gbk": .simplifiedChinese, "gb2312": .simplifiedChinese, "euccn": .simplifiedChinese,
      "big5": .traditionalChinese, "euckr": .korean, "uhc": .korean, "koi8r": .unixCyrillic,
      "latin2": .unixCentralEuropean, "macintosh": .mac, "macroman": .mac,
    ]
    for page in allCases {
      let plain = page.rawValue.lowercased().filter { $0.isLetter || $0.isNumber }
      names[plain] = page
      guard plain.hasPrefix("cp") else { continue }
      for other in ["windows", "ibm", ""] { names[other + plain.dropFirst(2)] = page }
    }
    return names
  }()
}

/// The decoders of code pages. They are the C library's, which loads a file for each.
package final class CodePages {
  private var decoders: [CodePage: UnsafeMutableRawPointer]?

  package init() {}

  deinit {
    for decoder in (decoders ?? [:]).values { crated_decoder_close(decoder) }
  }

  /// Opens all decoders that this system has. Otherwise they are opened at their first use, which
  /// is too late for a program that has given up opening files by then.
  package func open() { _ = opened() }

  private func opened() -> [CodePage: UnsafeMutableRawPointer] {
    if let decoders { return decoders }
    var opened: [CodePage: UnsafeMutableRawPointer] = [:]
    for page in CodePage.allCases { opened[page] = crated_decoder_open(page.rawValue) }
    decoders = opened
    return opened
  }

  /// Returns the text as UTF-8, with U+FFFD for each byte that is no character; nil if this system
  /// has no decoder for the page.
  package func decoded(_ bytes: [UInt8], from page: CodePage) -> [UInt8]? {
    guard let decoder = opened()[page] else { return nil }
    crated_decoder_begin(decoder)
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count + bytes.count / 4)
    bytes.withUnsafeBufferPointer { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        let (used, isOdd) = Self.decode(UnsafeBufferPointer(rebasing: rest), decoder, into: &text)
        rest = rest.dropFirst(used)
        // The character is invalid, or cut off at the end.
        if isOdd || used == 0 {
          text += [0xEF, 0xBF, 0xBD]
          rest = rest.dropFirst()
        }
      }
      // Flushes letters that wait for an accent.
      _ = Self.decode(UnsafeBufferPointer(start: nil, count: 0), decoder, into: &text)
    }
    return text
  }

  /// Decodes as much as fits into the buffer.
  private static func decode(
    _ bytes: UnsafeBufferPointer<UInt8>, _ decoder: UnsafeMutableRawPointer,
    into text: inout [UInt8]
  ) -> (used: Int, isOdd: Bool) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 16 << 10) { room in
      var (used, isOdd) = (0, false)
      guard let start = room.baseAddress else { return (0, false) }
      let count = crated_decode(
        decoder, bytes.baseAddress, bytes.count, &used, &isOdd, start, room.count)
      text += room[..<count]
      return (used, isOdd)
    }
  }
}
