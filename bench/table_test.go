package main

import (
	"strings"
	"testing"
)

func TestVerdicts(t *testing.T) {
	all := table{stolen: 0.072}
	all.add(
		figure{Name: "a", Value: 3, Unit: "s"}.vs("floor", 2).timesAtMost(1.5),
		figure{Name: "b", Value: 3.01, Unit: "s"}.vs("floor", 2).timesAtMost(1.5),
		figure{Name: "c", Value: 25, Unit: "ms"}.atMost(25),
		figure{Name: "d", Value: 1}.atMost(0),
		figure{Name: "e", Value: 7},
		figure{Name: "f", Error: "broken\npipe"},
	)
	var out strings.Builder
	before := func(f figure) (float64, string) {
		if f.Name == "c" {
			return 20, "0123456789ab"
		}
		return 0, ""
	}
	if err := all.print(&out, before); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"|      | a      | 3 s      |                  | floor 2 s     | 1.50  | <= 1.5 x | ok     |  |",
		"|      | b      | 3.01 s   |                  | floor 2 s     | 1.50  | <= 1.5 x | MISSED |  |",
		"|      | c      | 25 ms    | +25 % of 0123456 |               |       | <= 25 ms | ok     |  |",
		"|      | d      | 1        |                  |               |       | <= 0     | MISSED |  |",
		"|      | e      | 7        |                  |               |       |          |        |  |",
		"|      | f      |          |                  |               |       |          | MISSED | failed: broken; pipe |",
		"6 figures, 3 targets missed",
		"the host of this machine gave 7 % of its processor time to others",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no row %q in\n%s", want, &out)
		}
	}
}
