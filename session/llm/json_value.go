package llm

import (
	"encoding/json"

	"github.com/tidwall/gjson"
)

// jsonValue is JSON of which single values are read, whatever type the others have: servers differ.
type jsonValue struct{ gjson.Result }

// UnmarshalJSON takes any JSON.
func (v *jsonValue) UnmarshalJSON(data []byte) error {
	v.Result = gjson.ParseBytes(data)
	return nil
}

// parseJSON checks and reads JSON. Only what is needed is decoded.
func parseJSON(data []byte) (gjson.Result, error) {
	if !json.Valid(data) {
		return gjson.Result{}, json.Unmarshal(data, new(json.RawMessage)) // its error says what is wrong
	}
	return gjson.ParseBytes(data), nil
}

// listOf returns the elements of an array, or nil if a field has no array.
func listOf(v gjson.Result, field string) []gjson.Result {
	if list := v.Get(field); v.IsObject() && list.IsArray() {
		return list.Array()
	}
	return nil
}
