#include "main_window/menus.h"

#include <QtGlobal>

namespace weft::app {

const QVector<MenuRecord>& menuRecords() {
  static const auto ids = [](const char* text) { return QString::fromLatin1(text).split(u' '); };
  static const QVector<MenuRecord> menus = {
      {QT_TRANSLATE_NOOP("Menus", "&File"),
       ids("file.new file.open panels.open-logdir recent file.recover session.restore - file.save file.save-as file.reload file.compare - inspect.compare inspect.statistics inspect.export inspect.copy-saver inspect.write-mapped inspect.copy-writer - "
           "file.close file.quit")},
      {QT_TRANSLATE_NOOP("Menus", "&Edit"), ids("edit.undo edit.redo - edit.cut edit.copy edit.paste edit.duplicate edit.copy-names graph.delete - edit.select-all - edit.find problems.next problems.fix - find.anything find.commands - settings.open")},
      {QT_TRANSLATE_NOOP("Menus", "&Graph"),
       ids("graph.add-menu graph.frame graph.comment - graph.fit graph.fit-selection graph.tidy - graph.zoom-in graph.zoom-out graph.zoom-reset - graph.expand graph.collapse graph.expand-all "
           "graph.collapse-all - graph.group graph.ungroup graph.mute graph.explode graph.extract graph.probe - graph.add-training graph.strip-training graph.schedule graph.freeze graph.export - graph.color-category graph.color-device graph.color-structure graph.color-type graph.color-compute graph.color-memory graph.color-gradient - graph.minimap")},
      {QT_TRANSLATE_NOOP("Menus", "&Run"), ids("run.train run.pause run.step run.steps run.stop run.apply run.watch-nan panels.saturation - debug.start debug.feeds debug.train debug.continue debug.step-op debug.step-into debug.step-over debug.step-out debug.step-back "
           "debug.run-to debug.pause debug.stop - debug.toggle-breakpoint debug.watch debug.show debug.find-nan - profile.trace profile.watch-slow profile.open profile.save profile.compare profile.color-time profile.color-memory - run.evaluate run.go-back run.open-folder")},
      {QT_TRANSLATE_NOOP("Menus", "&View"),
       ids("layout.compose layout.train layout.debug layout.profile layout.inspect layouts - docks - view.theme-light view.theme-dark view.theme-contrast view.theme-system - view.language-en view.language-zh "
           "view.language-system")},
      {QT_TRANSLATE_NOOP("Menus", "&Window"), ids("view.start-page - window.next window.previous - window.next-pane window.previous-pane")},
      {QT_TRANSLATE_NOOP("Menus", "&Help"), ids("help.here help.first-steps help.tour help.keys help.actions - help.bug-report help.about")},
  };
  return menus;
}

}  // namespace weft::app
