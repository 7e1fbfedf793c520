#include "palette/add_menu.h"

#include <QCoreApplication>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QScreen>
#include <QVBoxLayout>

#include "common/icons.h"
#include "common/theme.h"
#include "palette/palette_delegate.h"

namespace weft::widgets {
namespace {

constexpr int kWidth = 340, kRows = 9;

}  // namespace

AddMenu::AddMenu(QWidget* parent)
    : QFrame(parent, Qt::Popup),
      model_(new PaletteModel(this)),
      field_(new QLineEdit(this)),
      list_(new QListView(this)),
      accepts_(new QLabel(this)),
      result_(new QLabel(this)),
      foot_(new QLabel(this)) {
  setAttribute(Qt::WA_DeleteOnClose);
  setObjectName(QStringLiteral("add_menu"));
  setAccessibleName(tr("Add to the graph"));
  const Theme& theme = Theme::current();
  setStyleSheet(QStringLiteral("#add_menu { background: %1; border: 1px solid %2; } #add_menu QListView { background: %1; }")
                    .arg(theme.color(Role::Surface2).name(), theme.color(Role::BorderStrong).name()));
  field_->addAction(icon(QStringLiteral("search")), QLineEdit::LeadingPosition);
  field_->setObjectName(QStringLiteral("add_field"));
  field_->setAccessibleName(tr("What to add"));
  list_->setObjectName(QStringLiteral("add_list"));
  list_->setAccessibleName(tr("What fits"));
  list_->setModel(model_);
  list_->setItemDelegate(new PaletteDelegate(list_));
  list_->setUniformItemSizes(true);
  list_->setFocusPolicy(Qt::NoFocus);
  list_->setMouseTracking(true);
  list_->setFixedHeight(kRows * PaletteDelegate::kRowHeight + 2);
  for (QLabel* label : {accepts_, result_, foot_}) label->setProperty("kind", QStringLiteral("muted"));
  result_->setText(tr("result"));
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(1, 8, 1, 6);
  layout->setSpacing(4);
  auto* top = new QHBoxLayout;
  top->setContentsMargins(8, 0, 8, 0);
  top->addWidget(field_);
  auto* head = new QHBoxLayout;
  head->setContentsMargins(10, 0, 12, 0);
  head->addWidget(accepts_, 1);
  head->addWidget(result_);
  auto* bottom = new QHBoxLayout;
  bottom->setContentsMargins(10, 2, 10, 0);
  bottom->addWidget(foot_);
  layout->addLayout(top);
  layout->addLayout(head);
  layout->addWidget(list_);
  layout->addLayout(bottom);
  setFixedWidth(kWidth);
  field_->installEventFilter(this);
  connect(field_, &QLineEdit::textChanged, this, &AddMenu::filter);
  connect(list_, &QListView::clicked, this, [this] { choose(false); });
  connect(model_, &QAbstractItemModel::modelReset, this, [this] {
    if (model_->shownCount() > 0) list_->setCurrentIndex(model_->first());
    updateFoot();
  });
  model_->setAlwaysFlat(true);
  setWords({}, {});
}

void AddMenu::setWords(const QString& placeholder, const QString& accepts) {
  field_->setPlaceholderText(placeholder.isEmpty() ? tr("Add a layer or an op: dense 10 relu") : placeholder);
  accepts_->setText(accepts);
  accepts_->setVisible(!accepts.isEmpty());
  result_->setVisible(!accepts.isEmpty());
}

void AddMenu::filter(const QString& text) {
  model_->setFilter(text);
  updateFoot();
}

void AddMenu::updateFoot() {
  const QString keys = tr("Enter adds · Shift+Enter keeps this open");
  const int shown = model_->shownCount();
  const QString count = tr("%1 of %2", "entries listed of all").arg(shown).arg(model_->itemCount());
  if (shown == 0) foot_->setText(tr("No matches"));
  else if (model_->parameters().isEmpty()) foot_->setText(count + QStringLiteral("  ·  ") + keys);
  else foot_->setText(foot_->fontMetrics().elidedText(tr("Enter adds it with %1").arg(model_->parameters()), Qt::ElideRight, kWidth - 24));
}

void AddMenu::popup(QPoint at) {
  adjustSize();
  const QScreen* screen = QGuiApplication::screenAt(at);
  if (screen != nullptr) {
    const QRect free = screen->availableGeometry();
    at.setX(std::min(at.x(), free.right() - width()));
    at.setY(std::min(at.y(), free.bottom() - height()));
  }
  move(at);
  show();
  field_->setFocus();
  if (model_->shownCount() > 0) list_->setCurrentIndex(model_->first());
  updateFoot();
}

void AddMenu::choose(bool stay) {
  const PaletteItem* item = model_->itemAt(list_->currentIndex());
  if (item == nullptr) return;
  const QString type = item->type, parameters = model_->parameters();
  if (!stay) close();
  emit chosen(type, parameters);
  if (stay) field_->selectAll();
}

bool AddMenu::eventFilter(QObject* watched, QEvent* event) {
  if (watched == field_ && event->type() == QEvent::KeyPress) {
    auto* key = static_cast<QKeyEvent*>(event);
    switch (key->key()) {
      case Qt::Key_Return:
      case Qt::Key_Enter: choose((key->modifiers() & Qt::ShiftModifier) != 0); return true;
      case Qt::Key_Escape: close(); return true;
      case Qt::Key_Up:
      case Qt::Key_Down:
      case Qt::Key_PageUp:
      case Qt::Key_PageDown: {
        QKeyEvent copy(key->type(), key->key(), key->modifiers());
        QCoreApplication::sendEvent(list_, &copy);
        return true;
      }
      default: break;
    }
  }
  return QFrame::eventFilter(watched, event);
}

}  // namespace weft::widgets
