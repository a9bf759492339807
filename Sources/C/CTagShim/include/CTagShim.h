#ifndef CTAGSHIM_H
#define CTAGSHIM_H
// One song file's tags, read with TagLib, and the digest of its sound. Only crate-tag-reader calls
// this: it takes bytes that nobody vouches for through a large C++ library.
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

// What a song says in text, in the order of crated_song.texts.
enum {
  CRATED_TITLE,
  CRATED_ARTIST,
  CRATED_ALBUM,
  CRATED_ALBUM_ARTIST,
  CRATED_COMPOSER,
  CRATED_GENRE,
  CRATED_DATE,
  CRATED_ORIGINAL_DATE,
  CRATED_DISC,
  CRATED_DISC_TOTAL,
  CRATED_TRACK,
  CRATED_TRACK_TOTAL,
  CRATED_COMPILATION,
  CRATED_TITLE_SORT,
  CRATED_ARTIST_SORT,
  CRATED_ALBUM_SORT,
  CRATED_ALBUM_ARTIST_SORT,
  CRATED_RECORDING,
  CRATED_RELEASE,
  CRATED_RELEASE_ARTIST,
  CRATED_CODEC,
  CRATED_FORMAT,
  CRATED_TEXT_COUNT
};

enum {
  CRATED_TEXT_BYTES_MOST = 64 * 1024,
  CRATED_ROOM_BYTES = CRATED_TEXT_COUNT * CRATED_TEXT_BYTES_MOST,
  // A larger picture is none. As base64 it still fits into one answer to a client.
  CRATED_PICTURE_BYTES_MOST = 6 * 1000 * 1000
};

// How a reading ended. Anything but CRATED_SONG_READ leaves no tags: tags that are missing and tags
// that could not be read must never look alike.
enum {
  CRATED_SONG_READ = 0,
  CRATED_SONG_EMPTY = 1,       // a file of no bytes
  CRATED_SONG_UNKNOWN = 2,     // no sound that TagLib knows
  CRATED_SONG_TOO_LARGE = 3,   // more reading than a song is worth
  CRATED_SONG_DISK_ERROR = 4,  // see error_number
  CRATED_SONG_BROKEN = 5,      // TagLib threw
  CRATED_SONG_UNSUPPORTED = 6, // a kind of sound that this TagLib has no reader for
  CRATED_SONG_DAMAGED = 7      // one that it has a reader for, which makes nothing of it
};

typedef struct {
  uint32_t offset;  // into the room that was given
  uint32_t count;   // bytes of UTF-8; 0: missing
} crated_text;

typedef struct {
  int32_t status;
  // errno of a disk error; of a kind that isn't supported TagLib's version, as 11300 for 1.13.
  int32_t error_number;
  crated_text texts[CRATED_TEXT_COUNT];
  // 0: it does not say.
  int64_t milliseconds;
  int64_t kilobits_per_second;
  int64_t hertz;
  int64_t channels;
  int32_t has_digest;
  uint64_t digest_high;
  uint64_t digest_low;
  // Of the picture that crated_read_picture gives; 0: there is none.
  uint64_t cover;
} crated_song;

// Reads from a descriptor of a regular file, which stays open; where its position is, is not said.
// The extension is a hint, in lower case and without a dot. The room takes CRATED_ROOM_BYTES.
void crated_read_song(
    int descriptor, const char *_Nonnull extension, uint8_t *_Nonnull room,
    crated_song *_Nonnull song);

// The front cover that is in a file, else its first picture. The room takes
// CRATED_PICTURE_BYTES_MOST. Returns its bytes' count; 0: there is none.
size_t crated_read_picture(
    int descriptor, const char *_Nonnull extension, uint8_t *_Nonnull room);

// All of a file that is no longer than a picture may be. Returns its bytes' count; 0: it is, or
// can't be read.
size_t crated_read_whole(int descriptor, uint8_t *_Nonnull room);

// What tells pictures apart; never 0.
uint64_t crated_picture_digest(const uint8_t *_Nonnull bytes, size_t count);

// By which names the TagLib that is linked knows files that it reads, one a line, in lower case.
const char *_Nonnull crated_taglib_extensions(void);

// Such as "1.13".
const char *_Nonnull crated_taglib_version(void);

#ifdef __cplusplus
}
#endif
#endif
