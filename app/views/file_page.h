#pragma once

#include "shell/view.h"

namespace weft::app {

class FileTab;

/// The page in the middle of the window for a file that is no graph. Does its texts anew on QEvent::LanguageChange.
QWidget* makeFilePage(const ViewContext& context, FileTab* file, QWidget* parent);

}  // namespace weft::app
