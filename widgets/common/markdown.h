#pragma once

#include <QTextCursor>
#include <QTextDocument>

namespace weft::widgets {

/// QTextDocument::setMarkdown as one change. In a document that is shown each line that it adds lays out what stands before it once more: a table of some hundred rows takes a minute.
inline void setMarkdownAtOnce(QTextDocument& document, const QString& text, QTextDocument::MarkdownFeatures features = QTextDocument::MarkdownDialectGitHub) {
  QTextCursor change(&document);
  change.beginEditBlock();
  document.setMarkdown(text, features);
  change.endEditBlock();
}

}  // namespace weft::widgets
