#!/usr/bin/env python3
"""The picture of a motion: points of a mechanism joined by lines, at a few moments, and the path of one
of them, from a result of `rung simulate`.

usage: motion.py RESULT.csv OUT.svg MOMENTS POINT... [/ POINT...]

A POINT is a frame of Linkage: rail.frame_b; length[1..8].frame_b stands for eight of them. A slash
begins another line; the path is that of the last point of the first. x points right, y up, z towards
the reader, to the left and down.
"""
import csv
import re
import sys

WIDTH, HEIGHT, MARGIN = 640, 300, 30


def project(x, y, z):
    return x - 0.35 * z, y - 0.2 * z


def spelled_out(point):
    parts = re.fullmatch(r"(.*)\[(\d+)\.\.(\d+)\](.*)", point)
    if not parts:
        return [point]
    return [f"{parts[1]}[{k}]{parts[4]}" for k in range(int(parts[2]), int(parts[3]) + 1)]


def main():
    result, out, moments = sys.argv[1], sys.argv[2], int(sys.argv[3])
    lines = [[]]
    for argument in sys.argv[4:]:
        if argument == "/":
            lines.append([])
        else:
            lines[-1] += spelled_out(argument)
    with open(result, newline="") as f:
        rows = list(csv.DictReader(f))

    def places(row, line):
        return [project(*(float(row[f"{p}.m.r[{k}]"]) for k in (1, 2, 3))) for p in line]

    shown = [rows[round(k * (len(rows) - 1) / (moments - 1))] for k in range(moments)]
    path = [places(row, lines[0][-1:])[0] for row in rows]
    every = path + [p for row in shown for line in lines for p in places(row, line)]
    left, right = min(p[0] for p in every), max(p[0] for p in every)
    low, high = min(p[1] for p in every), max(p[1] for p in every)
    scale = min(WIDTH / (right - left), HEIGHT / (high - low))

    def at(p):
        return f"{MARGIN + scale * (p[0] - left):.1f},{MARGIN + scale * (high - p[1]):.1f}"

    width, height = (2 * MARGIN + scale * (right - left), 2 * MARGIN + scale * (high - low) + 20)
    svg = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" '
           f'width="{width:.0f}" height="{height:.0f}" font-family="sans-serif" font-size="12">',
           '<rect width="100%" height="100%" fill="white"/>',
           f'<polyline points="{" ".join(map(at, path))}" fill="none" stroke="#c44"/>']
    stays = places(rows[0], lines[0][:1]) == places(rows[-1], lines[0][:1])
    for n, row in enumerate(shown):
        shade = 200 - 180 * n // max(1, moments - 1)
        colour = f"rgb({shade},{shade},{shade + 30})"
        for line in lines:
            points = [at(p) for p in places(row, line)]
            svg.append(f'<polyline points="{" ".join(points)}" fill="none" stroke="{colour}" stroke-width="2"/>')
            for j, p in enumerate(points):
                x, y = p.split(",")
                radius = 6 if j in (0, len(points) - 1) and line is lines[0] else 3
                svg.append(f'<circle cx="{x}" cy="{y}" r="{radius}" fill="{colour}"/>')
        # times stand below; at the end of the line where its beginning does not move
        x, y = at(places(row, lines[0])[-1 if stays else 0]).split(",")
        y = float(y) - 10 if stays else height - 6
        svg.append(f'<text x="{x}" y="{y:.0f}" text-anchor="middle" fill="{colour}">{float(row["time"]):g} s</text>')
    svg.append("</svg>")
    with open(out, "w") as f:
        f.write("\n".join(svg) + "\n")


main()
