#include "adapters/array_media.h"

#include <QJsonArray>
#include <climits>

#include "adapters/file_engine.h"
#include "weft/file_kinds.h"

namespace weft::app {
namespace {

/// How the dimensions of an array are those of pictures.
struct PictureShape {
  qint64 count = 0, height = 0, width = 0, channels = 1;
  bool fits() const { return count > 0 && height > 0 && width > 0 && count <= INT_MAX && height <= INT_MAX && width * channels <= INT_MAX / 2; }
};

PictureShape pictureShape(const QVector<qint64>& shape) {
  const auto isChannels = [](qint64 n) { return n >= 1 && n <= 4; };
  if (shape.size() == 4 && isChannels(shape[3])) return {shape[0], shape[1], shape[2], shape[3]};
  if (shape.size() == 3 && isChannels(shape[2])) return {1, shape[0], shape[1], shape[2]};
  if (shape.size() == 3) return {shape[0], shape[1], shape[2], 1};
  return {};
}

/// A picture that keeps `data`, whose memory it shows.
QImage viewOf(const TensorDataPtr& data, const uchar* pixels, const PictureShape& shape, int bytesPerChannel, QImage::Format format) {
  return QImage(
      pixels, int(shape.width), int(shape.height), qsizetype(shape.width * shape.channels * bytesPerChannel), format,
      [](void* held) { delete static_cast<TensorDataPtr*>(held); }, new TensorDataPtr(data));
}

/// Picture `index` of the array; formats that Qt has not are converted.
template <class T>
QImage pictureOf(const TensorDataPtr& data, const PictureShape& shape, int index) {
  constexpr bool kWide = sizeof(T) == 2;
  const T* pixels = tensorOf(*data).data<T>() + qint64(index) * shape.height * shape.width * shape.channels;
  const auto* bytes = reinterpret_cast<const uchar*>(pixels);
  if (shape.channels == 1) return viewOf(data, bytes, shape, sizeof(T), kWide ? QImage::Format_Grayscale16 : QImage::Format_Grayscale8);
  if (shape.channels == 4) return viewOf(data, bytes, shape, sizeof(T), kWide ? QImage::Format_RGBA64 : QImage::Format_RGBA8888);
  if (shape.channels == 3 && !kWide) return viewOf(data, bytes, shape, 1, QImage::Format_RGB888);
  QImage out(int(shape.width), int(shape.height), kWide ? QImage::Format_RGBA64 : QImage::Format_RGBA8888);
  if (out.isNull()) return out;
  const bool grey = shape.channels == 2;
  for (int y = 0; y < out.height(); ++y) {
    T* to = reinterpret_cast<T*>(out.scanLine(y));
    for (int x = 0; x < out.width(); ++x, to += 4, pixels += shape.channels) {
      to[0] = pixels[0], to[1] = pixels[grey ? 0 : 1], to[2] = pixels[grey ? 0 : 2];
      to[3] = grey ? pixels[1] : T(~T(0));
    }
  }
  return out;
}

}  // namespace

MediaLook mediaLookOf(const FileContents& file, const TensorEntry& array) {
  const FileKind* kind = findFileKind(file.kind.toStdString());
  if (!kind || !kind->hasArrays || array.elements == 0) return MediaLook::None;
  if (kind->look == ArrayLook::Sound) return array.shape.size() == 2 ? MediaLook::Sound : MediaLook::None;
  const bool bytes = array.dtype == QLatin1String("uint8"), words = array.dtype == QLatin1String("uint16");
  if (!(bytes || words) || !pictureShape(array.shape).fits()) return MediaLook::None;
  if (kind->look == ArrayLook::Pictures) return MediaLook::Pictures;
  // Files that hold any arrays: bytes with a colour for each pixel.
  const qint64 last = array.shape.last();
  return bytes && (last == 1 || last == 3 || last == 4) ? MediaLook::Pictures : MediaLook::None;
}

widgets::FrameList framesOf(const FileContents& file, const TensorSourcePtr& source) {
  const TensorDataPtr data = source ? dataOf(*source) : nullptr;
  if (!data) return {};
  const PictureShape shape = pictureShape(data->shape());
  const DType dtype = tensorOf(*data).dtype();
  if (!shape.fits() || (dtype != DType::UInt8 && dtype != DType::UInt16)) return {};
  widgets::FrameList out;
  out.count = int(shape.count);
  if (dtype == DType::UInt8) out.image = [data, shape](int i) { return pictureOf<uint8_t>(data, shape, i); };
  else out.image = [data, shape](int i) { return pictureOf<uint16_t>(data, shape, i); };
  for (const QJsonValue& ms : file.report.value(QLatin1String("durations_ms")).toArray()) out.milliseconds << ms.toInt();
  if (out.milliseconds.size() != out.count) out.milliseconds.clear();
  return out;
}

std::shared_ptr<const widgets::WavePeaks> peaksOf(const FileContents& file, const TensorSourcePtr& source) {
  const TensorDataPtr data = source ? dataOf(*source) : nullptr;
  if (!data || data->shape().size() != 2) return nullptr;
  widgets::WaveData wave;
  wave.sampleRate = file.report.value(QLatin1String("rate")).toDouble();
  wave.bits = file.report.value(QLatin1String("bits")).toInt();
  wave.channels = int(data->shape()[1]);
  const Tensor& samples = tensorOf(*data);
  if (samples.dtype() != DType::Float) return nullptr;
  wave.samples = {samples.data<float>(), size_t(samples.elements())};
  wave.owner = data;
  return std::make_shared<const widgets::WavePeaks>(std::move(wave));
}

}  // namespace weft::app
