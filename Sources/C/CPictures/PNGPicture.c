#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include <png.h>

#include "CPictures.h"
#include "Shrinking.h"

enum {
  side_most = 65535,
  // Of one chunk that isn't pixels, and of such chunks.
  chunk_bytes_most = 8 << 20,
  chunks_most = 128,
};

typedef struct {
  crated_picture *picture;
  size_t place;
  // All rows where they come in several passes, else one.
  uint8_t *rows;
} source;

static void take(png_structp decoder, png_bytep to, png_size_t count) {
  source *from = png_get_io_ptr(decoder);
  if (count > from->picture->count - from->place) png_error(decoder, "cut off");
  memcpy(to, from->picture->bytes + from->place, count);
  from->place += count;
}

static void fail(png_structp decoder, png_const_charp words) {
  (void)words;
  png_longjmp(decoder, 1);
}

static void say_nothing(png_structp decoder, png_const_charp words) {
  (void)decoder;
  (void)words;
}

// On white, in place.
static void to_rgb(uint8_t *row, uint32_t width) {
  uint8_t *to = row;
  for (uint32_t i = 0; i < width; i++, row += 4)
    for (int channel = 0; channel < 3; channel++)
      *to++ = (uint8_t)((row[channel] * row[3] + 255 * (255 - row[3]) + 127) / 255);
}

// Whatever there is becomes four bytes a pixel.
static void ask_for_rgba(png_structp decoder) {
  png_set_expand(decoder);
  png_set_scale_16(decoder);
  png_set_gray_to_rgb(decoder);
  png_set_add_alpha(decoder, 0xFF, PNG_FILLER_AFTER);
}

// Under setjmp: all that must survive is in the structures.
static int decode(png_structp decoder, png_infop header, source *from) {
  crated_picture *picture = from->picture;
  png_set_read_fn(decoder, from, take);
  png_set_user_limits(decoder, side_most, side_most);
  png_set_chunk_malloc_max(decoder, chunk_bytes_most);
  png_set_chunk_cache_max(decoder, chunks_most);
  png_read_info(decoder, header);
  uint32_t width = png_get_image_width(decoder, header);
  uint32_t height = png_get_image_height(decoder, header);
  if ((uint64_t)width * height > CRATED_PIXELS_MOST) return 0;
#ifdef PNG_eXIf_SUPPORTED
  png_uint_32 exif_count = 0;
  png_bytep exif = NULL;
  if (png_get_eXIf_1(decoder, header, &exif_count, &exif) != 0 && exif)
    picture->orientation = crated_orientation(exif, exif_count);
#endif
  ask_for_rgba(decoder);
  int passes = png_set_interlace_handling(decoder);
  png_read_update_info(decoder, header);
  size_t row_bytes = png_get_rowbytes(decoder, header);
  if (row_bytes != (size_t)width * 4) return 0;
  if (!crated_shrinking_begin(&picture->shrinking, width, height, picture->side, picture->rgb))
    return 0;
  from->rows = calloc(passes > 1 ? height : 1, row_bytes);
  if (!from->rows) return 0;
  for (int pass = 0; pass < passes - 1; pass++)
    for (uint32_t row = 0; row < height; row++)
      png_read_row(decoder, from->rows + row * row_bytes, NULL);
  for (uint32_t row = 0; row < height; row++) {
    uint8_t *bytes = from->rows + (passes > 1 ? row * row_bytes : 0);
    png_read_row(decoder, bytes, NULL);
    to_rgb(bytes, width);
    crated_shrinking_take(&picture->shrinking, bytes);
  }
  return 1;
}

int crated_decode_png(crated_picture *picture) {
  source from = {.picture = picture};
  volatile int is_made = 0;
  png_structp decoder = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, fail, say_nothing);
  png_infop header = decoder ? png_create_info_struct(decoder) : NULL;
  if (header && setjmp(png_jmpbuf(decoder)) == 0) is_made = decode(decoder, header, &from);
  png_destroy_read_struct(&decoder, &header, NULL);
  free(from.rows);
  crated_shrinking_end(&picture->shrinking);
  return is_made;
}
