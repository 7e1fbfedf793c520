#pragma once

#include <QFontMetricsF>
#include <QHash>
#include <QString>
#include <array>

namespace weft::widgets {

/// Widths of many short texts in one font without kerning: Latin letters from a table, other texts measured.
class TextWidths {
 public:
  explicit TextWidths(const QFont& font) : metrics_(font) {
    for (int c = 32; c < 127; ++c) table_[static_cast<size_t>(c)] = metrics_.horizontalAdvance(QChar(c));
  }

  double operator()(const QString& text) {
    double width = 0;
    for (const QChar c : text) {
      const ushort u = c.unicode();
      if (u >= 32 && u < 127) width += table_[u];
      else if (c.isSurrogate()) return metrics_.horizontalAdvance(text);
      else width += other(c);
    }
    return width;
  }

 private:
  double other(QChar c) {
    auto it = others_.find(c);
    if (it == others_.end()) it = others_.insert(c, metrics_.horizontalAdvance(c));
    return *it;
  }

  QFontMetricsF metrics_;
  std::array<double, 128> table_{};
  QHash<QChar, double> others_;
};

}  // namespace weft::widgets
