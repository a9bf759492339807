#include <stdlib.h>
#include <string.h>

#include "Shrinking.h"

static uint32_t number(const uint8_t *bytes, int count, int is_big) {
  uint32_t value = 0;
  for (int i = 0; i < count; i++)
    value |= (uint32_t)bytes[i] << 8 * (is_big ? count - 1 - i : i);
  return value;
}

int crated_orientation(const uint8_t *exif, size_t count) {
  enum { header = 8, entry_size = 12, orientation_tag = 0x0112, short_type = 3 };
  if (count < header) return 1;
  int is_big = memcmp(exif, "MM\0\x2A", 4) == 0;
  if (!is_big && memcmp(exif, "II\x2A\0", 4) != 0) return 1;
  size_t place = number(exif + 4, 4, is_big);
  if (place > count || count - place < 2) return 1;
  uint32_t entries = number(exif + place, 2, is_big);
  place += 2;
  for (uint32_t i = 0; i < entries && count - place >= entry_size; i++, place += entry_size) {
    if (number(exif + place, 2, is_big) != orientation_tag) continue;
    if (number(exif + place + 2, 2, is_big) != short_type) return 1;
    uint32_t value = number(exif + place + 8, 2, is_big);
    return value >= 1 && value <= 8 ? (int)value : 1;
  }
  return 1;
}

int crated_turn(int orientation, uint8_t *rgb, uint32_t *width, uint32_t *height) {
  enum { channels = 3 };
  if (orientation <= 1) return 1;
  uint32_t old_width = *width;
  uint32_t old_height = *height;
  size_t bytes = (size_t)old_width * old_height * channels;
  uint8_t *old = malloc(bytes);
  if (!old) return 0;
  memcpy(old, rgb, bytes);
  // From 5 on its rows are columns.
  int is_across = orientation >= 5;
  uint32_t new_width = is_across ? old_height : old_width;
  uint32_t new_height = is_across ? old_width : old_height;
  // Where the picture's first row and column are, as EXIF has it.
  int from_right = orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8;
  int from_bottom = orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7;
  for (uint32_t row = 0; row < new_height; row++) {
    for (uint32_t column = 0; column < new_width; column++) {
      uint32_t x = is_across ? row : column;
      uint32_t y = is_across ? column : row;
      if (from_right) x = old_width - 1 - x;
      if (from_bottom) y = old_height - 1 - y;
      memcpy(rgb + ((size_t)row * new_width + column) * channels,
             old + ((size_t)y * old_width + x) * channels, channels);
    }
  }
  free(old);
  *width = new_width;
  *height = new_height;
  return 1;
}
