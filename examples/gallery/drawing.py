"""Thumbnails of worst sequences: totals of the algorithm and of the offline side after each request."""

from html import escape

WIDTH, HEIGHT, LEFT, TOP, BOTTOM = 180, 96, 6, 22, 80
COLOURS = {"algorithm": "#1f5a96", "offline": "#c25b00"}


def svg(rows, relative):
    """The drawing of (request, the algorithm's total, the offline total) for each request.

    In a game the totals are the payoff, and 1 for the optimum.
    """
    right = WIDTH - LEFT
    step = (right - LEFT) / len(rows)
    top = max(max(own, other) for _, own, other in rows) or 1
    words = dict(zip(COLOURS, map(_short, rows[-1][1:]), strict=True))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}" '
        'font-family="sans-serif" font-size="12">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" rx="4" fill="#fff" stroke="#ccc"/>',
        f'<text x="{LEFT}" y="15" fill="{COLOURS["algorithm"]}">{"ratio" if relative else "algorithm"} '
        f"{words['algorithm']}</text>",
        f'<text x="{right}" y="15" text-anchor="end" fill="{COLOURS["offline"]}">'
        f"{'optimum' if relative else 'offline'} {words['offline']}</text>",
    ]
    for (name, colour), width in zip(COLOURS.items(), (3, 2), strict=True):
        totals = [float(row[1 if name == "algorithm" else 2]) for row in rows]
        heights = [round(BOTTOM - (BOTTOM - TOP) * total / float(top), 1) for total in totals]
        path = f"M{LEFT} {BOTTOM}" + "".join(f"V{y}h{step:.2f}" for y in heights)
        dashes = "" if name == "algorithm" else ' stroke-dasharray="5 3"'
        parts.append(f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="{width}"{dashes}/>')
    labels = [str(row[0]).replace(" ", "").replace("'", "") for row in rows]
    if max(map(len, labels)) * 6.5 < step:
        for i, label in enumerate(labels):
            x = LEFT + (i + 0.5) * step
            parts.append(f'<text x="{x:.1f}" y="92" font-size="11" text-anchor="middle">{escape(label)}</text>')
    else:
        parts.append(f'<text x="{WIDTH // 2}" y="92" font-size="11" text-anchor="middle">{len(rows)} requests</text>')
    return "\n".join([*parts, "</svg>\n"])


def _short(number):
    return str(number) if len(str(number)) < 6 else f"{float(number):.3g}"
