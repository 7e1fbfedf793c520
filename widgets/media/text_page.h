#pragma once

#include <QTextBrowser>

namespace weft::widgets {

/// A logged text, read only. External resources (pictures, style sheets, other pages) are never loaded, neither from the network nor from disk, and links are
/// inactive. GUI thread.
class TextPage : public QTextBrowser {
  Q_OBJECT

 public:
  explicit TextPage(QWidget* parent = nullptr);

  /// Rows with tabs become a table. Otherwise the text is shown as CommonMark with GitHub's tables and literal HTML (`markdown`), or as plain text.
  void show(const QString& text, bool markdown);
  using QWidget::show;

 protected:
  QVariant loadResource(int type, const QUrl& name) override;
};

}  // namespace weft::widgets
