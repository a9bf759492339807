#include "CUnicode.h"

#include <stdlib.h>
#include <string.h>

#include <utf8proc.h>

// Most names have fewer characters. Longer ones take memory from the heap.
enum { FEW = 256 };
// Unicode's folding makes no more than three characters of one, by its stability policy.
enum { FOLDED_MOST = 3 };

static bool is_blank(int32_t point) {
  return (point >= 0x09 && point <= 0x0D) || point == 0x20 || point == 0x85 || point == 0xA0 ||
         point == 0x1680 || (point >= 0x2000 && point <= 0x200A) || point == 0x2028 ||
         point == 0x2029 || point == 0x202F || point == 0x205F || point == 0x3000;
}

// Folds what is decomposed and in canonical order, and leaves it so: what a character folds to is
// decomposed, and none of it is a mark, but where the character itself is that mark.
//
// `points` has room for three times `count`; the text is in its last third.
static size_t fold(int32_t *points, size_t count) {
  size_t used = 0;
  for (size_t index = 2 * count; index < 3 * count; index++) {
    int32_t point = points[index];
    // Dotless: Unicode leaves it, but its capital is I. Former stores have it as i, too.
    if (point == 0x131) point = 'i';
    int32_t folded[FOLDED_MOST];
    int boundary = 0;
    ptrdiff_t length = utf8proc_decompose_char(
        point, folded, FOLDED_MOST, UTF8PROC_CASEFOLD | UTF8PROC_DECOMPOSE | UTF8PROC_STABLE,
        &boundary);
    if (length < 0 || length > FOLDED_MOST) {
      folded[0] = point;
      length = 1;
    }
    // Never beyond what has been read: used + length <= 3 * (index - 2 * count + 1) <= index + 1.
    memcpy(points + used, folded, (size_t)length * sizeof *points);
    used += (size_t)length;
  }
  return used;
}

typedef struct {
  uint8_t *room;
  size_t capacity;
  size_t count;
} output;

static void append(output *out, int32_t point) {
  uint8_t bytes[4];
  size_t length = (size_t)utf8proc_encode_char(point, bytes);
  if (out->count + length <= out->capacity) memcpy(out->room + out->count, bytes, length);
  out->count += length;
}

static size_t encode(const int32_t *points, size_t count, bool folds, uint8_t *room,
                     size_t capacity) {
  output out = {room, capacity, 0};
  bool follows_blank = false;
  for (size_t index = 0; index < count; index++) {
    if (folds && is_blank(points[index])) {
      follows_blank = out.count > 0;
      continue;
    }
    if (follows_blank) append(&out, 0x20);
    follows_blank = false;
    append(&out, points[index]);
  }
  return out.count;
}

// As many characters, in memory that is the caller's to free where it is not `few`, behind room for
// twice as many. -1 where the text is not UTF-8.
static ptrdiff_t decompose(const uint8_t *text, size_t count, utf8proc_option_t options,
                           int32_t few[FOLDED_MOST * FEW], int32_t **points) {
  *points = few;
  ptrdiff_t length = utf8proc_decompose(text, (ptrdiff_t)count, few + 2 * FEW, FEW, options);
  if (length < 0) return -1;
  if (length > FEW) {
    *points = malloc((size_t)length * FOLDED_MOST * sizeof **points);
    // Names have a bound: where there is no memory for one, there is none for anything.
    if (!*points) abort();
    utf8proc_decompose(text, (ptrdiff_t)count, *points + 2 * length, length, options);
  } else {
    memmove(few + 2 * length, few + 2 * FEW, (size_t)length * sizeof *few);
  }
  return length;
}

ptrdiff_t crated_normalise(const uint8_t *text, size_t count, bool folds, uint8_t *room,
                           size_t capacity) {
  if (count == 0) return 0;
  int32_t few[FOLDED_MOST * FEW];
  int32_t *points;
  ptrdiff_t length =
      decompose(text, count,
                UTF8PROC_DECOMPOSE | UTF8PROC_STABLE | (folds ? UTF8PROC_IGNORE : 0), few, &points);
  if (length < 0) return -1;
  int32_t *start = folds ? points : points + 2 * length;
  if (folds) length = (ptrdiff_t)fold(points, (size_t)length);
  length = utf8proc_normalize_utf32(start, length, UTF8PROC_COMPOSE | UTF8PROC_STABLE);
  ptrdiff_t result =
      length < 0 ? -1 : (ptrdiff_t)encode(start, (size_t)length, folds, room, capacity);
  if (points != few) free(points);
  return result;
}

ptrdiff_t crated_take_apart(const uint8_t *text, size_t count, uint8_t *room, size_t capacity) {
  if (count == 0) return 0;
  int32_t few[FOLDED_MOST * FEW];
  int32_t *points;
  ptrdiff_t length = decompose(
      text, count, UTF8PROC_DECOMPOSE | UTF8PROC_COMPAT | UTF8PROC_STABLE | UTF8PROC_IGNORE,
      few, &points);
  if (length < 0) return -1;
  ptrdiff_t result =
      (ptrdiff_t)encode(points + 2 * length, (size_t)length, false, room, capacity);
  if (points != few) free(points);
  return result;
}
