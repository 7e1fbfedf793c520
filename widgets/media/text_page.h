#pragma once

#include <QTextBrowser>

namespace weft::widgets {

/// A text that a run logged, read only. What it refers to (pictures, style sheets, other pages) is never loaded, neither from the network nor from the
/// disk, and its links lead nowhere. GUI thread.
class TextPage : public QTextBrowser {
  Q_OBJECT

 public:
  explicit TextPage(QWidget* parent = nullptr);

  /// Rows with tabs in them become a table. Else, with `markdown`, CommonMark with GitHub's tables, in which HTML is text; without it, letter by
  /// letter.
  void show(const QString& text, bool markdown);
  using QWidget::show;

 protected:
  QVariant loadResource(int type, const QUrl& name) override;
};

}  // namespace weft::widgets
