#include "Shrinking.h"

#include <stdlib.h>
#include <string.h>

// Of a colour, behind the point, while rows are narrow and not yet low.
enum { fraction_bits = 8, channels = 3 };

void crated_fit(uint32_t width, uint32_t height, uint32_t side, uint32_t *new_width,
                uint32_t *new_height) {
  uint32_t longer = width > height ? width : height;
  *new_width = width;
  *new_height = height;
  if (longer <= side) return;
  *new_width = (uint32_t)(((uint64_t)width * side + longer / 2) / longer);
  *new_height = (uint32_t)(((uint64_t)height * side + longer / 2) / longer);
  if (*new_width == 0) *new_width = 1;
  if (*new_height == 0) *new_height = 1;
}

int crated_shrinking_begin(crated_shrinking *shrinking, uint32_t width, uint32_t height,
                           uint32_t side, uint8_t *rgb) {
  memset(shrinking, 0, sizeof *shrinking);
  shrinking->width = width;
  shrinking->height = height;
  shrinking->rgb = rgb;
  crated_fit(width, height, side, &shrinking->new_width, &shrinking->new_height);
  shrinking->narrow = calloc((size_t)shrinking->new_width * channels, sizeof *shrinking->narrow);
  shrinking->sums = calloc((size_t)shrinking->new_width * channels, sizeof *shrinking->sums);
  return shrinking->narrow && shrinking->sums;
}

void crated_shrinking_end(crated_shrinking *shrinking) {
  free(shrinking->narrow);
  free(shrinking->sums);
  shrinking->narrow = NULL;
  shrinking->sums = NULL;
}

// Along a row an old pixel is as long as there are new ones, and a new one as long as there are old
// ones, so that all lengths are whole numbers.
static void narrow_row(crated_shrinking *shrinking, const uint8_t *row) {
  uint64_t width = shrinking->width;
  uint64_t new_width = shrinking->new_width;
  uint64_t column = 0;
  for (uint64_t new_column = 0; new_column < new_width; new_column++) {
    uint64_t start = new_column * width;
    uint64_t end = start + width;
    uint64_t sums[channels] = {0};
    for (;; column++) {
      uint64_t from = column * new_width;
      uint64_t to = from + new_width;
      uint64_t share = (to < end ? to : end) - (from > start ? from : start);
      const uint8_t *pixel = row + column * channels;
      for (int channel = 0; channel < channels; channel++) sums[channel] += pixel[channel] * share;
      // The same pixel goes on in the next one, unless it ends here, too.
      if (to >= end) {
        if (to == end) column++;
        break;
      }
    }
    for (int channel = 0; channel < channels; channel++)
      shrinking->narrow[new_column * channels + channel] =
          (uint32_t)(((sums[channel] << fraction_bits) + width / 2) / width);
  }
}

static void add(crated_shrinking *shrinking, uint64_t share) {
  size_t count = (size_t)shrinking->new_width * channels;
  for (size_t i = 0; i < count; i++) shrinking->sums[i] += shrinking->narrow[i] * share;
}

static void finish_row(crated_shrinking *shrinking) {
  size_t count = (size_t)shrinking->new_width * channels;
  uint8_t *to = shrinking->rgb + shrinking->new_row * count;
  uint64_t whole = (uint64_t)shrinking->height << fraction_bits;
  for (size_t i = 0; i < count; i++) {
    to[i] = (uint8_t)((shrinking->sums[i] + whole / 2) / whole);
    shrinking->sums[i] = 0;
  }
  shrinking->new_row++;
}

void crated_shrinking_take(crated_shrinking *shrinking, const uint8_t *row) {
  if (shrinking->row >= shrinking->height) return;
  narrow_row(shrinking, row);
  uint64_t from = (uint64_t)shrinking->row * shrinking->new_height;
  uint64_t to = from + shrinking->new_height;
  // It lies in one new row, or in two.
  uint64_t end = ((uint64_t)shrinking->new_row + 1) * shrinking->height;
  add(shrinking, (to < end ? to : end) - from);
  if (to >= end) {
    finish_row(shrinking);
    if (to > end) add(shrinking, to - end);
  }
  shrinking->row++;
}
