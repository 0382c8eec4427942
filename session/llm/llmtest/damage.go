package llmtest

import (
	"encoding/json"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
)

// Damage returns a streamed answer with one to four things changed in it, as servers, proxies and
// connections might: pieces dropped, repeated or in another order, keys dropped, values of other
// types, strange lines, a cut.
func Damage(r *rand.Rand, answer string) string {
	for range 1 + r.IntN(4) {
		answer = damages[r.IntN(len(damages))](r, answer)
	}
	return answer
}

var damages = []func(r *rand.Rand, answer string) string{damageValue, damageValue, damageValue, damagePieces,
	damagePieces, damageLines, cut}

func cut(r *rand.Rand, answer string) string { return answer[:r.IntN(len(answer)+1)] }

// strangeLines are lines that stand between pieces, or do not belong there.
var strangeLines = []string{": x", "data: : x", "data:", "data: null", "data: [1,{}]", "data: words", "words", "{}", "data: {\"error\":null}", "event: ping", "event: error",
	"retry: 1", "data: [DONE]", "data: {\"error\":{\"message\":\"words\"}}", "data: {", "]", "\ufeff", `{"message":"words"}`}

func damageLines(r *rand.Rand, answer string) string {
	switch r.IntN(4) {
	case 0:
		return strings.ReplaceAll(answer, "\n\n", "\n")
	case 1:
		return strings.ReplaceAll(answer, "\n", []string{"\r\n", "\r", "\n\n", " "}[r.IntN(4)])
	default:
		lines := strings.SplitAfter(answer, "\n")
		return strings.Join(slices.Insert(lines, r.IntN(len(lines)+1), strangeLines[r.IntN(len(strangeLines))]+"\n"), "")
	}
}

func damagePieces(r *rand.Rand, answer string) string {
	pieces := strings.SplitAfter(answer, "\n")
	i, j := r.IntN(len(pieces)), r.IntN(len(pieces))
	switch r.IntN(3) {
	case 0:
		pieces[i], pieces[j] = pieces[j], pieces[i]
	case 1:
		pieces = slices.Insert(pieces, j, pieces[i])
	default:
		pieces = slices.Delete(pieces, i, i+1)
	}
	return strings.Join(pieces, "")
}

// damageValue changes something in the JSON of a line.
func damageValue(r *rand.Rand, answer string) string {
	lines := strings.SplitAfter(answer, "\n")
	i := r.IntN(len(lines))
	begin := strings.IndexAny(lines[i], "{[")
	var v any
	if begin < 0 || json.Unmarshal([]byte(lines[i][begin:]), &v) != nil {
		return answer
	}
	changed, err := json.Marshal(changeIn(r, v))
	if err != nil {
		panic(err) // of what was decoded
	}
	lines[i] = lines[i][:begin] + string(changed) + "\n"
	return strings.Join(lines, "")
}

// others are values of each type, and words of the protocols.
var others = []any{nil, true, false, 0, 7, -1.5, "", "x", "0", "{}", "{", " ", "stop", "tool_calls", "error", "[TOOL_CALLS]", "<think>", "</think>", "```",
	map[string]any{}, map[string]any{"a": 1}, []any{}, []any{nil}, []any{map[string]any{"type": "text", "text": "x"}}}

// changeIn changes a value, or something in it.
func changeIn(r *rand.Rand, v any) any {
	switch v := v.(type) {
	case map[string]any:
		if len(v) > 0 && r.IntN(8) > 0 {
			keys := slices.Sorted(maps.Keys(v))
			key := keys[r.IntN(len(keys))]
			if r.IntN(6) == 0 {
				delete(v, key)
			} else {
				v[key] = changeIn(r, v[key])
			}
			return v
		}
	case []any:
		if len(v) > 0 && r.IntN(8) > 0 {
			i := r.IntN(len(v))
			v[i] = changeIn(r, v[i])
			return v
		}
	case string:
		if len(v) > 0 && r.IntN(2) == 0 {
			return v[:r.IntN(len(v))]
		}
	}
	if r.IntN(4) == 0 {
		return []any{v}
	}
	return others[r.IntN(len(others))]
}
