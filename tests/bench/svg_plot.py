"""Plots of step times as SVG, both axes logarithmic; no library needed."""
import math

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 640, 420, 70, 20, 40, 56
COLOURS = ["#1f6feb", "#d1482c", "#2a8c4a", "#8250df", "#b08000"]


def exponent(points):
    """The slope of log(time) over log(size) by least squares over the larger half of the sizes, where fixed costs matter least."""
    upper = [p for p in points if p[1] > 0][-max(2, (len(points) + 1) // 2):]
    xs, ys = [math.log(x) for x, _ in upper], [math.log(y) for _, y in upper]
    mx, my = sum(xs) / len(xs), sum(ys) / len(ys)
    return sum((x - mx) * (y - my) for x, y in zip(xs, ys)) / sum((x - mx) ** 2 for x in xs)


def _ticks(low, high):
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    return [10.0 ** e for e in range(first, last + 1)]


def plot(path, title, x_name, y_name, series):
    """`series`: {name: [(x, y), ...]}, all positive. Writes one SVG file."""
    points = [p for s in series.values() for p in s]
    x_ticks, y_ticks = _ticks(min(x for x, _ in points), max(x for x, _ in points)), _ticks(min(y for _, y in points), max(y for _, y in points))

    def scale(value, ticks, begin, end):
        low, high = math.log10(ticks[0]), math.log10(ticks[-1])
        return begin + (math.log10(value) - low) / max(high - low, 1e-9) * (end - begin)

    def px(v):
        return scale(v, x_ticks, LEFT, WIDTH - RIGHT)

    def py(v):
        return scale(v, y_ticks, HEIGHT - BOTTOM, TOP)

    out = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="12">' % (WIDTH, HEIGHT),
           '<rect width="100%" height="100%" fill="#ffffff"/>', '<text x="%d" y="24" font-size="15" fill="#222222">%s</text>' % (LEFT, title)]
    for t in x_ticks:
        out.append('<line x1="%.1f" y1="%d" x2="%.1f" y2="%d" stroke="#dddddd"/><text x="%.1f" y="%d" text-anchor="middle" fill="#444444">%g</text>'
                   % (px(t), TOP, px(t), HEIGHT - BOTTOM, px(t), HEIGHT - BOTTOM + 18, t))
    for t in y_ticks:
        out.append('<line x1="%d" y1="%.1f" x2="%d" y2="%.1f" stroke="#dddddd"/><text x="%d" y="%.1f" text-anchor="end" fill="#444444">%g</text>'
                   % (LEFT, py(t), WIDTH - RIGHT, py(t), LEFT - 8, py(t) + 4, t))
    out.append('<text x="%d" y="%d" text-anchor="middle" fill="#222222">%s</text>' % ((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 12, x_name))
    out.append('<text x="16" y="%d" transform="rotate(-90 16 %d)" text-anchor="middle" fill="#222222">%s</text>'
               % ((TOP + HEIGHT - BOTTOM) / 2, (TOP + HEIGHT - BOTTOM) / 2, y_name))
    for k, (name, values) in enumerate(series.items()):
        colour = COLOURS[k % len(COLOURS)]
        out.append('<polyline fill="none" stroke="%s" stroke-width="2" points="%s"/>' % (colour, " ".join("%.1f,%.1f" % (px(x), py(y)) for x, y in values)))
        out += ['<circle cx="%.1f" cy="%.1f" r="3" fill="%s"/>' % (px(x), py(y), colour) for x, y in values]
        out.append('<rect x="%d" y="%d" width="12" height="12" fill="%s"/><text x="%d" y="%d" fill="#222222">%s, exponent %.2f</text>'
                   % (LEFT + 12, TOP + 8 + 18 * k, colour, LEFT + 30, TOP + 18 + 18 * k, name, exponent(values)))
    out.append("</svg>")
    with open(path, "w") as f:
        f.write("\n".join(out) + "\n")
