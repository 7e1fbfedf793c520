// Errors of weft/preview.h in the window's language. Only sources of this folder include it.
#pragma once

#include <QString>

#include "weft/error.h"

namespace weft {
class Session;
class PipelineFeeder;
}  // namespace weft

namespace weft::app {

QString previewErrorText(const Error& error);
/// Why a run of a pipeline got nothing in time: which side of which queue is blocked.
QString whyNoElement(const PipelineFeeder& feeder, const Session& session);

}  // namespace weft::app
