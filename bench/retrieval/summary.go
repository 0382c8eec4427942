package main

import (
	"maps"
	"slices"

	"ploke-lsp/index"
)

// summary has the figures of a set, in percent.
type summary struct {
	Set   string        `json:"set"`
	Cases int           `json:"cases"`
	Views []viewSummary `json:"views"`
}

// viewSummary has the figures of a view.
type viewSummary struct {
	View    string   `json:"view"`
	Figures []figure `json:"figures"` // by measures
	Groups  []group  `json:"groups"`  // all cases, categories of questions, repositories
	// Losses are the changes of the mean of the headline measures without each channel.
	Losses []figure `json:"losses,omitempty"`
}

// group has the means of a part of the cases.
type group struct {
	Name  string `json:"name"`
	Cases int    `json:"cases"`
	Means []mean `json:"means"` // of the headline measures
	// Published are the means of the figures that others have published for the repositories.
	Published map[string]float64 `json:"published,omitempty"`
}

// mean is the mean of a measure over cases, in percent.
type mean struct {
	Name string  `json:"name"`
	Mean float64 `json:"mean"`
}

// summarize summarizes the cases of a set.
func (s *set) summarize(all []*outcome) summary {
	sum := summary{Set: s.name, Cases: len(all)}
	for v, view := range s.views {
		vs := viewSummary{View: view.name, Groups: s.groups(v, all)}
		for m, measure := range s.measures {
			vs.Figures = append(vs.Figures, estimate(measure.name, all,
				func(o *outcome) float64 { return o.views[v].scores[m] }))
		}
		if all[0].views[v].ablated != nil {
			vs.Losses = s.losses(v, all)
		}
		sum.Views = append(sum.Views, vs)
	}
	return sum
}

// losses returns what the mean of the headline measures changes by without each channel.
func (s *set) losses(v int, all []*outcome) (losses []figure) {
	for i, channel := range index.Channels {
		losses = append(losses, estimate(string(channel), all, func(o *outcome) (loss float64) {
			for _, m := range s.headlines() {
				loss += (o.views[v].ablated[i][m] - o.views[v].scores[m]) / float64(len(s.headline))
			}
			return loss
		}))
	}
	return losses
}

// headlines returns the indexes of the headline measures.
func (s *set) headlines() (indexes []int) {
	for _, name := range s.headline {
		indexes = append(indexes, slices.IndexFunc(s.measures, func(m measure) bool { return m.name == name }))
	}
	return indexes
}

// groups returns the means of all cases, then those of each category and repository.
func (s *set) groups(v int, all []*outcome) (groups []group) {
	categories, repositories := map[string][]*outcome{}, map[string][]*outcome{}
	for _, o := range all {
		if o.Category != "" {
			categories[o.Category] = append(categories[o.Category], o)
		}
		repositories[o.Repo] = append(repositories[o.Repo], o)
	}
	groups = append(groups, s.group("all", v, all).withPublished(all))
	for _, name := range slices.Sorted(maps.Keys(categories)) {
		groups = append(groups, s.group(name, v, categories[name]))
	}
	for _, name := range slices.Sorted(maps.Keys(repositories)) {
		groups = append(groups, s.group(name, v, repositories[name]).withPublished(repositories[name]))
	}
	return groups
}

func (s *set) group(name string, v int, cases []*outcome) group {
	g := group{Name: name, Cases: len(cases)}
	for _, m := range s.headlines() {
		score := func(o *outcome) float64 { return o.views[v].scores[m] }
		g.Means = append(g.Means, mean{s.measures[m].name, percent(cases, score)})
	}
	return g
}

// withPublished adds what others have published. The figure of a repository counts once for each
// of its cases.
func (g group) withPublished(cases []*outcome) group {
	if len(cases[0].Published) == 0 {
		return g
	}
	g.Published = map[string]float64{}
	for system := range cases[0].Published {
		g.Published[system] = percent(cases, func(o *outcome) float64 { return o.Published[system] })
	}
	return g
}
