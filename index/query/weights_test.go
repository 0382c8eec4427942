package query

import (
	"testing"

	"ploke-lsp/index/traits"
)

// TestLeaveOut checks that each channel can be left out, and that it changes no score then.
func TestLeaveOut(t *testing.T) {
	all := newWeights(nil)
	for _, c := range Channels {
		if newWeights([]Channel{c}) == all {
			t.Errorf("without %s, the weights are the same", c)
		}
	}
	w := newWeights(Channels)
	if w.fileWeights != (fileWeights{}) || w.unitWeights != (unitWeights{}) || w.diversity != 0 || w.spelling != 0 {
		t.Errorf("without all channels, weights are left: %+v", w)
	}
	if w.remainder != 1 || w.alone != 1 || w.beside != 1 {
		t.Errorf("without all channels, the factors are %v, %v and %v", w.remainder, w.alone, w.beside)
	}
	w.request(parseQuery("documentation of ports").traits)
	for kind, factor := range w.traits {
		if factor != 1 {
			t.Errorf("without all channels, files of kind %04b count %v", kind, factor)
		}
	}
	for c, kind := range map[Channel]traits.Set{TestsChannel: traits.TestTrait, SecondaryChannel: traits.SecondaryTrait,
		DataChannel: traits.DataTrait, ProseChannel: traits.ProseTrait} {
		w := newWeights([]Channel{c})
		w.request(parseQuery("ports").traits)
		for _, reduced := range traitFactors {
			if got := w.traits[reduced.trait]; (got == 1) != (reduced.trait == kind) {
				t.Errorf("without %s, files of kind %04b count %v", c, reduced.trait, got)
			}
		}
	}
}
