#include "main_window/find_popup.h"

#include <QApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "adapters/node_details.h"
#include "common/discard.h"
#include "common/icons.h"
#include "common/name_delegate.h"
#include "common/theme.h"
#include "document/document.h"
#include "graph_view/graph_view.h"
#include "shell/action_registry.h"

namespace weft::app {
namespace {
constexpr size_t kMaxResults = 200;
constexpr QSize kPopupSize{560, 400};

/// Conditions such as `dtype:int32` or `shape:?×10` (or `?x10`); words without a colon are looked for in name and op.
struct Asked {
  QStringList words, ops, devices, dtypes, shapes;
  bool ofNode = false, ofOutputs = false;

  explicit Asked(const QString& text) {
    for (const QString& word : text.split(u' ', Qt::SkipEmptyParts)) {
      const QString kind = word.section(u':', 0, 0), rest = word.section(u':', 1);
      QStringList* list = kind == QLatin1String("op")       ? &ops
                          : kind == QLatin1String("device") ? &devices
                          : kind == QLatin1String("dtype")  ? &dtypes
                          : kind == QLatin1String("shape")  ? &shapes
                                                            : nullptr;
      if (!list) {
        words << word;
        continue;
      }
      if (!rest.isEmpty()) *list << (list == &shapes ? QString(rest).replace(u'x', QChar(0xd7)) : rest);
      ofNode = true;
      ofOutputs = ofOutputs || (!rest.isEmpty() && (list == &dtypes || list == &shapes));
    }
  }
};
}  // namespace

void FindPopup::open(Document& document, widgets::GraphView& canvas, ActionRegistry& actions, QWidget* window, const QString& text, bool replaces) {
  if (auto* before = window->findChild<FindPopup*>()) {
    before->setParent(nullptr);
    widgets::discard(before);
  }
  auto* popup = new FindPopup(document, canvas, actions, window);
  popup->resize(kPopupSize);
  popup->move((window->width() - kPopupSize.width()) / 2, 76);
  popup->show();
  popup->raise();
  popup->field_->setText(text);
  (replaces && !text.isEmpty() ? popup->with_ : popup->field_)->setFocus();
}

FindPopup::FindPopup(Document& document, widgets::GraphView& canvas, ActionRegistry& actions, QWidget* window)
    : QFrame(window), document_(&document), canvas_(&canvas), actions_(actions) {
  setObjectName(QStringLiteral("find_popup"));
  setAttribute(Qt::WA_DeleteOnClose);
  const widgets::Theme& theme = widgets::Theme::current();
  setStyleSheet(QStringLiteral("#find_popup { background: %1; border: 1px solid %2; border-radius: 6px; }")
                    .arg(theme.color(widgets::Role::Surface2).name(), theme.color(widgets::Role::BorderStrong).name()));
  field_ = new QLineEdit(this);
  field_->setPlaceholderText(tr("Part of a name, or an op: conv2 MatMul; op: dtype: shape: device:"));
  field_->addAction(widgets::icon(QStringLiteral("search")), QLineEdit::LeadingPosition);
  with_ = new QLineEdit(this);
  with_->setObjectName(QStringLiteral("replace_field"));
  with_->setPlaceholderText(tr("Replace it in all names with … (Enter)"));
  with_->setAccessibleName(tr("Replace it in all names with"));
  with_->addAction(widgets::icon(QStringLiteral("redo")), QLineEdit::LeadingPosition);
  list_ = new QTreeWidget(this);
  list_->setRootIsDecorated(false);
  list_->setUniformRowHeights(true);
  list_->setColumnCount(2);
  list_->setHeaderHidden(true);
  list_->header()->setStretchLastSection(false);
  list_->header()->setSectionResizeMode(0, QHeaderView::Stretch);
  list_->header()->resizeSection(1, 150);
  widgets::elideNames(list_);
  list_->setFocusPolicy(Qt::NoFocus);
  foot_ = new QLabel(this);
  foot_->setProperty("kind", QStringLiteral("muted"));
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(8, 8, 8, 8);
  layout->addWidget(field_);
  layout->addWidget(with_);
  layout->addWidget(list_);
  layout->addWidget(foot_);
  field_->installEventFilter(this);
  with_->installEventFilter(this);
  connect(field_, &QLineEdit::textChanged, this, &FindPopup::search);
  connect(list_, &QTreeWidget::itemClicked, this, &FindPopup::accept);
  search({});
}

void FindPopup::search(const QString& text) {
  list_->clear();
  if (!document_) return;
  const Asked asked(text);
  const auto fits = [&](const QString& name, const QString& op) {
    return std::all_of(asked.words.begin(), asked.words.end(),
                       [&](const QString& word) { return name.contains(word, Qt::CaseInsensitive) || op.contains(word, Qt::CaseInsensitive); });
  };
  int found = 0;
  // Exact names first, then names that start with the text, names that end with it as whole parts, and the others; each in the graph's order.
  const QString typed = asked.words.join(u' ');
  std::array<std::vector<std::pair<QString, QString>>, 4> ranks;
  const auto add = [&](const QString& name, const QString& what) {
    ++found;
    const bool begins = !typed.isEmpty() && name.startsWith(typed, Qt::CaseInsensitive);
    const bool endsAPath = !typed.isEmpty() && name.endsWith(u'/' + typed, Qt::CaseInsensitive);
    auto& rank = ranks[begins && name.size() == typed.size() ? 0 : begins ? 1 : endsAPath ? 2 : 3];
    if (rank.size() < kMaxResults) rank.emplace_back(name, what);
  };
  const GraphArrays& arrays = document_->contents()->arrays;
  const auto holds = [](const QStringList& wanted, const QStringList& there) {
    return std::all_of(wanted.begin(), wanted.end(), [&](const QString& w) {
      return std::any_of(there.begin(), there.end(), [&](const QString& t) { return t.contains(w, Qt::CaseInsensitive); });
    });
  };
  if (asked.ofOutputs && outputsOf_ != document_->contents()) {
    outputsOf_ = document_->contents();
    outputs_ = outputTexts(*outputsOf_);
  }
  for (const auto& scope : arrays.scopes) {
    if (!asked.ofNode && fits(scope.name, {})) add(scope.name, tr("scope"));
  }
  for (size_t i = 0; i < arrays.nodes.size(); ++i) {
    const auto& node = arrays.nodes[i];
    if (!fits(node.name, node.op) || !holds(asked.ops, {node.op}) || !holds(asked.devices, {node.device})) continue;
    if (asked.ofOutputs && !holds(asked.dtypes + asked.shapes, outputs_.values(int(i)))) continue;
    add(node.name, node.op);
  }
  QList<QTreeWidgetItem*> rows;
  const QFont mono = widgets::Theme::current().monoFont();
  for (const auto& rank : ranks) {
    for (const auto& [name, what] : rank) {
      if (rows.size() >= int(kMaxResults)) break;
      auto* row = new QTreeWidgetItem({name, what});
      row->setFont(0, mono);
      row->setToolTip(0, name);
      rows << row;
    }
  }
  list_->addTopLevelItems(rows);
  if (!rows.isEmpty()) list_->setCurrentItem(rows.first());
  foot_->setText(found > int(kMaxResults) ? tr("%1 found, the first %2 are listed").arg(found).arg(kMaxResults)
                                          : tr("%n found · Enter goes there, Esc closes", nullptr, found));
}

void FindPopup::accept() {
  if (const QTreeWidgetItem* item = list_->currentItem(); item && canvas_) {
    canvas_->selectNames({item->text(0)});
    canvas_->centerSelection();
    canvas_->setFocus();
  }
  close();
}

void FindPopup::replaceAll() {
  const QString find = field_->text().trimmed(), with = with_->text().trimmed();
  if (find.isEmpty() || find.contains(u' ') || find.contains(u':')) {
    foot_->setText(tr("Type the text to replace, without spaces or colons."));
    return;
  }
  actions_.run(QStringLiteral("graph.rename-all"), {find, with});
  if (canvas_) canvas_->setFocus();
  close();
}

bool FindPopup::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::FocusOut && !list_->underMouse()) {
    const QWidget* next = QApplication::focusWidget();
    if (next != field_ && next != with_) close();
    return false;
  }
  if (event->type() != QEvent::KeyPress) return QFrame::eventFilter(watched, event);
  switch (static_cast<QKeyEvent*>(event)->key()) {
    case Qt::Key_Escape:
      if (canvas_) canvas_->setFocus();
      close();
      return true;
    case Qt::Key_Return:
    case Qt::Key_Enter: watched == with_ ? replaceAll() : accept(); return true;
    case Qt::Key_Up:
    case Qt::Key_Down:
    case Qt::Key_PageUp:
    case Qt::Key_PageDown: QCoreApplication::sendEvent(list_, event); return true;
    default: return QFrame::eventFilter(watched, event);
  }
}

}  // namespace weft::app
