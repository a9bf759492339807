#pragma once
#include <stddef.h>
#include <stdint.h>

// Takes rows of a picture from the top, and makes a smaller one of them, each of whose pixels is
// the mean of what lies under it. Needs memory for one row.
typedef struct {
  uint32_t width, height;         // of what comes in
  uint32_t new_width, new_height; // of what goes out; not larger
  uint8_t *rgb;                   // what goes out
  uint32_t *narrow;               // the last row that came, as wide as one that goes out
  uint64_t *sums;                 // of the row that is being made
  uint32_t row, new_row;
} crated_shrinking;

// The size of a picture whose longer side is to be no longer than that.
void crated_fit(uint32_t width, uint32_t height, uint32_t side, uint32_t *new_width,
                uint32_t *new_height);

// Returns 0 where there is no memory. crated_shrinking_end takes what it left then, too.
int crated_shrinking_begin(crated_shrinking *shrinking, uint32_t width, uint32_t height,
                           uint32_t side, uint8_t *rgb);
void crated_shrinking_take(crated_shrinking *shrinking, const uint8_t *row);
void crated_shrinking_end(crated_shrinking *shrinking);

// The orientation that EXIF tells, 1 to 8; 1, which is upright, where it tells none. The bytes
// begin with TIFF's header.
int crated_orientation(const uint8_t *exif, size_t count);

// Turns and mirrors the picture until it is upright. Returns 0 where there is no memory.
int crated_turn(int orientation, uint8_t *rgb, uint32_t *width, uint32_t *height);

// What the decoders have in common: the picture and where it goes.
typedef struct {
  const uint8_t *bytes;
  size_t count;
  uint32_t side;
  uint8_t *rgb;
  int orientation;
  crated_shrinking shrinking;
} crated_picture;

// Fill rgb and shrinking's sizes, and return 1; 0 where they can't.
int crated_decode_jpeg(crated_picture *picture);
int crated_decode_png(crated_picture *picture);
