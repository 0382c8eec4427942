// Package packing fills a token budget with what a search has found: code of the best hits, the parts
// of long code that match the query, a line for each other hit, and what the graph has around them.
// It finds nothing itself, and knows no tool and no turn.
//
// Its promises:
//
//   - A [Result] has at most as many tokens as its budget, in the text that a model reads.
//   - Best first: room for code goes to the hits in their order.
//   - With what is around it: code that is shown whole comes with its comment and the lines beside it, if they fit.
//   - With what it imports: the code of the first two files with code comes with the lines of their imports, if these
//     are few and fit, instead of their names.
//   - Whole lines: code is as it stands in the file. A line, or a secret, is shown completely or not at
//     all, and what was left out is named.
//   - Nothing twice: lines that another hit shows, or that the model has read, are not shown again.
//   - Deterministic: the same hits in the same texts give the same bytes.
package packing
