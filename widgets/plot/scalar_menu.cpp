// Construction of a ScalarPlot, its menu and its range dialog.
#include <QDialog>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <cmath>
#include <optional>

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
  // Rebuilt each time, in the current language and state.
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
  addExportActions(
      actions, q, [this] { return q->title(); }, [this] { return q->toCsv().toUtf8(); }, [this] { return q->toJson(); });
}

void ScalarPlot::Private::askYRange() {
  // Not modal: the card may be removed meanwhile, and the dialog with it.
  auto* dialog = new QDialog(q);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setObjectName(QStringLiteral("y_range_dialog"));
  dialog->setWindowTitle(ScalarPlot::tr("Range of the y axis"));
  auto* form = new QFormLayout(dialog);
  const double top = scale.area.top(), bottom = scale.area.bottom();
  auto* low = new QLineEdit(formatValue(rangeY ? rangeY->first : scale.yAt(bottom)), dialog);
  auto* high = new QLineEdit(formatValue(rangeY ? rangeY->second : scale.yAt(top)), dialog);
  form->addRow(ScalarPlot::tr("From"), low);
  form->addRow(ScalarPlot::tr("To"), high);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Reset | QDialogButtonBox::Cancel, dialog);
  form->addRow(buttons);
  // Numbers use a decimal point in every locale; an invalid range cannot be accepted.
  const auto range = [low, high]() -> std::optional<std::pair<double, double>> {
    bool okLow = false, okHigh = false;
    const double a = low->text().trimmed().toDouble(&okLow), b = high->text().trimmed().toDouble(&okHigh);
    return okLow && okHigh && std::isfinite(a) && std::isfinite(b) && a < b ? std::optional(std::pair(a, b)) : std::nullopt;
  };
  QPushButton* take = buttons->button(QDialogButtonBox::Ok);
  for (QLineEdit* edit : {low, high}) {
    QObject::connect(edit, &QLineEdit::textChanged, dialog, [take, range] {
      take->setEnabled(range().has_value());
      take->setToolTip(take->isEnabled() ? QString() : ScalarPlot::tr("Enter two numbers, the first below the second, with decimal points."));
    });
  }
  QObject::connect(buttons, &QDialogButtonBox::accepted, q, [this, dialog, range] {
    if (const auto r = range()) q->setYRange(*r);
    dialog->accept();
  });
  QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
  QObject::connect(buttons->button(QDialogButtonBox::Reset), &QPushButton::clicked, q, [this, dialog] {
    q->setYRange(std::nullopt);
    dialog->reject();
  });
  dialog->open();
}

}  // namespace weft::widgets
