#pragma once

#include <QTextCursor>
#include <QTextDocument>

namespace weft::widgets {

/// QTextDocument::setMarkdown as one edit. In a visible document, setMarkdown lays out all preceding text again for each line that it adds: a table of a few
/// hundred rows takes a minute.
inline void setMarkdownAtOnce(QTextDocument& document, const QString& text, QTextDocument::MarkdownFeatures features = QTextDocument::MarkdownDialectGitHub) {
  QTextCursor change(&document);
  change.beginEditBlock();
  document.setMarkdown(text, features);
  change.endEditBlock();
}

}  // namespace weft::widgets
