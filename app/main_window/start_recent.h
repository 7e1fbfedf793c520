// The list of recent files on the start page.
#pragma once

#include <QString>

class QWidget;

namespace weft::app {

class Card;
class RecentPictures;

/// A file that was opened: its picture, its name, when it was changed, its folder. Names that are too long lose their beginning.
Card* makeRecentCard(QWidget* parent, const QString& path, const RecentPictures& pictures);

}  // namespace weft::app
