package llm

import (
	"cmp"
	"strings"

	"github.com/tidwall/gjson"
)

// responsesItems are the items of a response received so far, in order.
type responsesItems struct{ all []*responsesItem }

// responsesItem is a message, a reasoning or a call.
type responsesItem struct {
	kind         string // the API's type
	id           string // "" if unknown
	index        gjson.Result
	taken        bool   // it is complete
	callID, name string // of a call
	args         []byte
	text         []byte // of a message or a reasoning, as passed on
	attached     []byte // encrypted reasoning as it came, to be sent back
}

// of returns the item of a kind that an event is about: the one with the event's index or id, else
// the last one that is not complete, else a new one. Some servers give each event another id.
func (r *responsesItems) of(e gjson.Result, kind string) *responsesItem {
	item := r.placed(e, kind)
	if item == nil {
		item = r.open(e, kind)
	}
	if item == nil {
		item = r.begin(kind)
	}
	item.place(e)
	return item
}

// placed returns the item with the index or id of an event, or nil.
func (r *responsesItems) placed(e gjson.Result, kind string) *responsesItem {
	index, id := e.Get("output_index"), idOf(e)
	return cmp.Or(
		r.find(func(i *responsesItem) bool { return i.kind == kind && index.Exists() && i.index.Raw == index.Raw }),
		r.find(func(i *responsesItem) bool { return i.kind == kind && id != "" && i.id == id }))
}

// open returns the last item of a kind that is not complete and may have the place of an event, or nil.
func (r *responsesItems) open(e gjson.Result, kind string) *responsesItem {
	placed := e.Get("output_index").Exists()
	return r.find(func(i *responsesItem) bool { return i.kind == kind && !i.taken && !(placed && i.index.Exists()) })
}

func idOf(e gjson.Result) string { return cmp.Or(e.Get("item_id").String(), e.Get("item.id").String()) }

// place takes the index and the id of an event.
func (i *responsesItem) place(e gjson.Result) {
	i.id = cmp.Or(i.id, idOf(e))
	if index := e.Get("output_index"); index.Exists() {
		i.index = index
	}
}

// find returns the last item that fits, or nil.
func (r *responsesItems) find(fits func(*responsesItem) bool) *responsesItem {
	for i := len(r.all) - 1; i >= 0; i-- {
		if fits(r.all[i]) {
			return r.all[i]
		}
	}
	return nil
}

// has reports whether there is an item of a kind.
func (r *responsesItems) has(kind string) bool {
	return r.find(func(i *responsesItem) bool { return i.kind == kind }) != nil
}

func (r *responsesItems) begin(kind string) *responsesItem {
	item := &responsesItem{kind: kind}
	r.all = append(r.all, item)
	return item
}

// addItem adds an item as it is at its beginning or its end, and returns the text and reasoning in it that is new.
func (r *responsesItems) addItem(e, given gjson.Result, whole bool) Chunk {
	kind := given.Get("type").String()
	if !given.IsObject() || kind == "" {
		return Chunk{}
	}
	item := r.placed(e, kind)
	callID := given.Get("call_id").String()
	if item == nil && callID != "" {
		item = r.find(func(i *responsesItem) bool { return i.callID == callID && !(whole && i.taken) }) // else another call
	}
	if item == nil && whole {
		item = r.open(e, kind)
	}
	if item == nil || callID != "" && item.callID != "" && item.callID != callID {
		item = r.begin(kind)
	}
	item.place(e)
	return item.fill(given, whole)
}

// addOutput adds the items of the whole response, and returns the text and reasoning in them that is new.
func (r *responsesItems) addOutput(output []gjson.Result) (all Chunk) {
	for _, item := range r.all {
		item.taken = false
	}
	for i, given := range output {
		kind := given.Get("type").String()
		if !given.IsObject() || kind == "" {
			continue
		}
		item := r.match(int64(i), kind, given)
		if item == nil {
			item = r.begin(kind)
		}
		c := item.fill(given, true)
		all.Text, all.Reasoning = all.Text+c.Text, all.Reasoning+c.Reasoning
	}
	return all
}

// match returns the item that stands at a place of the whole response, or nil.
func (r *responsesItems) match(place int64, kind string, given gjson.Result) *responsesItem {
	id, callID := given.Get("id").String(), given.Get("call_id").String()
	fits := []func(*responsesItem) bool{
		func(item *responsesItem) bool { return callID != "" && item.callID == callID },
		func(item *responsesItem) bool { return id != "" && item.id == id },
		func(item *responsesItem) bool { return item.index.Exists() && item.index.Int() == place },
		func(item *responsesItem) bool { return callID == "" || item.callID == "" },
	}
	for _, fit := range fits {
		for _, item := range r.all {
			if !item.taken && item.kind == kind && fit(item) {
				return item
			}
		}
	}
	return nil
}

func (i *responsesItem) addText(text string) Chunk {
	i.text = append(i.text, text...)
	if i.kind == "reasoning" {
		return Chunk{Reasoning: text}
	}
	return Chunk{Text: text}
}

// fillPart takes a part of an item at the part's end, and returns what of it is new.
func (i *responsesItem) fillPart(e gjson.Result) Chunk {
	text := e.Get("text").String() + e.Get("refusal").String() + firstText(e, "part")
	if e.Get("content_index").Int() == 0 {
		return i.fillText(text)
	}
	if strings.Contains(string(i.text), text) {
		return Chunk{}
	}
	return i.addText(text)
}

// fill takes an item at its beginning or its end, and returns the text and reasoning in it that is new.
func (i *responsesItem) fill(given gjson.Result, whole bool) Chunk {
	i.taken = i.taken || whole
	i.id = cmp.Or(i.id, given.Get("id").String())
	switch i.kind {
	case "function_call":
		i.callID = cmp.Or(given.Get("call_id").String(), i.callID)
		i.fillCall(given)
	case "message":
		return i.fillText(firstText(given, "content"))
	case "reasoning":
		if given.Get("encrypted_content").String() != "" && whole {
			i.attached = []byte(given.Raw)
		}
		return i.fillText(cmp.Or(firstText(given, "summary"), firstText(given, "content")))
	}
	return Chunk{}
}

// fillText adds what is missing of a text, unless what has come is another text.
func (i *responsesItem) fillText(text string) Chunk {
	rest, begins := strings.CutPrefix(text, string(i.text))
	if !begins || rest == "" {
		return Chunk{}
	}
	return i.addText(rest)
}

// fillCall takes the name and the arguments of a call, which count more than their pieces.
func (i *responsesItem) fillCall(given gjson.Result) {
	i.name = cmp.Or(given.Get("name").String(), i.name)
	if arguments := given.Get("arguments").String(); arguments != "" && (len(i.args) == 0 || arguments != "{}") {
		i.args = []byte(arguments)
	}
}
