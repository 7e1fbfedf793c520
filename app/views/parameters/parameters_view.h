#pragma once

#include <QWidget>
#include <memory>

#include "adapters/expression_facts.h"
#include "shell/view.h"

class QCompleter;
class QLabel;
class QLineEdit;
class QPushButton;
class QStackedWidget;
class QStringListModel;

namespace weft::app {

class ExpressionTable;

/// The named values of the current document, and the fields that follow expressions. Names are added, renamed and changed in place; everything that depends on one follows.
class ParametersView : public QWidget {
  Q_OBJECT
  /// {"names": [{"name", "expression", "value", "error", "doc"}], "fields": [{"field", "expression", "value"}]}, for scripts.
  Q_PROPERTY(QString report READ report)

 public:
  ParametersView(const ViewContext& context, QWidget* parent);
  ~ParametersView() override;
  QString report() const;

 protected:
  void changeEvent(QEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  /// A line to add a row with: left side, expression, button.
  struct Adding {
    QLineEdit *left = nullptr, *expression = nullptr;
    QPushButton* add = nullptr;
  };
  Adding addingLine(QWidget* parent, const char* name);
  void retranslate();
  void refill();
  void add(const Adding& line, const QString& action);
  void hint(const Adding& line, bool field);
  void tell(const QString& text, bool error);
  void runAction(const QString& id, const QStringList& words, const std::function<void()>& done = {});
  const ExpressionTrial* trial();

  ViewContext context_;
  QStackedWidget* stack_;
  QWidget* empty_;
  QLabel *namesHeading_, *fieldsHeading_, *message_;
  ExpressionTable *names_, *fields_;
  QPushButton *remove_, *release_, *select_;
  Adding name_, field_;
  QStringListModel* fieldNames_;
  std::unique_ptr<ExpressionTrial> trial_;
  bool stale_ = true;
};

extern const ViewRecord parametersView;

}  // namespace weft::app
