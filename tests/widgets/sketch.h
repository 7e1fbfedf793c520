// Graphs to lay out, written down by names.
#pragma once

#include <initializer_list>
#include <map>
#include <string>
#include <vector>

#include "layout/graph_layout.h"

using weft::layout::Box;
using weft::layout::Edge;
using weft::layout::EdgeKind;
using weft::layout::Graph;
using weft::layout::Result;
using weft::layout::Role;

// Graphs are written as text: "scope a", "node a/x", "a/x > b/y" (data), "a/x ~ b" (control). Scopes before their contents.
struct Sketch {
  Graph graph;
  std::map<std::string, int> nodes, scopes;

  int scopeOf(const std::string& name) const {
    const auto slash = name.rfind('/');
    return slash == std::string::npos ? -1 : scopes.at(name.substr(0, slash));
  }
  void scope(const std::string& name, Role role = Role::Flow) {
    graph.scopeParent.push_back(scopeOf(name));
    graph.scopeSize.push_back({100, 72});
    graph.scopeRole.push_back(role);
    graph.scopeKey.push_back(std::hash<std::string>{}(name));
    scopes[name] = graph.scopeCount() - 1;
  }
  void node(const std::string& name, Role role = Role::Flow) {
    graph.nodeScope.push_back(scopeOf(name));
    graph.nodeSize.push_back({80, 40});
    graph.nodeRole.push_back(role);
    graph.nodeKey.push_back(std::hash<std::string>{}(name)*2 + 1);
    nodes[name] = graph.nodeCount() - 1;
  }
  void edge(const std::string& from, const std::string& to, EdgeKind kind = EdgeKind::Data) {
    Edge e;
    e.from = nodes.at(from);
    e.to = nodes.at(to);
    e.kind = kind;
    graph.edges.push_back(e);
  }
  std::vector<char> open(std::initializer_list<const char*> names) const {
    std::vector<char> result(static_cast<size_t>(graph.scopeCount()), 0);
    for (const char* name : names) result[static_cast<size_t>(scopes.at(name))] = 1;
    return result;
  }
  std::vector<char> allOpen() const { return std::vector<char>(static_cast<size_t>(graph.scopeCount()), 1); }
  Box box(const Result& r, const std::string& name) const {
    const auto it = nodes.find(name);
    return r.boxes[static_cast<size_t>(it != nodes.end() ? it->second : graph.nodeCount() + scopes.at(name))];
  }
};
