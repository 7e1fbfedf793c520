#include "main_window/finder.h"

#include <QAbstractListModel>
#include <QCoreApplication>
#include <QElapsedTimer>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QTextLayout>
#include <QVBoxLayout>
#include <algorithm>
#include <climits>

#include "common/discard.h"
#include "common/format.h"
#include "common/icons.h"
#include "common/theme.h"
#include "shell/action_registry.h"
#include "shell/command_words.h"
#include "shell/shell.h"

namespace weft::app {
namespace {

using widgets::Role;
using widgets::Theme;

constexpr size_t kMaxHits = 100;
constexpr double kSearchSliceMs = 2;
constexpr int kShowEveryMs = 80;  // during a search
constexpr int kRowHeight = 28;
constexpr QSize kFinderSize{680, 460};
constexpr int kMatchesRole = Qt::UserRole + 1, kDetailRole = Qt::UserRole + 2, kIconRole = Qt::UserRole + 3, kReasonRole = Qt::UserRole + 4,
              kKindRole = Qt::UserRole + 5;

QString kindText(const FinderSource& source) { return QCoreApplication::translate("Finder", source.title); }

class RowDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override { return {100, kRowHeight}; }

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    const Theme& theme = Theme::current();
    const bool selected = option.state & QStyle::State_Selected;
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    if (selected) {
      painter->setPen(Qt::NoPen);
      painter->setBrush(theme.color(Role::Selection));
      painter->drawRoundedRect(option.rect, theme.metrics().radiusControl, theme.metrics().radiusControl);
    }
    const QString reason = index.data(kReasonRole).toString();
    const bool off = !reason.isEmpty();
    const QColor strong = off ? theme.color(Role::TextDisabled) : theme.color(selected ? Role::SelectionText : Role::Text1);
    const QColor quiet = theme.color(selected ? Role::SelectionText : Role::Text3);
    QRect rest = option.rect.adjusted(8, 0, -8, 0);
    const QPixmap icon = widgets::iconPixmap(index.data(kIconRole).toString(), 16, off ? strong : quiet, painter->device()->devicePixelRatioF());
    if (!icon.isNull()) painter->drawPixmap(rest.left(), rest.top() + (rest.height() - 16) / 2, icon);
    rest.setLeft(rest.left() + 26);

    const QFontMetrics smallMetrics(theme.smallFont());
    painter->setFont(theme.smallFont());
    painter->setPen(quiet);
    const QString kind = index.data(kKindRole).toString();
    const int kindWidth = std::max(56, smallMetrics.horizontalAdvance(kind));
    painter->drawText(QRect(rest.right() - kindWidth, rest.top(), kindWidth, rest.height()), Qt::AlignRight | Qt::AlignVCenter, kind);
    rest.setRight(rest.right() - kindWidth - 12);
    const QString detail = smallMetrics.elidedText(off ? reason : index.data(kDetailRole).toString(), Qt::ElideRight, rest.width() / 2);
    const int detailWidth = smallMetrics.horizontalAdvance(detail);
    painter->setPen(off ? theme.color(Role::Warning) : quiet);
    if (selected) painter->setPen(theme.color(Role::SelectionText));
    painter->drawText(QRect(rest.right() - detailWidth, rest.top(), detailWidth + 1, rest.height()), Qt::AlignRight | Qt::AlignVCenter, detail);
    rest.setRight(rest.right() - detailWidth - 12);

    const QFont font = theme.uiFont();
    const QString text = widgets::elideName(index.data(Qt::DisplayRole).toString(), QFontMetricsF(font), rest.width() - 4);
    QTextLayout layout(text, font);
    QVector<QTextLayout::FormatRange> lit;
    if (text.size() == index.data(Qt::DisplayRole).toString().size()) {
      for (const int place : index.data(kMatchesRole).value<QVector<int>>()) {
        QTextCharFormat format;
        format.setFontWeight(QFont::Bold);
        if (!off) format.setForeground(theme.color(selected ? Role::SelectionText : Role::Accent));
        lit << QTextLayout::FormatRange{place, 1, format};
      }
    }
    layout.setFormats(lit);
    layout.beginLayout();
    QTextLine line = layout.createLine();
    line.setLineWidth(1e5);
    layout.endLayout();
    painter->setPen(strong);
    painter->setClipRect(rest);
    layout.draw(painter, QPointF(rest.left(), rest.top() + (rest.height() - line.height()) / 2));
    painter->restore();
  }
};

}  // namespace

class Finder::Rows : public QAbstractListModel {
 public:
  struct Row {
    FinderEntry entry;
    QString kind;
    QVector<int> matches;
  };
  using QAbstractListModel::QAbstractListModel;
  int rowCount(const QModelIndex& parent) const override { return parent.isValid() ? 0 : int(rows.size()); }
  QVariant data(const QModelIndex& index, int role) const override {
    const Row& row = rows[size_t(index.row())];
    switch (role) {
      case Qt::DisplayRole: return row.entry.text;
      case Qt::ToolTipRole: return row.entry.toolTip.isEmpty() ? row.entry.text : row.entry.toolTip;
      case Qt::AccessibleTextRole:
        return QStringLiteral("%1, %2, %3").arg(row.entry.text, row.kind, row.entry.reason.isEmpty() ? row.entry.detail : row.entry.reason);
      case kMatchesRole: return QVariant::fromValue(row.matches);
      case kDetailRole: return row.entry.detail;
      case kIconRole: return row.entry.icon;
      case kReasonRole: return row.entry.reason;
      case kKindRole: return row.kind;
      default: return {};
    }
  }
  void set(std::vector<Row> fresh) {
    beginResetModel();
    rows = std::move(fresh);
    endResetModel();
  }
  std::vector<Row> rows;
};

void Finder::open(Workspace& workspace, ActionRegistry& actions, Shell& shell, const QString& text) {
  QWidget* window = shell.window();
  if (auto* before = window->findChild<Finder*>()) {
    before->setParent(nullptr);  // one of its rows may have triggered this; prevents finding it again
    widgets::discard(before);
  }
  auto* finder = new Finder(workspace, actions, shell, window);
  const QSize size = kFinderSize.boundedTo(window->size() - QSize(32, 100));
  finder->resize(size);
  finder->move((window->width() - size.width()) / 2, 40);
  finder->show();
  finder->raise();
  finder->field_->setText(text);
  finder->field_->setFocus(Qt::PopupFocusReason);
  if (text.isEmpty()) finder->search({});
}

Finder::Finder(Workspace& workspace, ActionRegistry& actions, Shell& shell, QWidget* window)
    : QFrame(window), actions_(actions), sources_(finderSources(workspace, actions, shell)), focusBefore_(window->focusWidget()) {
  setObjectName(QStringLiteral("finder"));
  setAttribute(Qt::WA_DeleteOnClose);
  setAccessibleName(tr("Find anything"));
  const Theme& theme = Theme::current();
  setStyleSheet(QStringLiteral("#finder { background: %1; border: 1px solid %2; border-radius: 6px; } #finder QListView { background: %1; }")
                    .arg(theme.color(Role::Surface2).name(), theme.color(Role::BorderStrong).name()));
  field_ = new QLineEdit(this);
  field_->setAccessibleName(tr("Find anything"));
  field_->setPlaceholderText(tr("Name of a command, node, tensor, op, file …"));
  field_->addAction(widgets::icon(QStringLiteral("search")), QLineEdit::LeadingPosition);
  field_->installEventFilter(this);
  rows_ = new Rows(this);
  list_ = new QListView(this);
  list_->setAccessibleName(tr("What was found"));
  list_->setModel(rows_);
  list_->setItemDelegate(new RowDelegate(list_));
  list_->setUniformItemSizes(true);
  list_->setFocusPolicy(Qt::NoFocus);
  list_->setMouseTracking(true);
  foot_ = new QLabel(this);
  foot_->setProperty("kind", QStringLiteral("muted"));
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(8, 8, 8, 8);
  layout->addWidget(field_);
  layout->addWidget(list_, 1);
  layout->addWidget(foot_);
  connect(field_, &QLineEdit::textChanged, this, &Finder::search);
  connect(list_, &QListView::clicked, this, &Finder::accept);
  connect(&slice_, &QTimer::timeout, this, &Finder::continueSearch);
}

QStringList Finder::rows() const {
  QStringList texts;
  for (const Rows::Row& row : rows_->rows)
    texts << row.kind + u' ' + row.entry.text + (row.entry.reason.isEmpty() ? QString() : QStringLiteral(" – ") + row.entry.reason);
  return texts;
}

void Finder::search(const QString& text) {
  prefixSource_ = -1;
  QString rest = text.trimmed();
  for (size_t i = 0; i < sources_.size(); ++i) {
    if (!rest.isEmpty() && rest[0] == sources_[i].prefix) prefixSource_ = int(i);
  }
  if (prefixSource_ >= 0) rest = rest.mid(1);
  // `layout.use mine` is a command with words: look for the command.
  const QString first = rest.trimmed().section(u' ', 0, 0);
  if (actions_.contains(first)) rest = ActionRegistry::plainText(actions_.record(first));
  typed_ = rest.trimmed();
  pattern_ = FuzzyPattern(rest);
  hits_.clear();
  found_ = 0;
  shown_.start();
  source_ = prefixSource_ >= 0 ? size_t(prefixSource_) : 0;
  next_ = 0;
  slice_.start(0);
  continueSearch();
}

void Finder::continueSearch() {
  QElapsedTimer timer;
  timer.start();
  int sinceClock = 0;
  const auto better = [](const Hit& a, const Hit& b) {
    return a.score != b.score ? a.score > b.score : a.source != b.source ? a.source < b.source : a.index < b.index;
  };
  while (source_ < sources_.size()) {
    const FinderSource& source = sources_[source_];
    // Without a search text only commands and files are listed, because there are too many nodes.
    const bool skip = pattern_.isEmpty() && prefixSource_ < 0 && source.prefix != u'>' && source.prefix != u'/';
    for (; !skip && next_ < source.count; ++next_) {
      if (++sinceClock % 32 == 0 && double(timer.nsecsElapsed()) * 1e-6 > kSearchSliceMs) {
        if (shown_.elapsed() > kShowEveryMs) showHits();
        return;
      }
      const int score = pattern_.score(source.name(next_));
      if (score == 0) continue;
      ++found_;
      const bool exact = source.exactFrom >= 0 && next_ >= source.exactFrom && source.name(next_) == typed_;
      const Hit hit{exact ? INT_MAX : score + source.weight, int(source_), next_};
      if (hits_.size() >= kMaxHits && !better(hit, hits_.back())) continue;
      hits_.insert(std::upper_bound(hits_.begin(), hits_.end(), hit, better), hit);
      if (hits_.size() > kMaxHits) hits_.pop_back();
    }
    if (prefixSource_ >= 0) break;
    ++source_;
    next_ = 0;
  }
  slice_.stop();
  showHits();
}

void Finder::showHits() {
  shown_.start();
  std::vector<Rows::Row> rows;
  for (const Hit& hit : hits_) {
    const FinderSource& source = sources_[size_t(hit.source)];
    Rows::Row row{source.entry(hit.index), kindText(source), {}};
    row.matches = pattern_.matches(row.entry.text);
    rows.push_back(std::move(row));
  }
  const bool any = !rows.empty();
  rows_->set(std::move(rows));
  if (any) list_->setCurrentIndex(rows_->index(0, 0));
  QString kinds;
  for (const FinderSource& source : sources_) kinds += QStringLiteral("  %1 %2").arg(source.prefix).arg(kindText(source));
  foot_->setText(any || !isSettled()
                     ? (found_ > int(kMaxHits) ? tr("%1 found, the first %2 are listed").arg(found_).arg(kMaxHits) : tr("%n found", nullptr, found_)) +
                           QStringLiteral("   ·") + kinds
                     : tr("No matches.") + QStringLiteral("   ·") + kinds);
}

void Finder::accept() {
  // `>layout.use mine`: a command with its words.
  QString typed = field_->text().trimmed();
  if (typed.startsWith(u'>')) typed = typed.mid(1).trimmed();
  QString error;
  const QStringList words = commandWords(typed, &error);
  if (words.size() > 1 && actions_.contains(words[0])) {
    const CommandResult result = actions_.run(words[0], words.mid(1));
    if (!result.ok) emit actions_.failed(result.message);
    return dismiss();
  }
  const QModelIndex index = list_->currentIndex();
  if (!index.isValid()) return;
  const FinderEntry entry = rows_->rows[size_t(index.row())].entry;
  if (!entry.reason.isEmpty()) {
    foot_->setText(entry.reason);
    return;
  }
  if (!entry.choose) {  // it takes words
    field_->setText(u'>' + entry.command + u' ');
    foot_->setText(entry.toolTip.section(u'\n', -1));
    return;
  }
  dismiss();
  entry.choose();
}

void Finder::dismiss() {
  if (focusBefore_) focusBefore_->setFocus(Qt::PopupFocusReason);
  close();
}

bool Finder::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::FocusOut && watched == field_ && !list_->underMouse() && !list_->hasFocus()) {
    close();
    return false;
  }
  if (event->type() != QEvent::KeyPress) return QFrame::eventFilter(watched, event);
  switch (static_cast<QKeyEvent*>(event)->key()) {
    case Qt::Key_Escape: dismiss(); return true;
    case Qt::Key_Return:
    case Qt::Key_Enter: accept(); return true;
    case Qt::Key_Up:
    case Qt::Key_Down:
    case Qt::Key_PageUp:
    case Qt::Key_PageDown: QCoreApplication::sendEvent(list_, event); return true;
    default: return QFrame::eventFilter(watched, event);
  }
}

}  // namespace weft::app
