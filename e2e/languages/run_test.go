package paywindow

import (
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"testing"
	"time"
)

type result struct {
	Value   any    `json:"value,omitempty"`
	Invalid string `json:"invalid,omitempty"`
	Error   string `json:"error,omitempty"`
	// What the compiler refuses.
	Type string `json:"type,omitempty"`
}

type call struct {
	Does, Payload, Secret, Page, Body string
	Claims                            struct {
		Order, Amount, Asset, Number, ReturnURL string
		Exp                                     int64
	}
	Headers map[string]string
	Secrets []string
}

// Calls paywindow.go as the file $CALLS says, and writes what each call gave into the file $RESULTS.
func TestRun(t *testing.T) {
	var given struct {
		Now   int64
		Calls []json.RawMessage
	}
	text, err := os.ReadFile(os.Getenv("CALLS"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &given); err != nil {
		t.Fatal(err)
	}
	now = func() time.Time { return time.Unix(given.Now, 0) }
	results := make([]result, len(given.Calls))
	for at, each := range given.Calls {
		var one call
		if err := json.Unmarshal(each, &one); err != nil {
			results[at].Type = err.Error()
			continue
		}
		value, err := one.run()
		var invalid InvalidEvent
		switch {
		case err == nil:
			results[at].Value = value
		case errors.As(err, &invalid):
			results[at].Invalid = err.Error()
		default:
			results[at].Error = err.Error()
		}
	}
	text, err = json.Marshal(results)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(os.Getenv("RESULTS"), text, 0o600); err != nil {
		t.Fatal(err)
	}
}

func (each call) run() (any, error) {
	switch each.Does {
	case "sign":
		return LinkSignature(each.Payload, each.Secret), nil
	case "link":
		says := each.Claims
		return PaymentLink(each.Page, each.Secret, Claims{
			Order: says.Order, ExpiresAt: time.Unix(says.Exp, 0), Amount: says.Amount, Asset: says.Asset,
			Number: says.Number, ReturnURL: says.ReturnURL,
		})
	}
	// Not Set, which writes names in one way.
	headers := http.Header{}
	for name, value := range each.Headers {
		headers[name] = []string{value}
	}
	var event map[string]any
	err := VerifyEvent([]byte(each.Body), headers, &event, each.Secrets...)
	return event, err
}
