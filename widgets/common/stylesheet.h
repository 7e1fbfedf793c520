#pragma once

#include <QString>

namespace weft::widgets {

class Theme;

/// Qt style sheet of the standard controls in the colours and measures of `theme`. Widgets choose a variant with the dynamic property `kind`: QPushButton
/// primary | flat; QLabel muted | heading | chip | error | mono; QFrame card | well; QToolButton mode.
QString makeStyleSheet(const Theme& theme);

}  // namespace weft::widgets
