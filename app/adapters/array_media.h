// Arrays of files as the pictures or the sound that they are.
#pragma once

#include <memory>

#include "adapters/file_contents.h"
#include "adapters/file_sources.h"
#include "image_grid/frame_viewer.h"
#include "media/waveform.h"

namespace weft::app {

enum class MediaLook { None, Pictures, Sound };

/// How an array of that file is looked at, as the record of its kind says; pixels (uint8 with 1, 3 or 4 channels) are pictures in any file of arrays.
MediaLook mediaLookOf(const FileContents& file, const TensorEntry& array);
/// The pictures in an array with that look, as views of its memory. Empty for other values.
widgets::FrameList framesOf(const FileContents& file, const TensorSourcePtr& source);
/// The samples of an array with that look, shared. Reads them all; any thread. Null for other values.
std::shared_ptr<const widgets::WavePeaks> peaksOf(const FileContents& file, const TensorSourcePtr& source);

}  // namespace weft::app
