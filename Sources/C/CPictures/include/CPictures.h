#ifndef CPICTURES_H
#define CPICTURES_H
// Covers, decoded, shrunk, and made JPEGs of. Only crate-tag-reader calls this: it takes bytes that
// nobody vouches for through libraries in C.
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

enum {
  CRATED_SIDE_LEAST = 16,
  CRATED_SIDE_MOST = 512,
  // Of the picture itself: more than any screen or printed sleeve is worth.
  CRATED_PIXELS_MOST = 50 * 1000 * 1000,
  CRATED_THUMBNAIL_BYTES_MOST = CRATED_SIDE_MOST * CRATED_SIDE_MOST * 3,
  // Of a JPEG: artefacts are hardly seen, and a cover of 256 pixels takes some ten kilobytes.
  CRATED_JPEG_QUALITY = 82
};

// Whether bytes begin like a picture of a kind that is decoded: JPEG or PNG.
int crated_is_picture(const uint8_t *_Nonnull bytes, size_t count);

// Decodes a picture, turns it as its EXIF says, and shrinks it until neither side is longer than
// the one that is wanted; a small one stays as it is. What is transparent is white.
//
// - rgb: gets width * height * 3 bytes, and has room for side * side * 3.
// - Returns 1, or 0 where it can't be decoded or has too many pixels.
int crated_make_thumbnail(
    const uint8_t *_Nonnull bytes, size_t count, uint32_t side, uint8_t *_Nonnull rgb,
    uint32_t *_Nonnull width, uint32_t *_Nonnull height);

// Makes a JPEG of pixels, with colours at half their resolution and without metadata.
//
// - rgb: width * height * 3 bytes; each side from 1 to CRATED_SIDE_MOST.
// - jpeg: has room for CRATED_THUMBNAIL_BYTES_MOST.
// - Returns the number of bytes, or 0 where there is no memory or no room.
size_t crated_encode_jpeg(
    const uint8_t *_Nonnull rgb, uint32_t width, uint32_t height, uint8_t *_Nonnull jpeg);

#ifdef __cplusplus
}
#endif
#endif
