// Aligns gradients with their forward ops. A container in the band beneath a flow is laid out normally from right to left; then its columns are spread until
// each lies as close beneath its forward ops as the columns to its right permit.
#include <algorithm>
#include <cmath>

#include "layout/container_layout.h"

namespace weft::layout {
namespace {

/// Elements whose boxes overlap horizontally, ordered by their distance from the right edge.
struct Column {
  double begin = 0, end = 0;
  double wantedShift = 0, weight = 0;  // mean of the wanted shifts to the left; number of elements with one
  double shift = 0;
};

std::vector<Column> columnsOf(const ContainerProblem& p, double width, const std::vector<double>& targets) {
  std::vector<size_t> order;
  for (size_t i = 0; i < p.elements.size(); ++i)
    if (p.elements[i].kind == Element::Kind::Child) order.push_back(i);
  const auto begin = [&](size_t i) { return width - p.elements[i].x - p.elements[i].width; };
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return begin(a) < begin(b); });
  std::vector<Column> out;
  for (const size_t i : order) {
    const double from = begin(i), to = from + p.elements[i].width;
    if (out.empty() || from >= out.back().end) out.push_back({from, to});
    Column& c = out.back();
    c.end = std::max(c.end, to);
    if (targets[i] < 0) continue;
    c.wantedShift += targets[i] - (from + to) / 2;
    c.weight += 1;
  }
  for (Column& c : out)
    if (c.weight > 0) c.wantedShift /= c.weight;
  return out;
}

/// Non-decreasing shifts nearest to the targets: pool adjacent violators.
void chooseShifts(std::vector<Column>& columns) {
  struct Pool {
    double sum, weight;
    std::vector<size_t> members;
    double mean() const { return sum / weight; }
  };
  std::vector<Pool> pools;
  for (size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].weight <= 0) continue;
    Pool pool{columns[i].wantedShift * columns[i].weight, columns[i].weight, {i}};
    while (!pools.empty() && pools.back().mean() > pool.mean()) {
      pool.sum += pools.back().sum;
      pool.weight += pools.back().weight;
      pool.members.insert(pool.members.begin(), pools.back().members.begin(), pools.back().members.end());
      pools.pop_back();
    }
    pools.push_back(std::move(pool));
  }
  for (const Pool& pool : pools)
    for (const size_t i : pool.members) columns[i].shift = std::round(std::max(0.0, pool.mean()));
  double before = 0;
  for (Column& c : columns) before = c.shift = c.weight > 0 ? c.shift : before;
}

double shifted(const std::vector<Column>& columns, double at) {
  double end = 0, shift = 0;
  for (const Column& c : columns) {
    if (at < c.begin) return at + shift + (c.begin > end ? (c.shift - shift) * (at - end) / (c.begin - end) : 0);
    end = c.end;
    shift = c.shift;
    if (at <= c.end) break;
  }
  return at + shift;
}

}  // namespace

void spreadColumns(ContainerProblem& problem, Size& size, const std::vector<double>& targets) {
  std::vector<Column> columns = columnsOf(problem, size.w, targets);
  if (std::none_of(columns.begin(), columns.end(), [](const Column& c) { return c.weight > 0; })) return;
  chooseShifts(columns);
  const double width = size.w + columns.back().shift;
  if (width <= size.w) return;
  for (Element& e : problem.elements) {
    if (e.kind == Element::Kind::Child) e.x = width - shifted(columns, size.w - e.x - e.width) - e.width;
    else if (e.x > 0) e.x = width;
  }
  for (Link& link : problem.links)
    for (Point& p : link.points) p.x = width - shifted(columns, size.w - p.x);
  size.w = width;
}

}  // namespace weft::layout
