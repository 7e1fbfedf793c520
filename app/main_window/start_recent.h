// The list of recent files on the start page.
#pragma once

#include <QString>

class QWidget;

namespace weft::app {

class Card;
class RecentPictures;

/// A recent file: its picture, name, time of change and folder. Names that are too long are elided at their start.
Card* makeRecentCard(QWidget* parent, const QString& path, const RecentPictures& pictures);

}  // namespace weft::app
