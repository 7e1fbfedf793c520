#pragma once

#include <QStringList>

#include "document/settings.h"

namespace weft::app {

/// Recently added and pinned types, as the palette and the canvas menu show them. Stored in the settings.
class PaletteMemory {
 public:
  explicit PaletteMemory(Settings& settings) : settings_(settings) {}

  QStringList favourites() const { return settings_.value(QStringLiteral("palette/favourites")).toStringList(); }
  QStringList recent() const { return settings_.value(QStringLiteral("palette/recent")).toStringList(); }
  void toggleFavourite(const QString& type) {
    QStringList types = favourites();
    if (!types.removeOne(type)) types << type;
    settings_.setValue(QStringLiteral("palette/favourites"), types);
  }
  void used(const QString& type) {
    constexpr qsizetype kMost = 6;
    QStringList types = recent();
    types.removeOne(type);
    types.prepend(type);
    settings_.setValue(QStringLiteral("palette/recent"), QStringList(types.mid(0, kMost)));
  }

 private:
  Settings& settings_;
};

}  // namespace weft::app
