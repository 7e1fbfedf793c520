#include "media/text_page.h"

#include <QImage>
#include <QRegularExpression>
#include <QTextBlock>
#include <QTextCursor>
#include <QTextDocument>
#include <QTextTable>
#include <QUrl>
#include <algorithm>

#include "common/markdown.h"
#include "common/theme.h"

namespace weft::widgets {
namespace {

constexpr double kMargin = 13;  // aligns the text with the card's title

/// Limits heading sizes to what fits a card, and draws tables with single lines.
void limitStyles(QTextDocument& document) {
  QTextCursor change(&document);
  change.beginEditBlock();
  for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
    const int level = block.blockFormat().headingLevel();
    if (level == 0) continue;
    QTextCursor cursor(block);
    cursor.movePosition(QTextCursor::EndOfBlock, QTextCursor::KeepAnchor);
    QTextCharFormat format;
    format.setProperty(QTextFormat::FontSizeAdjustment, level == 1 ? 1 : 0);
    format.setFontWeight(QFont::Bold);
    cursor.mergeCharFormat(format);
  }
  for (QTextFrame* frame : document.rootFrame()->childFrames()) {
    auto* table = qobject_cast<QTextTable*>(frame);
    if (!table) continue;
    QTextTableFormat format = table->format();
    format.setBorder(1);
    format.setBorderStyle(QTextFrameFormat::BorderStyle_Solid);
    format.setBorderBrush(Theme::current().color(Role::Border));
    format.setBorderCollapse(true);
    format.setCellPadding(4);
    format.setCellSpacing(0);
    table->setFormat(format);
  }
  change.endEditBlock();
}

/// An HTML table of a text with tabs; empty: the text is no table.
QString tableOf(const QString& text) {
  const QStringList rows = text.split(u'\n');
  const bool table = rows.size() > 1 && std::all_of(rows.begin(), rows.end(), [](const QString& r) { return r.contains(u'\t'); });
  if (!table) return {};
  QString html = QStringLiteral("<table cellpadding='4' border='1' style='border-collapse:collapse'>");
  for (const QString& row : rows) {
    html += QStringLiteral("<tr>");
    for (const QString& cell : row.split(u'\t')) html += QStringLiteral("<td>%1</td>").arg(cell.toHtmlEscaped());
    html += QStringLiteral("</tr>");
  }
  return html + QStringLiteral("</table>");
}

/// TensorBoard accepts a single dash per column in the line below a table's heading; Qt requires three.
QString withLongRules(const QString& text) {
  static const QRegularExpression kRule(QStringLiteral("^[ \\t]*\\|?[ \\t]*:?-+:?[ \\t]*(\\|[ \\t]*:?-+:?[ \\t]*)+\\|?[ \\t]*$"));
  static const QRegularExpression kShort(QStringLiteral("(?<!-)-{1,2}(?!-)"));
  QStringList lines = text.split(u'\n');
  for (QString& line : lines)
    if (kRule.match(line).hasMatch()) line.replace(kShort, QStringLiteral("---"));
  return lines.join(u'\n');
}

}  // namespace

TextPage::TextPage(QWidget* parent) : QTextBrowser(parent) {
  setFrameShape(QFrame::NoFrame);
  setOpenLinks(false);
  setOpenExternalLinks(false);
  document()->setDocumentMargin(kMargin);
}

void TextPage::show(const QString& text, bool markdown) {
  document()->setDefaultFont(Theme::current().uiFont());
  const QString table = tableOf(text);
  if (!table.isEmpty()) {
    setHtml(table);
  } else if (markdown) {
    setMarkdownAtOnce(*document(), withLongRules(text), QTextDocument::MarkdownFeatures(QTextDocument::MarkdownDialectGitHub) | QTextDocument::MarkdownNoHTML);
  } else {
    setHtml(QStringLiteral("<pre style='white-space:pre-wrap'>%1</pre>").arg(text.toHtmlEscaped()));
  }
  limitStyles(*document());
}

QVariant TextPage::loadResource(int type, const QUrl&) {
  if (type != QTextDocument::ImageResource) return QString();
  // For a null image, Qt would look for a file of that name.
  QImage nothing(1, 1, QImage::Format_ARGB32_Premultiplied);
  nothing.fill(Qt::transparent);
  return nothing;
}

}  // namespace weft::widgets
