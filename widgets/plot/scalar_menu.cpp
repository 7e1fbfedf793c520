// What a ScalarPlot is made of, its menu and the range that is asked for.
#include <QDialog>
#include <QDialogButtonBox>
#include <QDoubleValidator>
#include <QFormLayout>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>

#include "common/card_export.h"
#include "common/format.h"
#include "common/icons.h"
#include "plot/scalar_plot_p.h"

namespace weft::widgets {
namespace {
constexpr int kSettleMs = 800;
}

ScalarPlot::Private::Private(ScalarPlot* plot) : q(plot), frame(FrameGovernor::Stage::Drawing, "curves", [this] { refreshGrown(); }) {}

void ScalarPlot::Private::build() {
  QWidget* body = q->body();
  body->setMinimumSize(120, 80);
  body->setMouseTracking(true);
  body->setAttribute(Qt::WA_OpaquePaintEvent);
  body->installEventFilter(q);
  timer.setObjectName(QStringLiteral("curves_anew"));
  timer.setSingleShot(true);
  QObject::connect(&timer, &QTimer::timeout, q, [this] {
    if (onScreen()) refresh();
  });
  settle.setObjectName(QStringLiteral("curves_settle"));
  settle.setSingleShot(true);
  settle.setInterval(kSettleMs);
  QObject::connect(&settle, &QTimer::timeout, q, [this] {
    if (onScreen() && !dirty) refresh();
  });
  // Made anew each time, in the language and state of that moment.
  QObject::connect(q->menu(), &QMenu::aboutToShow, q, [this] { fillMenu(); });
  fillMenu();
}

void ScalarPlot::Private::fillMenu() {
  QMenu* actions = q->menu();
  actions->clear();
  struct Switch {
    QAction* action;
    bool Private::*value;
    void (ScalarPlot::*set)(bool);
  };
  const std::vector<Switch> switches{{actions->addAction(ScalarPlot::tr("Logarithmic y axis")), &Private::logScale, &ScalarPlot::setLogY},
                                     {actions->addAction(ScalarPlot::tr("Logarithmic x axis")), &Private::logScaleX, &ScalarPlot::setLogX},
                                     {actions->addAction(ScalarPlot::tr("5 % to 95 % only")), &Private::noOutliers, &ScalarPlot::setIgnoreOutliers},
                                     {actions->addAction(ScalarPlot::tr("Mean and spread of the runs")), &Private::spread, &ScalarPlot::setSpread},
                                     {actions->addAction(ScalarPlot::tr("Checkpoints and edits")), &Private::marksShown, &ScalarPlot::setMarksShown}};
  for (const Switch& s : switches) {
    s.action->setCheckable(true);
    s.action->setChecked(this->*s.value);
    QObject::connect(s.action, &QAction::triggered, q, [this, s](bool on) { (q->*s.set)(on); });
  }
  actions->addAction(ScalarPlot::tr("Range of the y axis…"), q, [this] { askYRange(); });
  actions->addAction(icon(QStringLiteral("fit")), ScalarPlot::tr("Fit"), q, [this] {
    q->setXRange(std::nullopt);
    q->setYRange(std::nullopt);
  });
  actions->addSeparator();
  addExportActions(actions, q, [this] { return q->title(); }, [this] { return q->toCsv().toUtf8(); }, [this] { return q->toJson(); });
}

void ScalarPlot::Private::askYRange() {
  QDialog dialog(q);
  dialog.setWindowTitle(ScalarPlot::tr("Range of the y axis"));
  auto* form = new QFormLayout(&dialog);
  const double top = scale.area.top(), bottom = scale.area.bottom();
  auto* low = new QLineEdit(formatValue(rangeY ? rangeY->first : scale.yAt(bottom)), &dialog);
  auto* high = new QLineEdit(formatValue(rangeY ? rangeY->second : scale.yAt(top)), &dialog);
  for (QLineEdit* edit : {low, high}) edit->setValidator(new QDoubleValidator(edit));
  form->addRow(ScalarPlot::tr("From"), low);
  form->addRow(ScalarPlot::tr("To"), high);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Reset | QDialogButtonBox::Cancel, &dialog);
  form->addRow(buttons);
  QObject::connect(buttons, &QDialogButtonBox::accepted, &dialog, &QDialog::accept);
  QObject::connect(buttons, &QDialogButtonBox::rejected, &dialog, &QDialog::reject);
  QObject::connect(buttons->button(QDialogButtonBox::Reset), &QPushButton::clicked, &dialog, [&] {
    q->setYRange(std::nullopt);
    dialog.reject();
  });
  if (dialog.exec() != QDialog::Accepted) return;
  const double a = low->text().toDouble(), b = high->text().toDouble();
  if (a < b) q->setYRange(std::pair{a, b});
}

}  // namespace weft::widgets
