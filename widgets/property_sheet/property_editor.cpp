#include "property_sheet/property_editor.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QStyle>
#include <QStyleOption>
#include <algorithm>

#include "common/fitting_label.h"
#include "common/theme.h"
#include "property_sheet/expression_completer.h"

namespace weft::widgets {
namespace {

constexpr int kMostFields = 4, kLeastCharacters = 4;

/// A combo box with a small minimum width. QComboBox's size policies for that create the popup at once, which costs more than the rest of the row.
class Choice : public QComboBox {
 public:
  using QComboBox::QComboBox;
  QSize sizeHint() const override {
    QStyleOptionComboBox option;
    initStyleOption(&option);
    const QFontMetrics metrics(font());
    const QSize content(metrics.horizontalAdvance(QLatin1Char('X')) * kLeastCharacters, std::max(metrics.height(), 14) + 2);
    return style()->sizeFromContents(QStyle::CT_ComboBox, &option, content, this);
  }
  QSize minimumSizeHint() const override { return sizeHint(); }
};

void mark(QWidget* widget, bool invalid) {
  if (widget->property("invalid").toBool() == invalid) return;
  widget->setProperty("invalid", invalid);
  widget->style()->unpolish(widget);
  widget->style()->polish(widget);
}

}  // namespace

PropertyEditor::Kind PropertyEditor::kindOf(const Property& p) {
  if (!p.expression.isEmpty()) return Kind::Text;
  if (p.type == QLatin1String("bool") && !p.mixed) return Kind::Switch;
  if (!p.choices.isEmpty() && !p.type.startsWith(QLatin1String("list"))) return Kind::Choice;
  const qsizetype length = listElements(p.value).size();
  if ((p.type == QLatin1String("list(int)") || p.type == QLatin1String("list(float)")) && length >= 1 && length <= kMostFields && !p.mixed)
    return Kind::Elements;
  return Kind::Text;
}

PropertyEditor::PropertyEditor(Property property, QWidget* parent, ExpressionSource source)
    : QWidget(parent), property_(std::move(property)), kind_(kindOf(property_)), source_(std::move(source)) {
  build();
  show(property_);
}

QString PropertyEditor::shownOf(const Property& property) { return property.expression.isEmpty() ? property.value : u'=' + property.expression; }

bool PropertyEditor::suits(const Property& p) const {
  if (p.expression.isEmpty() != property_.expression.isEmpty()) return false;
  if (p.name != property_.name || p.type != property_.type || p.choices != property_.choices || kindOf(p) != kind_) return false;
  return kind_ != Kind::Elements || listElements(p.value).size() == fields_.size();
}

void PropertyEditor::build() {
  auto* row = layout() != nullptr ? static_cast<QHBoxLayout*>(layout()) : new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(4);
  if (!property_.expression.isEmpty()) {
    mark_ = new QLabel(tr("fx"), this);
    mark_->setObjectName(QStringLiteral("expression_mark"));
    mark_->setProperty("kind", QStringLiteral("chip"));
    mark_->setToolTip(tr("%1 follows an expression. Type a value to end that.").arg(property_.name));
    row->addWidget(mark_);
  }
  const auto field = [&] {
    auto* edit = new QLineEdit(this);
    edit->setFont(Theme::current().monoFont());
    edit->setMinimumWidth(24);
    edit->setAccessibleName(property_.name);
    edit->setAccessibleDescription(property_.doc);
    edit->setProperty("typedCounts", true);  // a command given during editing first commits the typed text
    row->addWidget(edit, 1);
    connect(edit, &QLineEdit::textEdited, this, [this](const QString& text) {
      sent_.clear();
      // An expression is for the list as a whole.
      if (kind_ == Kind::Elements && source_.compute && isExpression(property_, text)) beginExpression(text);
      else judge();
    });
    connect(edit, &QLineEdit::editingFinished, this, &PropertyEditor::commit);
    edit->installEventFilter(this);
    if (source_.words) {
      auto* completer = new ExpressionCompleter(edit, source_.words);
      connect(completer, &ExpressionCompleter::completed, this, &PropertyEditor::judge);
    }
    fields_ << edit;
    return edit;
  };
  switch (kind_) {
    case Kind::Switch:
      switch_ = new QCheckBox(this);
      switch_->setAccessibleName(property_.name);
      row->addWidget(switch_);
      row->addStretch(1);
      switch_->installEventFilter(this);
      connect(switch_, &QCheckBox::toggled, this, &PropertyEditor::commit);
      break;
    case Kind::Choice:
      choice_ = new Choice(this);
      choice_->setAccessibleName(property_.name);
      choice_->setFocusPolicy(Qt::StrongFocus);
      choice_->addItems(property_.choices);
      choice_->setPlaceholderText(property_.mixed ? tr("several values") : tr("none"));
      row->addWidget(choice_, 1);
      choice_->installEventFilter(this);
      connect(choice_, &QComboBox::activated, this, &PropertyEditor::commit);
      break;
    case Kind::Elements:
      for (qsizetype i = 0; i < listElements(property_.value).size(); ++i) field();
      break;
    case Kind::Text: {
      QLineEdit* edit = field();
      if (!property_.otherwise.isEmpty()) edit->setPlaceholderText(property_.otherwise);
      if (property_.mixed) edit->setPlaceholderText(tr("several values"));
      break;
    }
  }
  if (!property_.unit.isEmpty()) {
    auto* unit = new FittingLabel(property_.unit, this);
    unit->setProperty("kind", QStringLiteral("muted"));
    row->addWidget(unit);
  }
}

void PropertyEditor::rebuild(Kind kind) {
  while (QLayoutItem* item = layout()->takeAt(0)) {
    if (QWidget* widget = item->widget()) {
      widget->disconnect(this);
      widget->hide();
      widget->deleteLater();  // one of them may be the caller
    }
    delete item;
  }
  fields_.clear();
  choice_ = nullptr;
  switch_ = nullptr;
  mark_ = nullptr;
  kind_ = kind;
  build();
  for (int i = 0; i < layout()->count(); ++i)
    if (QWidget* made = layout()->itemAt(i)->widget()) made->show();
}

void PropertyEditor::beginExpression(const QString& text) {
  if (kind_ != Kind::Text) rebuild(Kind::Text);
  QLineEdit* edit = fields_.first();
  edit->setText(text);
  edit->setModified(true);
  edit->setFocus();
  edit->setCursorPosition(int(text.size()));
  judge();
}

void PropertyEditor::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Equal && source_.compute && (switch_ != nullptr || choice_ != nullptr)) beginExpression();
  else QWidget::keyPressEvent(event);
}

bool PropertyEditor::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() != QEvent::KeyPress) return QWidget::eventFilter(watched, event);
  const auto* key = static_cast<QKeyEvent*>(event);
  if (key->key() == Qt::Key_Equal && key->modifiers() == Qt::NoModifier && source_.compute && (watched == switch_ || watched == choice_)) {
    beginExpression();
    return true;
  }
  auto* field = qobject_cast<QLineEdit*>(watched);
  if (key->key() == Qt::Key_Escape && field != nullptr && source_.compute && isExpression(property_, field->text()) && field->text() != shownOf(property_)) {
    const Kind kind = kindOf(property_);
    if (kind != kind_) rebuild(kind);
    sent_.clear();
    show(property_);
    return true;
  }
  return QWidget::eventFilter(watched, event);
}

void PropertyEditor::show(const Property& property) {
  const QString value = shownOf(property);
  showing_ = true;
  if (switch_ != nullptr) switch_->setChecked(value == QLatin1String("true"));
  if (choice_ != nullptr) choice_->setCurrentIndex(property.mixed ? -1 : choice_->findText(value));
  if (kind_ == Kind::Elements) {
    const QStringList elements = listElements(value);
    for (qsizetype i = 0; i < fields_.size() && i < elements.size(); ++i) {
      fields_[i]->setText(elements[i]);
      fields_[i]->setCursorPosition(0);
    }
  } else if (!fields_.isEmpty()) {
    fields_.first()->setText(property.mixed ? QString() : value);
    fields_.first()->setCursorPosition(0);
  }
  const bool follows = !property.expression.isEmpty() && !property.mixed;
  if (mark_ != nullptr) mark_->setVisible(follows);
  setNotes({}, follows ? QStringLiteral("= ") + property.value : QString());
  showing_ = false;
}

QString PropertyEditor::typed() const {
  if (switch_ != nullptr) return switch_->isChecked() ? QStringLiteral("true") : QStringLiteral("false");
  if (choice_ != nullptr) return choice_->currentText();
  if (kind_ == Kind::Elements) {
    QStringList elements;
    for (const QLineEdit* field : fields_) elements << field->text().trimmed();
    elements.removeAll(QString());
    return listText(elements);
  }
  QString text = fields_.first()->text();
  return property_.type == QLatin1String("string") ? text : text.trimmed();
}

void PropertyEditor::judge() {
  const QString text = typed();
  if (kind_ == Kind::Text && isExpression(property_, text)) {
    if (!source_.compute) return setNotes({}, {});
    const ExpressionResult computed = source_.compute(property_, text.trimmed().mid(1));
    setNotes(computed.error, computed.error.isEmpty() ? QStringLiteral("= ") + computed.value : QString());
    return;
  }
  QString problem = propertyProblem(property_, text);
  // Empty list fields are an error: the list would silently lose an element.
  if (kind_ == Kind::Elements)
    for (const QLineEdit* field : std::as_const(fields_))
      if (field->text().trimmed().isEmpty()) problem = tr("A number is required.");
  setProblem(problem);
}

void PropertyEditor::setProblem(const QString& problem) { setNotes(problem, {}); }

void PropertyEditor::setNotes(const QString& problem, const QString& result) {
  for (QLineEdit* field : std::as_const(fields_)) mark(field, !problem.isEmpty());
  if (problem == problem_ && result == result_) return;
  problem_ = problem;
  result_ = result;
  for (QLineEdit* field : std::as_const(fields_))
    field->setAccessibleDescription(!problem.isEmpty() ? problem : result.isEmpty() ? property_.doc : result + u'\n' + property_.doc);
  emit problemChanged();
}

void PropertyEditor::commit() {
  if (showing_) return;
  judge();
  const QString text = typed();
  if (!problem_.isEmpty() || (text == shownOf(property_) && !property_.mixed)) return;
  if (property_.mixed && text.isEmpty()) return;
  // So that losing the focus is not a second edit. What an expression replaces is still known: it may be refused.
  if (isExpression(property_, text)) {
    if (text == sent_) return;
    sent_ = text;
  } else {
    property_.value = text;
    property_.expression.clear();
    property_.mixed = false;
  }
  emit edited(text);
}

void PropertyEditor::setProperty(const Property& property) {
  property_ = property;
  sent_.clear();
  for (const QLineEdit* field : std::as_const(fields_))
    if (field->hasFocus() && field->isModified() && !problem_.isEmpty()) return;
  show(property);
}

}  // namespace weft::widgets
