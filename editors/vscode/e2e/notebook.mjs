// A notebook as Jupyter writes it, with an output, and what a model edits in it.

const cell = (cell_type, id, source, more = {}) => ({ cell_type, ...more, id, metadata: {}, source: source.split(/(?<=\n)/) });
const code = (id, source, outputs = []) => cell("code", id, source, { execution_count: null, outputs });

export const notebook = `${JSON.stringify({
  cells: [
    cell("markdown", "title", "# Numbers\n\nThe mean of some numbers."),
    code("read", 'import csv\n\ndef numbers(path):\n    """Reads a number of each line."""\n    with open(path) as lines:\n        return [float(row[0]) for row in csv.reader(lines)]'),
    code("mean", 'values = numbers("values.csv")\nmean = sum(values) / len(values)\nprint(mean)', [
      { name: "stdout", output_type: "stream", text: ["3.5\n"] },
    ]),
  ],
  metadata: { kernelspec: { display_name: "Python 3", language: "python", name: "python3" }, language_info: { name: "python" } },
  nbformat: 4,
  nbformat_minor: 5,
}, null, 1)}\n`;

/** Changes a line of a cell, and puts a new cell behind it. */
export const notebookEdit = [{ tool: "apply_code_edit", args: { reason: "Plot the numbers", edits: [
  { mode: "replace", file: "numbers.ipynb", old: "mean = sum(values) / len(values)", new: "mean = sum(values) / max(1, len(values))" },
  { mode: "canonical", file: "numbers.ipynb", canon: "cell 3", at: "after", code: "import matplotlib.pyplot as plt\n\nplt.plot(values)" },
] } }];
