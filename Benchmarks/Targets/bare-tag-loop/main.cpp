// Reads the tags of many files and does nothing with them, in several processes, and says how long
// that took: what a first scan can't be quicker than.
//
//   bare-tag-loop taglib|reader PROCESSES LIST      the list: paths, each with a NUL behind it
//
// taglib: TagLib as everybody uses it, by path, and as many bytes of the file as a digest takes.
// reader: what crate-tag-reader does with a file, without the sockets around it.
#include <atomic>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <audioproperties.h>
#include <fileref.h>
#include <tpropertymap.h>

#include "CTagShim.h"

namespace {

// As many windows, and as large, as the digest has.
constexpr size_t windowBytes = 16 * 1024;
constexpr int windows = 3;
// So many files are taken at a time: the processes end at the same moment, whatever they got.
constexpr size_t bite = 16;

struct Shared {
  std::atomic<size_t> next;
  std::atomic<size_t> read;
};

bool readByTagLib(const char *path) {
  TagLib::FileRef reference(path, true, TagLib::AudioProperties::Fast);
  if (reference.isNull()) return false;
  bool says = !reference.file()->properties().isEmpty();
  TagLib::AudioProperties *properties = reference.audioProperties();
  if (properties) says = says || properties->lengthInMilliseconds() > 0;

  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  struct stat status;
  static uint8_t window[windowBytes];
  if (fstat(file, &status) == 0) {
    for (int i = 1; i <= windows; i++) {
      off_t end = status.st_size * i / windows;
      off_t begin = end > off_t(windowBytes) ? end - off_t(windowBytes) : 0;
      says = pread(file, window, windowBytes, begin) > 0 && says;
    }
  }
  close(file);
  return says;
}

std::string extensionOf(const char *path) {
  const char *dot = std::strrchr(path, '.');
  std::string extension = dot ? dot + 1 : "";
  for (char &letter : extension) letter = char(std::tolower((unsigned char)letter));
  return extension;
}

bool readAsReader(const char *path) {
  static std::unique_ptr<uint8_t[]> room(new uint8_t[CRATED_ROOM_BYTES]);
  static crated_song song;
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  crated_read_song(file, extensionOf(path).c_str(), room.get(), &song);
  close(file);
  return song.status == CRATED_SONG_READ;
}

void work(const std::vector<const char *> &paths, bool (*read)(const char *), Shared &shared) {
  while (true) {
    size_t begin = shared.next.fetch_add(bite);
    if (begin >= paths.size()) return;
    size_t end = std::min(begin + bite, paths.size());
    for (size_t i = begin; i < end; i++) {
      if (read(paths[i])) shared.read += 1;
    }
  }
}

double now() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return double(time.tv_sec) + double(time.tv_nsec) / 1e9;
}

int fail(const char *words) {
  std::fprintf(stderr, "bare-tag-loop: %s\n", words);
  return 64;
}

}  // namespace

int main(int count, char **arguments) {
  if (count != 4) return fail("taglib|reader PROCESSES LIST");
  bool isReader = std::strcmp(arguments[1], "reader") == 0;
  if (!isReader && std::strcmp(arguments[1], "taglib") != 0) return fail("taglib or reader?");
  int processes = std::atoi(arguments[2]);
  if (processes < 1 || processes > 64) return fail("1 to 64 processes");

  std::ifstream file(arguments[3], std::ios::binary);
  std::string list((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  std::vector<const char *> paths;
  for (size_t place = 0; place < list.size(); place += std::strlen(&list[place]) + 1) {
    paths.push_back(&list[place]);
  }
  if (paths.empty()) return fail("there is nothing in the list");

  void *memory = mmap(
      nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return fail("no memory can be shared");
  Shared &shared = *new (memory) Shared{};

  double begin = now();
  for (int i = 0; i < processes; i++) {
    pid_t child = fork();
    if (child < 0) return fail("no process can be started");
    if (child == 0) {
      work(paths, isReader ? readAsReader : readByTagLib, shared);
      _exit(0);
    }
  }
  bool isWhole = true;
  int status;
  while (wait(&status) > 0) isWhole = isWhole && status == 0;
  double seconds = now() - begin;
  if (!isWhole) return fail("a process ended badly");
  std::printf("%.6f %zu of %zu\n", seconds, shared.read.load(), paths.size());
  return 0;
}
