#include <webp/decode.h>
#include <webp/demux.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include "base/file_errors.h"
#include "data/picture_codecs.h"

// WebP by libwebp. No op of TensorFlow 1.x reads it: it is for files alone.
namespace weft::pictures {
namespace {

constexpr int64_t kMaxPixels = int64_t(1) << 27;  // of all frames

Result<Tensor> decodeAnimation(std::string_view bytes) {
  const WebPData data{reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()};
  WebPAnimDecoderOptions options;
  WebPAnimDecoderOptionsInit(&options);
  // The decoder allocates canvases, so sizes are looked at before.
  const std::unique_ptr<WebPDemuxer, void (*)(WebPDemuxer*)> parts(WebPDemux(&data), WebPDemuxDelete);
  if (!parts) return unreadable("malformed", "Invalid WebP data: its animation cannot be read");
  const int64_t width = WebPDemuxGetI(parts.get(), WEBP_FF_CANVAS_WIDTH), height = WebPDemuxGetI(parts.get(), WEBP_FF_CANVAS_HEIGHT),
                count = WebPDemuxGetI(parts.get(), WEBP_FF_FRAME_COUNT);
  // The decoder has two canvases of its own.
  if (width * height > kMaxPixels / std::max<int64_t>(count, 1) || width * height > 2 * kMaxPixels / (count + 2))
    return unreadable("too_large", count, " frames of ", width, " x ", height, " pixels are over the limit of ", kMaxPixels);
  const std::unique_ptr<WebPAnimDecoder, void (*)(WebPAnimDecoder*)> decoder(WebPAnimDecoderNew(&data, &options), WebPAnimDecoderDelete);
  WebPAnimInfo info;
  if (!decoder || !WebPAnimDecoderGetInfo(decoder.get(), &info)) return unreadable("malformed", "Invalid WebP data: its animation cannot be read");
  const int64_t frame = int64_t(info.canvas_width) * info.canvas_height * 4;
  WEFT_LET(Tensor out, Tensor::allocate(DType::UInt8, Shape{int64_t(info.frame_count), int64_t(info.canvas_height), int64_t(info.canvas_width), 4}));
  for (uint32_t i = 0; i < info.frame_count; ++i) {
    uint8_t* pixels = nullptr;
    int milliseconds = 0;
    if (!WebPAnimDecoderGetNext(decoder.get(), &pixels, &milliseconds)) return unreadable("malformed", "Invalid WebP data: frame ", i, " is damaged");
    std::memcpy(out.mutableData<uint8_t>() + int64_t(i) * frame, pixels, size_t(frame));
  }
  return out;
}

}  // namespace

Result<Tensor> decodeWebp(std::string_view bytes) {
  const auto* data = reinterpret_cast<const uint8_t*>(bytes.data());
  WebPBitstreamFeatures features;
  const VP8StatusCode status = WebPGetFeatures(data, bytes.size(), &features);
  if (status == VP8_STATUS_NOT_ENOUGH_DATA) return unreadable("truncated", "Invalid WebP data: the file ends after ", bytes.size(), " bytes");
  if (status != VP8_STATUS_OK) return unreadable("malformed", "Invalid WebP data (error ", int(status), " of libwebp)");
  if (features.has_animation) return decodeAnimation(bytes);
  const int channels = features.has_alpha ? 4 : 3;
  const int64_t size = int64_t(features.width) * features.height * channels;
  if (size / channels > kMaxPixels)
    return unreadable("too_large", "a picture of ", features.width, " x ", features.height, " pixels is over the limit of ", kMaxPixels);
  WEFT_LET(Tensor out, Tensor::allocate(DType::UInt8, Shape{features.height, features.width, channels}));
  auto* pixels = out.mutableData<uint8_t>();
  const auto decode = channels == 4 ? WebPDecodeRGBAInto : WebPDecodeRGBInto;
  if (!decode(data, bytes.size(), pixels, size_t(size), features.width * channels)) return unreadable("malformed", "Invalid WebP data: its pixels are damaged");
  return out;
}

std::vector<int> durationsOfWebp(std::string_view bytes) {
  const WebPData data{reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()};
  const std::unique_ptr<WebPDemuxer, void (*)(WebPDemuxer*)> parts(WebPDemux(&data), WebPDemuxDelete);
  std::vector<int> out;
  if (!parts || !(WebPDemuxGetI(parts.get(), WEBP_FF_FORMAT_FLAGS) & ANIMATION_FLAG)) return out;
  WebPIterator frame;
  for (int more = WebPDemuxGetFrame(parts.get(), 1, &frame); more; more = WebPDemuxNextFrame(&frame)) out.push_back(frame.duration);
  WebPDemuxReleaseIterator(&frame);
  return out;
}

}  // namespace weft::pictures
