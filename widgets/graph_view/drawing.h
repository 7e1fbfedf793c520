// A drawing as last shown: the places of all items and the routes of the wires. Documents keep one for each state of their history.
#pragma once

#include <QRectF>
#include <QString>
#include <vector>

#include "layout/graph_layout.h"

namespace weft::widgets {

struct Drawing {
  struct Place {
    QString name;
    bool scope = false, byHand = false;
    bool open = false;  ///< scopes only
    QRectF box;         ///< in its scope's coordinates, with the size that it had when it was placed
  };
  struct Wire {
    quint64 container = 0, ends = 0;  ///< the layout's keys, hashes of names
    layout::KeptLink way;
  };
  struct Port {
    quint64 container = 0, key = 0;
    float below = 0;  ///< offset below the item that it is wired to
  };
  std::vector<Place> places;
  std::vector<Wire> wires;
  std::vector<Port> ports;
};

}  // namespace weft::widgets
