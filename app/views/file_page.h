#pragma once

#include "shell/view.h"

namespace weft::app {

class FileTab;

/// The page in the middle of the window for a file that is not a graph. Updates its texts on QEvent::LanguageChange.
QWidget* makeFilePage(const ViewContext& context, FileTab* file, QWidget* parent);

}  // namespace weft::app
