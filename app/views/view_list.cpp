#include "shell/view.h"

namespace weft::app {

#define WEFT_VIEW(name) extern const ViewRecord name##View;
#include "views/view_list.inc"
#undef WEFT_VIEW

const std::vector<const ViewRecord*>& allViews() {
  static const std::vector<const ViewRecord*> views = {
#define WEFT_VIEW(name) &name##View,
#include "views/view_list.inc"
#undef WEFT_VIEW
  };
  return views;
}

}  // namespace weft::app
