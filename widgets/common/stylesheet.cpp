#include "common/stylesheet.h"

#include <algorithm>

#include "common/theme.h"

namespace weft::widgets {
namespace {

// `@role` stands for a colour of the theme, `%name` for a measure; both are replaced below.
constexpr const char* kFrame = R"(
* { outline: none; }
QWidget { color: @text1; }
QMainWindow, QDialog { background: @surface1; }
QMainWindow::separator { background: @border; width: 1px; height: 1px; }
QMainWindow::separator:hover { background: @accent; }
QSplitter::handle { background: @border; }
QSplitter::handle:horizontal { width: 1px; } QSplitter::handle:vertical { height: 1px; }
QSplitter::handle:hover { background: @accent; }
QMenuBar { background: @surface1; border-bottom: 1px solid @border; padding: 2px 6px; }
QMenuBar::item { background: transparent; padding: 3px 8px; border-radius: %rcpx; }
QMenuBar::item:selected, QMenuBar::item:pressed { background: @surface3; }
QMenu { background: @surface2; border: 1px solid @borderStrong; padding: 4px; }
QMenu::item { min-height: 20px; padding: 3px 28px 3px 28px; border-radius: %rcpx; }
QMenu::item:selected { background: @selection; color: @selectionText; }
QMenu::item:disabled { color: @textDisabled; }
QMenu::icon { left: 8px; }
QMenu::separator { height: 1px; background: @border; margin: 4px 4px; }
QToolTip { background: @tooltip; color: @tooltipText; border: 1px solid @tooltip; padding: 4px 6px; font-size: %smallpx; }
QStatusBar { background: @surface1; border-top: 1px solid @border; font-size: %smallpx; min-height: 23px; max-height: 23px; }
QStatusBar::item { border: none; }
QStatusBar QLabel { font-size: %smallpx; }
QToolBar { background: @surface1; border: none; border-bottom: 1px solid @border; spacing: 6px; padding: 5px 10px; }
QToolBar#run_bar { padding: 0 5px; }
QToolBar::separator { background: @border; width: 1px; margin: 4px 4px; }
QDockWidget { titlebar-close-icon: url(:/weft/themes/close.svg); titlebar-normal-icon: url(:/weft/themes/arrow-up.svg); font-weight: 600; }
QDockWidget::title { background: @surface1; border-bottom: 1px solid @border; padding: 6px 12px; }
QDockWidget::close-button, QDockWidget::float-button { border: none; background: transparent; padding: 1px; border-radius: 3px; }
QDockWidget::close-button:hover, QDockWidget::float-button:hover { background: @surface3; }
QTabBar { background: @surface1; qproperty-drawBase: 0; }
QTabBar::tab { background: transparent; color: @text2; padding: 5px 14px; min-height: 18px; border: none; border-top: 2px solid transparent;
  border-right: 1px solid @border; }
QTabBar::tab:hover { background: @surface3; }
QTabBar::tab:selected { background: @surface0; color: @text1; border-top: 2px solid @accent; }
QTabBar[quiet="true"]::tab:selected { background: transparent; color: @text2; border-top: 2px solid transparent; }
QTabBar[quiet="true"]::tab:selected:hover { background: @surface3; }
QTabBar::tab:bottom, QTabBar::tab:top:!first { margin: 0; }
QTabBar::close-button { image: url(:/weft/themes/close.svg); subcontrol-position: right; padding: 1px; border-radius: 3px; }
QTabBar QToolButton { padding: 0; min-width: 18px; max-width: 18px; border-radius: 0; }
QTabBar::scroller { width: 42px; }
QTabBar::close-button:hover { background: @surface3; }
QTabWidget::pane { border: none; border-top: 1px solid @border; }
QMainWindow > QTabBar::tab, QTabBar[kind="pages"]::tab { border-top: none; border-right: none; border-bottom: 2px solid transparent; padding: 4px 10px; }
QMainWindow > QTabBar::tab:selected, QTabBar[kind="pages"]::tab:selected { background: transparent; border-top: none; border-bottom: 2px solid @accent; }
QMainWindow > QTabBar::tab:selected { font-weight: 600; }
)";

constexpr const char* kControls = R"(
QPushButton, QToolButton { background: @surface2; color: @text1; border: 1px solid @border; border-radius: %rcpx; padding: 0 12px; min-height: 24px; }
QToolButton { padding: 0 6px; min-width: 14px; }
QToolButton[kind="words"] { padding: 0 2px 0 10px; }
QPushButton:hover, QToolButton:hover { background: @surface3; }
QPushButton:pressed, QToolButton:pressed { background: @border; }
QPushButton:focus { border: 1px solid @focus; }
QPushButton:checked, QToolButton:checked { background: @accentSoft; color: @accent; border: 1px solid @accent; }
QPushButton:disabled, QToolButton:disabled { color: @textDisabled; background: @surface1; }
QPushButton:default, QPushButton[kind="primary"] { background: @accent; color: @accentText; border: 1px solid @accent; font-weight: 600; }
QPushButton:default:hover, QPushButton[kind="primary"]:hover { background: @accentHover; border-color: @accentHover; }
QPushButton:default:disabled, QPushButton[kind="primary"]:disabled { background: @surface3; color: @textDisabled; border-color: @border; font-weight: 400; }
QPushButton[kind="flat"], QToolButton[kind="flat"] { background: transparent; border: 1px solid transparent; }
QPushButton[kind="flat"]:hover, QToolButton[kind="flat"]:hover { background: @surface3; }
QToolButton[kind="section"] { background: transparent; border: none; font-weight: 600; padding: 0 4px; }
QToolButton[kind="section"]:checked { background: transparent; color: @text1; border: none; }
QToolButton[kind="section"]:hover { color: @accent; }
QPushButton[kind="link"] { background: transparent; border: none; color: @accent; padding: 0; text-align: left; }
QPushButton[kind="link"]:hover { color: @accentHover; }
QToolButton[kind="mode"] { background: transparent; border: none; border-radius: 0; border-left: 3px solid transparent; color: @text2; font-size: %smallpx;
  min-width: 58px; min-height: 56px; padding: 4px 0; }
QToolButton[kind="mode"]:hover { background: @surface3; }
QToolButton[kind="mode"]:checked { background: @accentSoft; border-left: 3px solid @accent; color: @accent; font-weight: 600; }
QToolButton::menu-indicator { image: none; }
QToolButton[popupMode="1"] { padding-right: 18px; }
QToolButton::menu-button { border: none; width: 16px; }
QToolButton::menu-arrow { image: url(:/weft/themes/arrow-down.svg); width: 10px; height: 10px; }
QLineEdit, QAbstractSpinBox, QComboBox, QPlainTextEdit, QTextEdit { background: @surface2; color: @text1; border: 1px solid @border; border-radius: %rcpx;
  selection-background-color: @selection; selection-color: @selectionText; }
QLineEdit, QAbstractSpinBox, QComboBox { min-height: 22px; padding: 0 7px; }
QLineEdit QToolButton { background: transparent; border: none; padding: 0; min-height: 0; min-width: 0; }
QComboBox { padding: 0 8px; }
QAbstractSpinBox QLineEdit { min-height: 0; padding: 0; border: none; background: transparent; }
QLineEdit:hover, QAbstractSpinBox:hover, QComboBox:hover { border-color: @borderStrong; }
QLineEdit:focus, QAbstractSpinBox:focus, QComboBox:focus, QPlainTextEdit:focus, QTextEdit:focus { border: 1px solid @focus; }
QLineEdit[invalid="true"] { border: 1px solid @error; }
QLineEdit:disabled, QAbstractSpinBox:disabled, QComboBox:disabled { color: @textDisabled; background: @surface1; }
QComboBox::drop-down { border: none; width: 22px; }
QComboBox::down-arrow { image: url(:/weft/themes/arrow-down.svg); width: 12px; height: 12px; }
QComboBox QAbstractItemView { background: @surface2; border: 1px solid @borderStrong; padding: 4px; }
QAbstractSpinBox::up-button, QAbstractSpinBox::down-button { border: none; background: transparent; width: 16px; }
QAbstractSpinBox::up-button:hover, QAbstractSpinBox::down-button:hover { background: @surface3; }
QAbstractSpinBox::up-arrow { image: url(:/weft/themes/arrow-up.svg); width: 9px; height: 9px; }
QAbstractSpinBox::down-arrow { image: url(:/weft/themes/arrow-down.svg); width: 9px; height: 9px; }
QCheckBox, QRadioButton { spacing: 8px; background: transparent; }
QCheckBox::indicator, QAbstractItemView::indicator, QRadioButton::indicator, QGroupBox::indicator { width: 14px; height: 14px; border: 1px solid @borderStrong; background: @surface2; }
QCheckBox::indicator, QAbstractItemView::indicator { border-radius: 3px; } QRadioButton::indicator { border-radius: 8px; }
QCheckBox::indicator:checked, QAbstractItemView::indicator:checked { background: @accent; border-color: @accent; image: url(:/weft/themes/check-$ink.svg); }
QRadioButton::indicator:checked { background: @accent; border-color: @accent; image: url(:/weft/themes/dot-$ink.svg); }
QCheckBox::indicator:focus, QRadioButton::indicator:focus { border-color: @focus; }
QCheckBox:disabled, QRadioButton:disabled { color: @textDisabled; }
QSlider::groove:horizontal { height: 3px; background: @surface3; border-radius: 1px; }
QSlider::sub-page:horizontal { background: @accent; border-radius: 1px; }
QSlider::handle:horizontal { width: 12px; height: 12px; margin: -6px 0; border-radius: 7px; background: @surface2; border: 2px solid @accent; }
QSlider::handle:horizontal:hover { background: @accentSoft; }
QProgressBar { background: @surface3; border: none; border-radius: 3px; min-height: 6px; max-height: 6px; text-align: right; color: transparent; }
QProgressBar::chunk { background: @accent; border-radius: 3px; }
QGroupBox { border: 1px solid @border; border-radius: %rpx; margin-top: 10px; padding-top: 8px; }
QGroupBox::title { subcontrol-origin: margin; left: 10px; padding: 0 4px; color: @text2; }
)";

constexpr const char* kViews = R"(
QLabel { background: transparent; }
QLabel[kind="muted"] { color: @text3; font-size: %smallpx; }
QLabel[kind="strong"] { font-weight: 600; }
QLabel[kind="heading"] { color: @text2; font-weight: 600; font-size: %smallpx; }
QLabel[kind="title"] { font-weight: 600; font-size: %largepx; }
QLabel[kind="error"] { color: @error; }
QLabel[kind="chip"] { background: @surface3; color: @text2; border-radius: %rcpx; padding: 1px 6px; font-size: %smallpx; }
QFrame[kind="card"] { background: @surface2; border: 1px solid @border; border-radius: %rpx; }
QFrame[kind="well"] { background: @surface0; border: none; }
QFrame[frameShape="4"] { background: @border; border: none; max-height: 1px; }
QFrame[frameShape="5"] { background: @border; border: none; max-width: 1px; }
QAbstractItemView { background: @surface2; alternate-background-color: @surface1; border: none; selection-background-color: @selection;
  selection-color: @selectionText; gridline-color: @surface3; }
QTreeView, QListView, QTableView { background: @surface1; }
QTreeView::item, QListView::item { min-height: 24px; padding: 0 4px; border: none; }
QTreeView::item:hover, QListView::item:hover { background: @surface3; }
QTreeView::item:selected, QListView::item:selected, QTableView::item:selected { background: @selection; color: @selectionText; }
QTreeView::branch:has-children:closed { image: url(:/weft/themes/arrow-right.svg); }
QTreeView::branch:has-children:open { image: url(:/weft/themes/arrow-down.svg); }
QHeaderView { background: @surface1; border: none; qproperty-textElideMode: ElideRight; }
QHeaderView::section { background: @surface1; color: @text3; border: none; border-bottom: 1px solid @border; padding: 0 0 0 8px; min-height: 23px; font-size: %smallpx; text-align: left; font-weight: 400; }
QHeaderView::section:vertical { padding: 4px 8px 0 8px; }
QHeaderView::up-arrow { image: url(:/weft/themes/arrow-up.svg); } QHeaderView::down-arrow { image: url(:/weft/themes/arrow-down.svg); }
QHeaderView::up-arrow, QHeaderView::down-arrow { width: 8px; height: 8px; subcontrol-origin: padding; subcontrol-position: top center; }
QTableCornerButton::section { background: @surface1; border: none; border-bottom: 1px solid @border; }
QScrollArea, QAbstractScrollArea { border: none; background: transparent; }
QAbstractScrollArea::corner { background: transparent; border: none; }
QScrollBar { background: transparent; border: none; margin: 0; }
QScrollBar:vertical { width: %scrollpx; } QScrollBar:horizontal { height: %scrollpx; }
QScrollBar::handle { background: @border; border-radius: 3px; margin: 2px; }
QScrollBar::handle:vertical { min-height: 28px; } QScrollBar::handle:horizontal { min-width: 28px; }
QScrollBar::handle:hover { background: @borderStrong; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
)";

}  // namespace

QString makeStyleSheet(const Theme& theme) {
  QString sheet = QLatin1String(kFrame) + QLatin1String(kControls) + QLatin1String(kViews);
  // Longer names first: @accent is a prefix of @accentText.
  QStringList names = Theme::roleNames();
  std::sort(names.begin(), names.end(), [](const QString& a, const QString& b) { return a.size() > b.size(); });
  for (const QString& name : names) {
    const QColor c = theme.color(name);
    const QString value = c.alpha() == 255 ? c.name() : QStringLiteral("rgba(%1,%2,%3,%4)").arg(c.red()).arg(c.green()).arg(c.blue()).arg(c.alpha());
    sheet.replace(u'@' + name, value);
  }
  const Metrics& m = theme.metrics();
  const std::pair<const char*, int> measures[] = {
      {"%rcpx", m.radiusControl}, {"%rpx", m.radius}, {"%smallpx", m.fontSmall}, {"%largepx", m.fontLarge}, {"%scrollpx", m.scrollBar}};
  for (const auto& [key, value] : measures) sheet.replace(QLatin1String(key), QString::number(value) + QStringLiteral("px"));
  sheet.replace(QLatin1String("$ink"), theme.isDark() ? QStringLiteral("black") : QStringLiteral("white"));
  return sheet;
}

}  // namespace weft::widgets
