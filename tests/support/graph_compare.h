#pragma once

#include <QString>
#include <algorithm>
#include <string>
#include <vector>

#include "weft/graph.h"

/// The differences between two graphs, one line each, nothing if they are equal: nodes by name, ops, inputs, control inputs in any order,
/// devices, attributes.
inline QString graphDifferences(const weft::Graph& want, const weft::Graph& got) {
  QString out;
  const auto inputsOf = [](const weft::Graph& g, const weft::Node& n) {
    std::vector<std::string> names;
    for (weft::Output o : n.inputs) names.push_back(g.tensorName(o));
    std::vector<std::string> controls;
    for (int c : n.controls) controls.push_back("^" + g.node(c)->name);
    std::sort(controls.begin(), controls.end());
    names.insert(names.end(), controls.begin(), controls.end());
    std::string text;
    for (const auto& name : names) text += name + " ";
    return text;
  };
  const auto line = [&](const std::string& text) { out += QString::fromStdString(text) + "\n"; };
  for (int id = 0; id < want.size(); ++id) {
    const weft::Node* w = want.node(id);
    if (!w) continue;
    const weft::Node* g = got.find(w->name);
    if (!g) {
      line("missing " + w->name + " (" + w->op + ")");
      continue;
    }
    if (g->op != w->op) line(w->name + ": op " + g->op + ", want " + w->op);
    if (g->device != w->device) line(w->name + ": device '" + g->device + "', want '" + w->device + "'");
    if (inputsOf(got, *g) != inputsOf(want, *w)) line(w->name + ": inputs " + inputsOf(got, *g) + ", want " + inputsOf(want, *w));
    for (const auto& [name, value] : w->attrs) {
      const weft::Attr* mine = g->attrs.find(name);
      if (!mine) line(w->name + ": no attribute " + name);
      else if (!(*mine == value)) line(w->name + ": " + name + " = " + mine->toString() + ", want " + value.toString());
    }
    for (const auto& [name, value] : g->attrs) {
      if (!w->attrs.find(name)) line(w->name + ": attribute " + name + " = " + value.toString() + " too much");
    }
  }
  for (int id = 0; id < got.size(); ++id) {
    const weft::Node* g = got.node(id);
    if (g && !want.find(g->name)) line("too much: " + g->name + " (" + g->op + ")");
  }
  return out;
}
