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

static void fail(j_common_ptr codec) { longjmp(((failure *)codec->err)->end, 1); }

// What a library says on standard error nobody would read.
static void say_nothing(j_common_ptr codec) { (void)codec; }

static struct jpeg_error_mgr *prepared(failure *failure) {
  jpeg_std_error(&failure->base);
  failure->base.error_exit = fail;
  failure->base.output_message = say_nothing;
  return &failure->base;
}

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
  decoder.err = prepared(&failure);
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

// The destination is memory of the caller's, from beginning to end.
static void begin_writing(j_compress_ptr encoder) { (void)encoder; }
static void end_writing(j_compress_ptr encoder) { (void)encoder; }

static boolean fail_when_full(j_compress_ptr encoder) {
  fail((j_common_ptr)encoder);
  return FALSE;
}

// Under setjmp: all that must survive is in the structures.
static void encode(struct jpeg_compress_struct *encoder, const uint8_t *rgb, uint32_t width,
                   uint32_t height) {
  enum { channels = 3 };
  encoder->image_width = width;
  encoder->image_height = height;
  encoder->input_components = channels;
  encoder->in_color_space = JCS_RGB;
  // Its defaults have colours at half the resolution, and JFIF's header as the only one.
  jpeg_set_defaults(encoder);
  jpeg_set_quality(encoder, CRATED_JPEG_QUALITY, TRUE);
  encoder->optimize_coding = TRUE;
  jpeg_start_compress(encoder, TRUE);
  while (encoder->next_scanline < height) {
    JSAMPROW row = (JSAMPROW)(rgb + (size_t)encoder->next_scanline * width * channels);
    jpeg_write_scanlines(encoder, &row, 1);
  }
  jpeg_finish_compress(encoder);
}

size_t crated_encode_jpeg(const uint8_t *rgb, uint32_t width, uint32_t height, uint8_t *jpeg) {
  if (width == 0 || height == 0 || width > CRATED_SIDE_MOST || height > CRATED_SIDE_MOST) return 0;
  struct jpeg_compress_struct encoder;
  struct jpeg_destination_mgr destination = {
      .next_output_byte = jpeg,
      .free_in_buffer = CRATED_THUMBNAIL_BYTES_MOST,
      .init_destination = begin_writing,
      .empty_output_buffer = fail_when_full,
      .term_destination = end_writing,
  };
  failure failure;
  volatile int is_made = 0;
  memset(&encoder, 0, sizeof encoder);
  encoder.err = prepared(&failure);
  if (setjmp(failure.end) == 0) {
    jpeg_create_compress(&encoder);
    encoder.dest = &destination;
    encode(&encoder, rgb, width, height);
    is_made = 1;
  }
  jpeg_destroy_compress(&encoder);
  return is_made ? CRATED_THUMBNAIL_BYTES_MOST - destination.free_in_buffer : 0;
}
