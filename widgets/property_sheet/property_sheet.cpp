#include "property_sheet/property_sheet.h"

#include <QAction>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QStyle>

#include "common/elided_label.h"
#include "common/fitting_label.h"
#include "common/format.h"
#include "common/theme.h"
#include "property_sheet/property_editor.h"

namespace weft::widgets {
namespace {

/// A value and a note. The note is hidden where both do not fit; a value alone is elided in its middle instead of widening the sheet.
class ValueText : public QWidget {
 public:
  explicit ValueText(QWidget* parent) : QWidget(parent), value_(new QLabel(this)), note_(new QLabel(this)) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    row->addWidget(value_);
    row->addWidget(note_);
    row->addStretch(1);
    value_->setFont(Theme::current().monoFont());
    value_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    note_->setProperty("kind", QStringLiteral("muted"));
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  }
  void set(const QString& value, const QString& note) {
    full_ = value;
    note_->setText(note);
    fit();
  }

 protected:
  void resizeEvent(QResizeEvent*) override { fit(); }

 private:
  void fit() {
    const QFontMetricsF metrics(value_->font());
    const int room = std::max(40, width());
    note_->setVisible(!note_->text().isEmpty() && metrics.horizontalAdvance(full_) + 8 + note_->sizeHint().width() <= room);
    value_->setText(elideName(full_, metrics, note_->isHidden() ? room : room - 8 - note_->sizeHint().width()));
  }

  QLabel *value_, *note_;
  QString full_;
};

}  // namespace

PropertySheet::PropertySheet(QWidget* parent) : QWidget(parent), grid_(new QGridLayout(this)) {
  grid_->setContentsMargins(0, 0, 0, 0);
  grid_->setHorizontalSpacing(10);
  grid_->setVerticalSpacing(4);
  grid_->setColumnStretch(1, 1);
}

void PropertySheet::setProperties(const QVector<Property>& properties) {
  bool same = properties.size() == rows_.size();
  for (qsizetype i = 0; same && i < rows_.size(); ++i) {
    same = rows_[i].property.name == properties[i].name && rows_[i].property.readOnly == properties[i].readOnly &&
           (rows_[i].editor == nullptr || rows_[i].editor->suits(properties[i]));
  }
  if (!same) {
    rebuild(properties);
    return;
  }
  for (qsizetype i = 0; i < rows_.size(); ++i) {
    rows_[i].property = properties[i];
    if (rows_[i].editor != nullptr) rows_[i].editor->setProperty(properties[i]);
    fill(rows_[i]);
  }
}

void PropertySheet::rebuild(const QVector<Property>& properties) {
  for (const Row& row : std::as_const(rows_))
    for (QWidget* widget : {static_cast<QWidget*>(row.name), row.value, static_cast<QWidget*>(row.problem), static_cast<QWidget*>(row.result),
                            static_cast<QWidget*>(row.editor)}) {
      if (widget == nullptr) continue;
      grid_->removeWidget(widget);
      widget->hide();
      widget->deleteLater();  // one of them may be the caller
    }
  rows_.clear();
  int at = 0;
  for (const Property& property : properties) {
    Row row;
    row.property = property;
    row.name = new FittingLabel(property.name, this);
    row.name->setMaximumWidth(130);
    grid_->addWidget(row.name, at, 0);
    if (property.readOnly) {
      row.value = new ValueText(this);
      grid_->addWidget(row.value, at, 1);
    } else {
      row.editor = new PropertyEditor(property, this, source_);
      row.name->setBuddy(row.editor);
      grid_->addWidget(row.editor, at, 1);
      row.problem = new QLabel(this);
      row.problem->setWordWrap(true);
      row.problem->setProperty("kind", QStringLiteral("error"));
      row.problem->hide();
      grid_->addWidget(row.problem, at + 1, 0, 1, 2);
      row.result = new ElidedLabel(this);
      row.result->setObjectName(QStringLiteral("expression_result"));
      row.result->setProperty("kind", QStringLiteral("muted"));
      row.result->setFont(Theme::current().monoFont());
      row.result->setTextInteractionFlags(Qt::TextSelectableByMouse);
      grid_->addWidget(row.result, at + 1, 1);
      const QString name = property.name;
      connect(row.editor, &PropertyEditor::edited, this, [this, name](const QString& text) { emit edited(name, text); });
      const auto tell = [editor = row.editor, label = row.problem, result = row.result] {
        label->setText(editor->problem());
        label->setVisible(!editor->problem().isEmpty());
        result->setFull(editor->result());
        result->setVisible(editor->problem().isEmpty() && !editor->result().isEmpty());
      };
      connect(row.editor, &PropertyEditor::problemChanged, this, tell);
      tell();
      auto* reset = new QAction(tr("Reset to default"), row.name);
      connect(reset, &QAction::triggered, this, [this, name] { emit resetRequested(name); });
      row.name->addAction(reset);
      if (source_.compute) {
        auto* follow = new QAction(tr("Enter an expression"), row.name);
        connect(follow, &QAction::triggered, row.editor, [editor = row.editor] { editor->beginExpression(); });
        row.name->addAction(follow);
      }
      row.name->setContextMenuPolicy(Qt::ActionsContextMenu);
    }
    fill(row);
    rows_ << row;
    at += 2;
  }
}

void PropertySheet::fill(Row& row) {
  const Property& p = row.property;
  QStringList tip{p.type};
  if (!p.doc.isEmpty()) tip << p.doc;
  if (!p.otherwise.isNull()) tip << tr("Default: %1").arg(p.otherwise.isEmpty() ? QStringLiteral("\"\"") : p.otherwise);
  if (p.isDefault) tip << tr("The default value.");
  if (!p.expression.isEmpty()) tip << tr("Follows the expression %1.").arg(p.expression);
  else if (source_.compute && row.editor != nullptr) tip << tr("Type = for an expression, such as =2*width.");
  row.name->setToolTip(tip.join(u'\n'));
  // Explicit values stand out from defaults.
  row.name->setProperty("kind", p.isDefault || p.readOnly ? QVariant(QStringLiteral("muted")) : QVariant());
  row.name->style()->unpolish(row.name);
  row.name->style()->polish(row.name);
  if (row.editor != nullptr) row.editor->setToolTip(tip.join(u'\n'));
  if (row.value != nullptr) {
    static_cast<ValueText*>(row.value)->set(p.value, p.note);
    row.value->setToolTip((p.note.isEmpty() ? p.value : p.value + u' ' + p.note) + u'\n' + tip.join(u'\n'));
  }
}

QVector<Property> PropertySheet::properties() const {
  QVector<Property> list;
  for (const Row& row : rows_) list << row.property;
  return list;
}

PropertyEditor* PropertySheet::editor(const QString& name) const {
  for (const Row& row : rows_)
    if (row.property.name == name) return row.editor;
  return nullptr;
}

void PropertySheet::setProblem(const QString& name, const QString& problem) {
  if (PropertyEditor* e = editor(name)) e->setProblem(problem);
}

}  // namespace weft::widgets
