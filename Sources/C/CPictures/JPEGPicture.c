#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>

#include "CPictures.h"
#include "Shrinking.h"

typedef struct {
  struct jpeg_error_mgr base;
  jmp_buf end;
} failure;

static void fail(j_common_ptr decoder) { longjmp(((failure *)decoder->err)->end, 1); }

// What a library says on standard error nobody would read.
static void say_nothing(j_common_ptr decoder) { (void)decoder; }

static int orientation_of(const struct jpeg_decompress_struct *decoder) {
  enum { name_size = 6 };
  for (jpeg_saved_marker_ptr marker = decoder->marker_list; marker; marker = marker->next)
    if (marker->data_length > name_size && memcmp(marker->data, "Exif\0\0", name_size) == 0)
      return crated_orientation(marker->data + name_size, marker->data_length - name_size);
  return 1;
}

// The decoder shrinks by eighths, which costs less than nothing: as far as it may.
static void choose_scale(struct jpeg_decompress_struct *decoder, uint32_t side) {
  uint32_t width, height;
  crated_fit(decoder->image_width, decoder->image_height, side, &width, &height);
  decoder->scale_denom = 8;
  for (decoder->scale_num = 1; decoder->scale_num < 8; decoder->scale_num++) {
    jpeg_calc_output_dimensions(decoder);
    if (decoder->output_width >= width && decoder->output_height >= height) return;
  }
}

// Printers' colours, in place. Adobe's programs, from which nearly all are, write them inverted.
static void to_rgb(const uint8_t *cmyk, uint8_t *rgb, uint32_t width) {
  for (uint32_t i = 0; i < width; i++, cmyk += 4, rgb += 3)
    for (int channel = 0; channel < 3; channel++)
      rgb[channel] = (uint8_t)((cmyk[channel] * cmyk[3] + 127) / 255);
}

// Under setjmp: all that must survive is in the structures.
static void decode(struct jpeg_decompress_struct *decoder, crated_picture *picture, int *is_made) {
  jpeg_mem_src(decoder, (unsigned char *)picture->bytes, (unsigned long)picture->count);
  jpeg_save_markers(decoder, JPEG_APP0 + 1, 0xFFFF);
  if (jpeg_read_header(decoder, TRUE) != JPEG_HEADER_OK) return;
  uint64_t pixels = (uint64_t)decoder->image_width * decoder->image_height;
  if (pixels == 0 || pixels > CRATED_PIXELS_MOST) return;
  picture->orientation = orientation_of(decoder);
  int is_printed =
      decoder->jpeg_color_space == JCS_CMYK || decoder->jpeg_color_space == JCS_YCCK;
  decoder->out_color_space = is_printed ? JCS_CMYK : JCS_RGB;
  decoder->do_fancy_upsampling = FALSE;
  choose_scale(decoder, picture->side);
  jpeg_start_decompress(decoder);
  if (!crated_shrinking_begin(&picture->shrinking, decoder->output_width, decoder->output_height,
                              picture->side, picture->rgb))
    return;
  // Of the decoder's own memory, which goes with it.
  JSAMPARRAY rows = decoder->mem->alloc_sarray(
      (j_common_ptr)decoder, JPOOL_IMAGE,
      decoder->output_width * (JDIMENSION)decoder->output_components, 1);
  while (decoder->output_scanline < decoder->output_height) {
    jpeg_read_scanlines(decoder, rows, 1);
    if (is_printed) to_rgb(rows[0], rows[0], decoder->output_width);
    crated_shrinking_take(&picture->shrinking, rows[0]);
  }
  *is_made = 1;
}

int crated_decode_jpeg(crated_picture *picture) {
  struct jpeg_decompress_struct decoder;
  failure failure;
  volatile int is_made = 0;
  memset(&decoder, 0, sizeof decoder);
  decoder.err = jpeg_std_error(&failure.base);
  failure.base.error_exit = fail;
  failure.base.output_message = say_nothing;
  if (setjmp(failure.end) == 0) {
    jpeg_create_decompress(&decoder);
    int made = 0;
    decode(&decoder, picture, &made);
    is_made = made;
  }
  jpeg_destroy_decompress(&decoder);
  crated_shrinking_end(&picture->shrinking);
  return is_made;
}
