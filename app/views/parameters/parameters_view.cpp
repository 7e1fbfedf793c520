#include "views/parameters/parameters_view.h"

#include <QCompleter>
#include <QCoreApplication>
#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QStackedWidget>
#include <QStringListModel>
#include <QStyle>
#include <QTimer>
#include <QVBoxLayout>

#include "common/empty_state.h"
#include "common/flow_layout.h"
#include "common/theme.h"
#include "document/document.h"
#include "document/workspace.h"
#include "property_sheet/expression_completer.h"
#include "shell/action_registry.h"
#include "views/parameters/expression_table.h"

namespace weft::app {
namespace {

constexpr int kPollMs = 20, kLeastRows = 70;  // pixels

void setKind(QWidget* widget, const char* kind) {
  if (widget->property("kind").toString() == QLatin1String(kind)) return;
  widget->setProperty("kind", QLatin1String(kind));
  widget->style()->unpolish(widget);
  widget->style()->polish(widget);
}

}  // namespace

ParametersView::Adding ParametersView::addingLine(QWidget* parent, const char* name) {
  Adding line;
  line.left = new QLineEdit(parent);
  line.expression = new QLineEdit(parent);
  line.add = new QPushButton(parent);
  line.left->setObjectName(QLatin1String(name));
  line.expression->setObjectName(QLatin1String(name) + QStringLiteral("_expression"));
  line.add->setObjectName(QLatin1String(name) + QStringLiteral("_add"));
  for (QLineEdit* edit : {line.left, line.expression}) {
    edit->setFont(widgets::Theme::current().monoFont());
    edit->setMinimumWidth(40);
  }
  new widgets::ExpressionCompleter(
      line.expression, [this] { return trial() ? trial()->words() : QStringList(); }, true);
  return line;
}

ParametersView::ParametersView(const ViewContext& context, QWidget* parent) : QWidget(parent), context_(context) {
  stack_ = new QStackedWidget(this);
  auto* empty = new widgets::EmptyState(QStringLiteral("settings"), {}, {}, stack_);
  empty_ = empty;
  auto* page = new QWidget(stack_);
  auto* rows = new QVBoxLayout(page);
  rows->setContentsMargins(8, 8, 8, 8);
  rows->setSpacing(6);
  const auto table = [&](const char* name) {
    auto* made = new ExpressionTable(page);
    made->setObjectName(QLatin1String(name));
    made->setMinimumHeight(kLeastRows);
    made->words = [this] { return trial() ? trial()->words() : QStringList(); };
    return made;
  };
  const auto heading = [&] {
    auto* made = new QLabel(page);
    setKind(made, "heading");
    return made;
  };
  const auto line = [&](const Adding& adding) {
    auto* row = new QHBoxLayout;
    row->setSpacing(6);
    row->addWidget(adding.left, 1);
    row->addWidget(new QLabel(QStringLiteral("="), page));
    row->addWidget(adding.expression, 1);
    row->addWidget(adding.add);
    rows->addLayout(row);
  };
  const auto buttons = [&](std::initializer_list<QPushButton*> all) {
    auto* bar = new QWidget(page);
    auto* flow = new widgets::FlowLayout(bar, 0, 6);
    for (QPushButton* b : all) flow->addWidget(b);
    rows->addWidget(bar);
  };
  namesHeading_ = heading();
  names_ = table("parameter_names");
  names_->renames = true;
  name_ = addingLine(page, "parameter_name");
  remove_ = new QPushButton(page);
  fieldsHeading_ = heading();
  fields_ = table("parameter_fields");
  field_ = addingLine(page, "parameter_field");
  release_ = new QPushButton(page);
  select_ = new QPushButton(page);
  message_ = new QLabel(page);
  message_->setObjectName(QStringLiteral("parameter_message"));
  message_->setTextFormat(Qt::PlainText);
  message_->setWordWrap(true);
  message_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  message_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::MinimumExpanding);
  message_->hide();
  rows->addWidget(namesHeading_);
  rows->addWidget(names_, 3);
  line(name_);
  buttons({remove_});
  rows->addWidget(fieldsHeading_);
  rows->addWidget(fields_, 2);
  line(field_);
  buttons({release_, select_});
  rows->addWidget(message_);
  fieldNames_ = new QStringListModel(this);
  auto* completer = new QCompleter(fieldNames_, this);
  completer->setCaseSensitivity(Qt::CaseInsensitive);
  completer->setFilterMode(Qt::MatchContains);
  completer->popup()->setAccessibleName(tr("Fields"));
  field_.left->setCompleter(completer);
  stack_->addWidget(empty_);
  stack_->addWidget(page);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(stack_);

  names_->compute = [this](const QString& name, const QString& text) { return trial() ? trial()->forName(name, text) : widgets::ExpressionResult(); };
  fields_->compute = [this](const QString& field, const QString& text) { return trial() ? trial()->forField(field, text) : widgets::ExpressionResult(); };
  connect(names_, &ExpressionTable::renamed, this, [this](const QString& from, const QString& to) {
    runAction(QStringLiteral("parameter.rename"), {from, to});
  });
  connect(names_, &ExpressionTable::changed, this,
          [this](const QString& name, const QString& text) { runAction(QStringLiteral("parameter.set"), {name + u'=' + text}); });
  connect(fields_, &ExpressionTable::changed, this,
          [this](const QString& field, const QString& text) { runAction(QStringLiteral("parameter.follow"), {field + u'=' + text}); });
  connect(names_, &ExpressionTable::removeRequested, remove_, &QPushButton::click);
  connect(fields_, &ExpressionTable::removeRequested, release_, &QPushButton::click);
  connect(remove_, &QPushButton::clicked, this, [this] {
    if (const QStringList chosen = names_->chosen(); !chosen.isEmpty()) runAction(QStringLiteral("parameter.remove"), chosen);
  });
  connect(release_, &QPushButton::clicked, this, [this] {
    if (const QStringList chosen = fields_->chosen(); !chosen.isEmpty()) runAction(QStringLiteral("parameter.release"), chosen);
  });
  connect(select_, &QPushButton::clicked, this, [this] {
    QStringList owners;
    for (const QString& field : fields_->chosen())
      if (const qsizetype dot = field.lastIndexOf(u'.'); dot > 0 && !owners.contains(field.left(dot))) owners << field.left(dot);
    if (!owners.isEmpty()) runAction(QStringLiteral("graph.select"), owners);
  });
  const auto enable = [this] {
    remove_->setEnabled(!names_->chosen().isEmpty());
    release_->setEnabled(!fields_->chosen().isEmpty());
    const QStringList chosen = fields_->chosen();
    select_->setEnabled(std::any_of(chosen.begin(), chosen.end(), [](const QString& f) { return f.contains(u'.'); }));
  };
  connect(names_, &QTreeWidget::itemSelectionChanged, this, enable);
  connect(fields_, &QTreeWidget::itemSelectionChanged, this, enable);
  enable();
  for (const bool field : {false, true}) {
    const Adding& adding = field ? field_ : name_;
    const auto act = [this, field] { add(field ? field_ : name_, field ? QStringLiteral("parameter.follow") : QStringLiteral("parameter.set")); };
    connect(adding.add, &QPushButton::clicked, this, act);
    connect(adding.expression, &QLineEdit::returnPressed, this, act);
    connect(adding.left, &QLineEdit::returnPressed, adding.expression, qOverload<>(&QWidget::setFocus));
    connect(adding.expression, &QLineEdit::textEdited, this, [this, field] { hint(field ? field_ : name_, field); });
  }
  connect(empty, &widgets::EmptyState::buttonClicked, this, [this] { context_.actions.run(QStringLiteral("file.new-empty"), {}); });
  connect(&context.workspace, &Workspace::currentChanged, this, &ParametersView::refill);
  connect(&context.workspace, &Workspace::contentsChanged, this, &ParametersView::refill);
  retranslate();
}

ParametersView::~ParametersView() = default;

const ExpressionTrial* ParametersView::trial() {
  const Document* document = context_.workspace.current();
  if (!document) return nullptr;
  if (!trial_ || trial_->contents() != document->contents()) trial_ = std::make_unique<ExpressionTrial>(document->contents());
  return trial_.get();
}

void ParametersView::tell(const QString& text, bool error) {
  setKind(message_, error ? "error" : "muted");
  message_->setText(text);
  message_->setVisible(!text.isEmpty());
}

void ParametersView::hint(const Adding& line, bool field) {
  const QString left = line.left->text().trimmed(), expression = line.expression->text().trimmed();
  if (!trial() || left.isEmpty() || expression.isEmpty()) return tell({}, false);
  const widgets::ExpressionResult result = field ? trial()->forField(left, expression) : trial()->forName(left, expression);
  tell(result.error.isEmpty() ? tr("%1 would be %2").arg(left, result.value) : result.error, !result.error.isEmpty());
}

void ParametersView::add(const Adding& line, const QString& action) {
  const QString left = line.left->text().trimmed(), expression = line.expression->text().trimmed();
  if (left.isEmpty()) return line.left->setFocus();
  if (expression.isEmpty()) return line.expression->setFocus();
  runAction(action, {left + u'=' + expression}, [line] {
    line.left->clear();
    line.expression->clear();
    line.left->setFocus();
  });
}

void ParametersView::runAction(const QString& id, const QStringList& words, const std::function<void()>& done) {
  tell({}, false);
  const auto ended = [this, done](const CommandResult& result) {
    if (!result.ok) tell(result.message, true);
    else if (done) done();
  };
  const CommandResult result = context_.actions.run(id, words);
  if (!result.ok || !result.later) return ended(result);
  auto* timer = new QTimer(this);
  connect(timer, &QTimer::timeout, this, [timer, poll = result.later, ended] {
    if (const auto answer = poll()) {
      timer->stop();
      timer->deleteLater();
      ended(*answer);
    }
  });
  timer->start(kPollMs);
}

void ParametersView::refill() {
  if (!isVisible()) {
    stale_ = true;  // a hidden dock does no work
    return;
  }
  stale_ = false;
  const Document* document = context_.workspace.current();
  stack_->setCurrentIndex(document ? 1 : 0);
  QVector<ExpressionRow> names, fields;
  if (document) {
    for (const NameFacts& n : nameFacts(*document->contents())) names << ExpressionRow{n.name, n.expression, n.value, n.error, n.doc};
    for (const FollowedFacts& f : followedFacts(*document->contents())) fields << ExpressionRow{f.field, f.expression, f.value, {}, {}};
    fieldNames_->setStringList(trial()->fields());
  }
  names_->setRows(names);
  fields_->setRows(fields);
}

QString ParametersView::report() const {
  QJsonArray names, fields;
  if (const Document* document = context_.workspace.current()) {
    for (const NameFacts& n : nameFacts(*document->contents()))
      names << QJsonObject{{QStringLiteral("name"), n.name},
                           {QStringLiteral("expression"), n.expression},
                           {QStringLiteral("value"), n.value},
                           {QStringLiteral("error"), n.error},
                           {QStringLiteral("doc"), n.doc}};
    for (const FollowedFacts& f : followedFacts(*document->contents()))
      fields << QJsonObject{{QStringLiteral("field"), f.field}, {QStringLiteral("expression"), f.expression}, {QStringLiteral("value"), f.value}};
  }
  return QString::fromUtf8(QJsonDocument(QJsonObject{{QStringLiteral("names"), names}, {QStringLiteral("fields"), fields}}).toJson(QJsonDocument::Compact));
}

void ParametersView::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  if (stale_) refill();
}

void ParametersView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange) retranslate();
  if (event->type() == QEvent::LanguageChange || event->type() == QEvent::PaletteChange) refill();
  QWidget::changeEvent(event);
}

void ParametersView::retranslate() {
  auto* empty = static_cast<widgets::EmptyState*>(empty_);
  empty->setTitle(tr("No graph is open"));
  empty->setText(tr("Names such as width = 64 belong to a document. Its fields can follow them: =2*width."));
  empty->setButton(tr("New graph"), QStringLiteral("new"));
  namesHeading_->setText(tr("Names"));
  fieldsHeading_->setText(tr("Fields that follow expressions"));
  names_->setHeaderLabels({tr("Name"), tr("Expression"), tr("Value")});
  fields_->setHeaderLabels({tr("Field"), tr("Expression"), tr("Value")});
  names_->setAccessibleName(tr("Names"));
  fields_->setAccessibleName(tr("Fields that follow expressions"));
  name_.left->setPlaceholderText(tr("width"));
  name_.left->setAccessibleName(tr("New name"));
  name_.left->setToolTip(tr("A new name: letters, digits and _"));
  field_.left->setPlaceholderText(tr("dense_1.units"));
  field_.left->setAccessibleName(tr("Field"));
  field_.left->setToolTip(tr("A parameter of a layer or group instance, an attribute of a node, or a training setting such as batch_size"));
  name_.expression->setPlaceholderText(QStringLiteral("64"));
  field_.expression->setPlaceholderText(QStringLiteral("2*width"));
  for (const Adding& line : {name_, field_}) {
    line.expression->setAccessibleName(tr("Expression"));
    line.expression->setToolTip(tr("A value, or an expression over names and fields: + - * / // % **, min, max, round, a if b else c, [batch, 2*width]"));
    line.add->setText(tr("Add"));
  }
  name_.add->setToolTip(tr("Adds the name, or changes it"));
  field_.add->setToolTip(tr("Lets the field follow the expression"));
  remove_->setText(tr("Remove"));
  remove_->setToolTip(tr("Removes names that nothing uses"));
  release_->setText(tr("Release"));
  release_->setToolTip(tr("The fields keep their values and follow nothing"));
  select_->setText(tr("Select on the canvas"));
  select_->setToolTip(tr("Selects the nodes and layers of these fields"));
}

const ViewRecord parametersView = {"parameters",
                                   QT_TRANSLATE_NOOP("Views", "Parameters"),
                                   QT_TRANSLATE_NOOP("Views", "Named values, and fields that follow expressions"),
                                   "settings",
                                   Qt::LeftDockWidgetArea,
                                   "",
                                   [](const ViewContext& context, QWidget* parent) -> QWidget* { return new ParametersView(context, parent); }};

}  // namespace weft::app
