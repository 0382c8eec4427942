"""Reads a screen of `tmux capture-pane -e` from standard input and writes an HTML page that shows it.

usage: ansi_to_html.py TITLE COLUMNS ROWS
"""

import html
import re
import sys
import unicodedata

PAGE = """<!DOCTYPE html>
<meta charset="utf-8">
<style>
body {{ margin: 0; padding: 28px; background: #e9edf5; width: max-content; }}
.window {{ background: #151922; border-radius: 10px; overflow: hidden; box-shadow: 0 8px 20px #10182840; }}
.bar {{ position: relative; height: 34px; background: #0f131b; }}
.bar i {{ position: absolute; top: 11px; width: 12px; height: 12px; border-radius: 50%; }}
.bar b {{ display: block; text-align: center; font: 500 13px/34px "JetBrains Mono", monospace; color: #7f8aa3; }}
pre {{ margin: 0; padding: 12px 14px; width: {columns}ch; height: calc({rows} * 18px);
  font: 13px/18px "JetBrains Mono", monospace; font-variant-ligatures: none; color: #d5dae6; }}
pre span {{ display: inline-block; height: 18px; vertical-align: top; white-space: pre; }}
</style>
<div class="window">
<div class="bar"><i style="left: 14px; background: #f2665f"></i><i style="left: 34px; background: #f3bd4e"></i><i style="left: 54px; background: #5fc454"></i><b>{title}</b></div>
<pre>{screen}</pre>
</div>
"""


def apply(codes, style):
    """Returns the style that follows the numbers of one SGR sequence."""
    style, numbers = dict(style), [int(code or 0) for code in re.split("[;:]", codes)]
    while numbers:
        code = numbers.pop(0)
        if code == 0:
            style = {}
        elif code in (38, 48) and numbers[:1] == [2]:
            style["color" if code == 38 else "background"] = "rgb({}, {}, {})".format(*numbers[1:4])
            del numbers[:4]
        elif code in (38, 48):
            raise SystemExit("the screen has a color that is not RGB")
        elif code in (39, 49):
            style.pop("color" if code == 39 else "background", None)
        elif code == 1:
            style["font-weight"] = "700"
        elif code == 3:
            style["font-style"] = "italic"
        elif code == 22:
            style.pop("font-weight", None)
        elif code == 23:
            style.pop("font-style", None)
    return style


def width(text):
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def line_to_html(line, style):
    """Returns a line as HTML, and the style that holds at its end."""
    out = []
    for i, piece in enumerate(re.split(r"\x1b\[([0-9;:]*)m", line)):
        if i % 2:
            style = apply(piece, style)
        elif piece:
            css = "".join(f"{name}: {value};" for name, value in style.items())
            out.append(f'<span style="width: {width(piece)}ch;{css}">{html.escape(piece)}</span>')
    return "".join(out), style


def main():
    title, columns, rows = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    style, lines = {}, []
    for line in sys.stdin.read().replace("\x1b(B", "").splitlines()[:rows]:
        text, style = line_to_html(line, style)
        lines.append(text)
    sys.stdout.write(PAGE.format(title=html.escape(title), columns=columns, rows=rows, screen="\n".join(lines)))


main()
