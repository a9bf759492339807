// Walks a folder and asks for every file's status, on one thread, and says how long that took: the
// least that anybody does who looks whether something has changed.
//
//   bare-walk FOLDER [ROUNDS]       prints seconds, directories and files, a line for each round
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

namespace {

struct Walk {
  unsigned long directories = 0;
  unsigned long files = 0;
  // So that nobody leaves a status out because nobody looks at it.
  unsigned long long sizes = 0;
  bool failed = false;

  void look(int parent, const char *name) {
    int directory = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (directory < 0) {
      failed = true;
      return;
    }
    directories += 1;
    std::vector<std::string> below;
    alignas(dirent64) char names[32 * 1024];
    long count;
    while ((count = syscall(SYS_getdents64, directory, names, sizeof names)) > 0) {
      for (long place = 0; place < count;) {
        auto entry = reinterpret_cast<dirent64 *>(names + place);
        place += entry->d_reclen;
        take(directory, *entry, below);
      }
    }
    failed = failed || count < 0;
    for (const std::string &folder : below) look(directory, folder.c_str());
    close(directory);
  }

  void take(int directory, const dirent64 &entry, std::vector<std::string> &below) {
    if (std::strcmp(entry.d_name, ".") == 0 || std::strcmp(entry.d_name, "..") == 0) return;
    struct statx status;
    unsigned wanted = STATX_BASIC_STATS | STATX_BTIME;
    if (statx(directory, entry.d_name, AT_SYMLINK_NOFOLLOW, wanted, &status) != 0) {
      failed = true;
    } else if (S_ISDIR(status.stx_mode)) {
      below.emplace_back(entry.d_name);
    } else {
      files += 1;
      sizes += status.stx_size;
    }
  }
};

double now() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return double(time.tv_sec) + double(time.tv_nsec) / 1e9;
}

}  // namespace

int main(int count, char **arguments) {
  if (count < 2 || count > 3) {
    std::fputs("bare-walk FOLDER [ROUNDS]\n", stderr);
    return 64;
  }
  int rounds = count == 3 ? std::atoi(arguments[2]) : 1;
  for (int round = 0; round < rounds; round++) {
    Walk walk;
    double begin = now();
    walk.look(AT_FDCWD, arguments[1]);
    double seconds = now() - begin;
    if (walk.failed) {
      std::fputs("bare-walk: something in the folder can't be read\n", stderr);
      return 66;
    }
    std::printf("%.6f %lu %lu\n", seconds, walk.directories, walk.files);
  }
  return 0;
}
