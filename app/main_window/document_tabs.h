#pragma once

#include <QTabBar>
#include <algorithm>

namespace weft::app {

/// Tabs that scroll when there are many, instead of eliding their titles.
class DocumentTabs : public QTabBar {
 public:
  using QTabBar::QTabBar;

 protected:
  QSize minimumTabSizeHint(int index) const override {
    constexpr int kNarrow = 150;
    const QSize full = tabSizeHint(index);
    return {std::min(full.width(), kNarrow), full.height()};
  }
};

}  // namespace weft::app
