#include "CPictures.h"

#include <string.h>

#include "Shrinking.h"

static int is_jpeg(const uint8_t *bytes, size_t count) {
  return count >= 3 && memcmp(bytes, "\xFF\xD8\xFF", 3) == 0;
}

static int is_png(const uint8_t *bytes, size_t count) {
  return count >= 8 && memcmp(bytes, "\x89PNG\r\n\x1A\n", 8) == 0;
}

int crated_is_picture(const uint8_t *bytes, size_t count) {
  return is_jpeg(bytes, count) || is_png(bytes, count);
}

int crated_make_thumbnail(const uint8_t *bytes, size_t count, uint32_t side, uint8_t *rgb,
                          uint32_t *width, uint32_t *height) {
  *width = 0;
  *height = 0;
  if (side < CRATED_SIDE_LEAST || side > CRATED_SIDE_MOST) return 0;
  crated_picture picture = {
      .bytes = bytes, .count = count, .side = side, .rgb = rgb, .orientation = 1};
  int is_made = is_jpeg(bytes, count)  ? crated_decode_jpeg(&picture)
                : is_png(bytes, count) ? crated_decode_png(&picture)
                                       : 0;
  uint32_t made_width = picture.shrinking.new_width;
  uint32_t made_height = picture.shrinking.new_height;
  if (!is_made || !crated_turn(picture.orientation, rgb, &made_width, &made_height)) return 0;
  *width = made_width;
  *height = made_height;
  return 1;
}
