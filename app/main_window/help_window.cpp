#include "main_window/help_window.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QDesktopServices>
#include <QEvent>
#include <QHBoxLayout>
#include <QImageReader>
#include <QKeySequence>
#include <QLineEdit>
#include <QListWidget>
#include <QScrollBar>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextCursor>
#include <QTextFrame>
#include <QTextTable>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>

#include "adapters/api_help.h"
#include "adapters/op_help.h"
#include "common/icons.h"
#include "common/markdown.h"
#include "common/theme.h"
#include "main_window/help_drawings.h"
#include "main_window/help_index.h"
#include "shell/action_registry.h"

namespace weft::app {
namespace {

const QString kApi = QStringLiteral("api/");
constexpr int kMostFunctions = 120;

/// A browser that scales pictures to its width and adds more spacing to the text than Markdown's default.
class HelpBrowser : public QTextBrowser {
 public:
  HelpBrowser(HelpDrawings* drawings, QWidget* parent) : QTextBrowser(parent), drawings_(drawings) {}

  /// Keeps the scroll position if the page was already shown, in another language or theme.
  void setPage(const QString& markdown, bool shownAlready) {
    const int scrolled = shownAlready ? verticalScrollBar()->value() : 0;
    widgets::setMarkdownAtOnce(*document(), markdown);
    QTextCursor change(document());
    change.beginEditBlock();
    for (QTextBlock block = document()->begin(); block.isValid(); block = block.next()) {
      if (QTextCursor(block).currentTable()) continue;
      QTextBlockFormat format = block.blockFormat();
      format.setTopMargin(format.headingLevel() > 1 ? 18 : 4);
      format.setBottomMargin(6);
      QTextCursor(block).setBlockFormat(format);
    }
    for (QTextFrame* frame : document()->rootFrame()->childFrames()) {
      auto* table = qobject_cast<QTextTable*>(frame);
      if (!table) continue;
      QTextTableFormat format = table->format();
      format.setBorder(0);
      format.setCellSpacing(0);
      format.setCellPadding(4);
      table->setFormat(format);
    }
    change.endEditBlock();
    moveCursor(QTextCursor::Start);
    verticalScrollBar()->setValue(scrolled);
  }

 protected:
  QVariant loadResource(int type, const QUrl& name) override {
    if (type == QTextDocument::ImageResource && name.scheme() == QLatin1String("api")) {
      const QImage drawing = drawings_->picture(name.path(), viewport()->width() - kMargin, devicePixelRatioF());
      return drawing.isNull() ? QImage(1, 1, QImage::Format_ARGB32_Premultiplied) : drawing;
    }
    const QVariant resource = QTextBrowser::loadResource(type, name);
    if (type != QTextDocument::ImageResource) return resource;
    if (name.path().endsWith(QLatin1String(".svg"))) return drawing(resource.toByteArray());
    QImage image = resource.canConvert<QImage>() ? resource.value<QImage>() : QImage();
    if (image.isNull()) image = QImage::fromData(resource.toByteArray());
    const int width = viewport()->width() - kMargin;
    return image.width() > width && width > 0 ? image.scaledToWidth(width, Qt::SmoothTransformation) : image;
  }

 private:
  /// Renders an SVG whose colours are theme roles, as wide as there is room.
  QImage drawing(QByteArray svg) const {
    const widgets::Theme& theme = widgets::Theme::current();
    QStringList roles = widgets::Theme::roleNames();
    std::sort(roles.begin(), roles.end(), [](const QString& a, const QString& b) { return a.size() > b.size(); });  // BorderStrong before Border
    for (const QString& role : std::as_const(roles))
      svg.replace('@' + QByteArray(1, char(role[0].toUpper().toLatin1())) + role.mid(1).toLatin1(), theme.color(role).name().toLatin1());
    QBuffer buffer(&svg);
    QImageReader reader(&buffer, "svg");
    const QSize size = reader.size();
    if (size.isEmpty()) return {};
    const int room = viewport()->width() - kMargin;
    const double scale = room > 0 ? std::min(1.0, double(room) / size.width()) : 1.0, ratio = devicePixelRatioF();
    reader.setScaledSize((QSizeF(size) * scale * ratio).toSize());
    QImage image = reader.read();
    image.setDevicePixelRatio(ratio);
    return image;
  }

  static constexpr int kMargin = 28;
  HelpDrawings* drawings_;
};

}  // namespace

HelpWindow::HelpWindow(ActionRegistry& actions, QWidget* parent)
    : QDialog(parent), actions_(actions), drawings_(new HelpDrawings(this)), browser_(new HelpBrowser(drawings_, this)) {
  setObjectName(QStringLiteral("help_window"));
  setModal(false);
  resize(1040, 760);
  auto* left = new QWidget(this);
  left->setFixedWidth(264);
  auto* column = new QVBoxLayout(left);
  column->setContentsMargins(8, 8, 8, 8);
  search_ = new QLineEdit(left);
  search_->setClearButtonEnabled(true);
  search_->addAction(widgets::icon(QStringLiteral("search")), QLineEdit::LeadingPosition);
  index_ = new QListWidget(left);
  index_->setTextElideMode(Qt::ElideRight);
  index_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  column->addWidget(search_);
  column->addWidget(index_, 1);
  browser_->setOpenLinks(false);
  browser_->setSearchPaths({QStringLiteral(":/weft/help")});
  browser_->setStyleSheet(QStringLiteral("QTextBrowser { border: none; border-radius: 0; padding: 12px 20px; }"));
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(left);
  layout->addWidget(browser_, 1);
  connect(search_, &QLineEdit::textChanged, this, &HelpWindow::fillIndex);
  connect(index_, &QListWidget::currentItemChanged, this, [this](const QListWidgetItem* item) {
    if (item && item->data(Qt::UserRole).toString() != page_) showPage(item->data(Qt::UserRole).toString());
  });
  connect(browser_, &QTextBrowser::anchorClicked, this, [this](const QUrl& url) {
    if (url.scheme() == QLatin1String("command")) actions_.run(url.path());
    else if (url.scheme().startsWith(QLatin1String("http"))) QDesktopServices::openUrl(url);
    else showPage(url.path().endsWith(QLatin1String(".md")) ? url.path().chopped(3) : url.path());
  });
  connect(drawings_, &HelpDrawings::drawn, this, [this](const QString& function) {
    if (page_ == kApi + function && isVisible()) setText(true);
  });
  retranslate();
}

void HelpWindow::retranslate() {
  setWindowTitle(tr("Help"));
  search_->setPlaceholderText(tr("Search the help"));
  search_->setAccessibleName(tr("Search the help"));
  index_->setAccessibleName(tr("Help pages"));
  browser_->setAccessibleName(tr("Help page"));
  fillIndex();
}

/// Lists pages that contain all words in title or text, and ops whose name starts with the typed one.
void HelpWindow::fillIndex() {
  const QSignalBlocker quiet(index_);
  index_->clear();
  const QStringList words = search_->text().split(u' ', Qt::SkipEmptyParts);
  const auto add = [&](const QString& title, const QString& id) {
    auto* item = new QListWidgetItem(title, index_);
    item->setData(Qt::UserRole, id);
    item->setToolTip(title);
    if (id == page_) index_->setCurrentItem(item);
  };
  const auto fits = [&](const QString& text) {
    return std::all_of(words.begin(), words.end(), [&](const QString& word) { return text.contains(word, Qt::CaseInsensitive); });
  };
  for (const HelpPage& page : helpPages()) {
    if (words.isEmpty() || fits(page.title + u' ' + helpText(page.id))) add(page.title, page.id);
  }
  if (words.isEmpty() || fits(tr("Commands and keys") + actionList(actions_))) add(tr("Commands and keys"), QStringLiteral("actions"));
  if (words.size() == 1 && words[0].size() > 1) {
    for (const QString& op : opNames()) {
      if (op.startsWith(words[0], Qt::CaseInsensitive)) add(op, QStringLiteral("op/") + op);
    }
  } else if (page_.startsWith(QLatin1String("op/"))) {
    add(page_.mid(3), page_);
  }
  if (words.isEmpty()) {
    if (page_.startsWith(kApi)) add(QStringLiteral("tf.") + page_.mid(kApi.size()), page_);
    return;
  }
  // Functions whose name has the words come before those whose summary has them.
  int shown = 0;
  for (const bool byName : {true, false}) {
    for (const QString& name : apiNames()) {
      if (shown >= kMostFunctions) return;
      const QString full = QStringLiteral("tf.") + name;
      if (fits(full) != byName || !(byName || fits(full + u' ' + apiSummary(name)))) continue;
      add(full, kApi + name);
      ++shown;
    }
  }
}

QString HelpWindow::actionList(const ActionRegistry& actions) {
  QString out = QStringLiteral("# ") + tr("Commands and keys") + QStringLiteral("\n\n") +
                tr("Every command has a name. A script (`weft-studio --script FILE`) contains one command per line.") + QStringLiteral("\n\n");
  out += QStringLiteral("| %1 | %2 | %3 | %4 |\n|---|---|---|---|\n").arg(tr("Command"), tr("Key"), tr("Name in scripts"), tr("What it does"));
  for (const QString& id : actions.ids()) {
    const ActionRecord& record = actions.record(id);
    const QList<QKeySequence> keys = actions.shortcuts(id);
    const QString key = keys.isEmpty() ? QString() : keys.first().toString(QKeySequence::NativeText);
    const QString usage = QString::fromUtf8(record.usage);
    out += QStringLiteral("| %1 | %2 | `%3` | %4 |\n")
               .arg(ActionRegistry::plainText(record), key, usage.isEmpty() ? id : id + u' ' + QString(usage).replace(u'|', QStringLiteral("/")),
                    QCoreApplication::translate(record.context, record.toolTip));
  }
  return out;
}

void HelpWindow::showPage(const QString& page) {
  const bool shownAlready = page == page_;
  page_ = page;
  show();
  raise();
  setText(shownAlready);
}

void HelpWindow::setText(bool shownAlready) {
  const QString text = page_ == QLatin1String("actions") ? actionList(actions_) : helpText(page_);
  static_cast<HelpBrowser*>(browser_)->setPage(text.isEmpty() ? tr("There is no page %1.").arg(page_) : text, shownAlready);
  // An example is built and drawn when its page is first shown.
  if (page_.startsWith(kApi) && !knownApiExample(page_.mid(kApi.size())))
    drawings_->picture(page_.mid(kApi.size()), browser_->viewport()->width(), devicePixelRatioF());
  fillIndex();
}

/// Merges all events of a theme or language change into one update.
void HelpWindow::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange) retranslate();
  if ((event->type() == QEvent::LanguageChange || event->type() == QEvent::PaletteChange) && !page_.isEmpty() && isVisible() && !textQueued_) {
    textQueued_ = true;
    QTimer::singleShot(0, this, [this] {
      textQueued_ = false;
      setText(true);
    });
  }
  QDialog::changeEvent(event);
}

}  // namespace weft::app
