package main

import "testing"

func TestStolenSince(t *testing.T) {
	start := processorTime{used: 1000, stolen: 50}
	for _, test := range []struct {
		now  processorTime
		want float64
	}{
		{start, 0},
		{processorTime{used: 1090, stolen: 60}, 0.1},
		{processorTime{used: 1090, stolen: 50}, 0},
	} {
		if got := test.now.stolenSince(start); got != test.want {
			t.Errorf("%+v: %v, want %v", test.now, got, test.want)
		}
	}
}

func TestSystemTime(t *testing.T) {
	if got := systemTime(); got.used <= 0 {
		t.Errorf("the system has used no processor time: %+v", got)
	}
}
