#include <errno.h>
#include <iconv.h>

#include "CUnicode.h"

void *crated_decoder_open(const char *page) {
  iconv_t decoder = iconv_open("UTF-8", page);
  return decoder == (iconv_t)-1 ? NULL : decoder;
}

void crated_decoder_close(void *decoder) { iconv_close(decoder); }

void crated_decoder_begin(void *decoder) { iconv(decoder, NULL, NULL, NULL, NULL); }

size_t crated_decode(void *decoder, const uint8_t *text, size_t count, size_t *used, bool *is_odd,
                     uint8_t *room, size_t capacity) {
  char *next = (char *)text, *end = (char *)room;
  size_t left = count, free = capacity;
  size_t result = iconv(decoder, text ? &next : NULL, text ? &left : NULL, &end, &free);
  *is_odd = result == (size_t)-1 && (errno == EILSEQ || errno == EINVAL);
  *used = count - left;
  return capacity - free;
}
