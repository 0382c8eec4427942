package wire

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"go.lsp.dev/jsonrpc2"
)

// numberPrefix begins the string that stands for a number in the library's ids, which
// hold only 64 bits.
const numberPrefix = "ploke-lsp/number/"

// ParseID returns the id that a JSON value spells. Equal numbers are equal ids, however
// they are spelled and however big they are.
func ParseID(value []byte) (jsonrpc2.ID, error) {
	if len(value) == 0 || value[0] != '"' {
		return parseNumberID(string(value))
	}
	var text string
	if err := json.Unmarshal(value, &text); err != nil {
		return jsonrpc2.ID{}, err
	}
	if strings.HasPrefix(text, numberPrefix) {
		return jsonrpc2.ID{}, fmt.Errorf("ids that begin with %q are reserved: send another one", numberPrefix)
	}
	return jsonrpc2.NewStringID(text), nil
}

func parseNumberID(value string) (jsonrpc2.ID, error) {
	digits, exponent, ok := wholeNumber(value)
	if !ok {
		return jsonrpc2.ID{}, fmt.Errorf("the id %.40s is neither a string nor a whole number", value)
	}
	text := fmt.Sprintf("%se%d", digits, exponent)
	if exponent < 64 { // as clients spell it
		text = digits + strings.Repeat("0", exponent)
	}
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return jsonrpc2.NewNumberID(n), nil
	}
	return jsonrpc2.NewStringID(numberPrefix + text), nil
}

// wholeNumber returns a JSON number as digits, with a sign and without zeros at the end,
// and an exponent of ten. ok is false if the value is not a whole number.
func wholeNumber(value string) (digits string, exponent int, ok bool) {
	var number json.Number
	if json.Unmarshal([]byte(value), &number) != nil || number == "" {
		return "", 0, false
	}
	mantissa := value
	if i := strings.IndexAny(value, "eE"); i >= 0 {
		var err error
		if exponent, err = strconv.Atoi(value[i+1:]); err != nil {
			return "", 0, false
		}
		mantissa = value[:i]
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	sign := ""
	if strings.HasPrefix(whole, "-") {
		sign = "-"
	}
	all := strings.TrimLeft(whole+fraction, "-0")
	if all == "" {
		return "0", 0, true
	}
	digits = strings.TrimRight(all, "0")
	exponent += len(all) - len(digits) - len(fraction)
	return sign + digits, exponent, exponent >= 0
}

// responseBegin begins each response that the library encodes, and no request or notification.
const responseBegin = `{"jsonrpc":"2.0","id":`

// isResponse reports whether an encoded message is a response.
func isResponse(body []byte) bool { return bytes.HasPrefix(body, []byte(responseBegin)) }

// restoreNumberID returns an encoded response with a number as its id if a string stands
// for the number.
func restoreNumberID(response []byte) []byte {
	rest, ok := bytes.CutPrefix(response, []byte(responseBegin+`"`+numberPrefix))
	if !ok {
		return response
	}
	number, rest, _ := bytes.Cut(rest, []byte(`"`))
	return fmt.Appendf(nil, "%s%s%s", responseBegin, number, rest)
}
