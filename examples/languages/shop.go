// A shop in Go, in a module shop with paywindow.go in its folder paywindow: go run .
package main

import (
	"bytes"
	"crypto/hmac"
	"encoding/json"
	"errors"
	"io"
	"log"
	"net/http"
	"os"
	"sort"
	"strings"
	"time"

	"shop/paywindow"
)

// Your database. A total is text, as a column numeric gives it.
var orders = map[string]struct{ number, total string }{"order-7": {"2026-0007", "49.90"}}

// Your table of events. Here it is a file with a line for each.
var eventsFile = setting("EVENTS_FILE", "events.jsonl")

// Whether this is a test shop: no money has moved for an event with test, and a live shop sends nothing for it.
var isTest = os.Getenv("PAYWINDOW_TEST") == "yes"

// The status of an order, by the newest event of each of its payments. The first that fits counts.
var statuses = []struct {
	status string
	causes []string
}{
	{"paid", []string{"paid", "paid_twice"}},
	{"stopped", []string{"taken_back"}},
	{"held", []string{"seen", "short", "over", "late", "wrong_price"}},
	{"cancelled", []string{"lapsed"}},
	{"open", []string{"ended", "returned", "test"}},
}

// An order as its customer's pages and mails name it: anybody can guess order-7, and nobody else can sign it.
func signed(id string) string {
	return id + "." + paywindow.LinkSignature(id, os.Getenv("ORDER_SECRET"))
}

// Where an order is paid.
func paymentLink(id string) (string, error) {
	page := os.Getenv("PAYWINDOW_PAGE") // https://pay.shop.example/paywindow/pay
	return paywindow.PaymentLink(page, os.Getenv("PAYWINDOW_LINK_SECRET"), paywindow.Claims{
		Order:     id,
		ExpiresAt: time.Now().AddDate(0, 0, 7),
		Amount:    orders[id].total,
		Asset:     "EUR",
		Number:    orders[id].number,
		ReturnURL: "https://shop.example/orders/" + signed(id),
	})
}

type event struct {
	Type string
	Data struct {
		Order, Checkout, At string
		Price               struct{ Asset, Amount string }
		Test                bool
	}
}

// Takes an event of the payment server. An error that it returns is answered with 500.
func takeEvent(w http.ResponseWriter, r *http.Request) error {
	// One byte more than an event may have is refused, and none after it is read.
	body, err := io.ReadAll(io.LimitReader(r.Body, paywindow.MostBodyBytes+1))
	if err != nil {
		return err
	}
	var taken event
	secrets := strings.Fields(os.Getenv("PAYWINDOW_EVENT_SECRETS"))
	err = paywindow.VerifyEvent(body, r.Header, &taken, secrets...)
	if reason := paywindow.InvalidEvent(""); errors.As(err, &reason) {
		http.Error(w, reason.Error(), http.StatusBadRequest)
		return nil
	}
	if err != nil {
		return err
	}
	if _, isThere := orders[taken.Data.Order]; !isThere {
		http.Error(w, "There is no such order.", http.StatusNotFound)
		return nil
	}
	if err = record(taken); err != nil {
		return err
	}
	if taken.isRefused() {
		log.Printf("TEST, no money has moved for %s: this shop is live, and does nothing.", taken.Data.Order)
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

func (each event) isRefused() bool {
	return each.Data.Test && !isTest
}

// Yours: stores an event. It can come twice, which changes nothing.
func record(taken event) error {
	line, err := json.Marshal(taken)
	if err != nil {
		return err
	}
	file, err := os.OpenFile(eventsFile, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer file.Close()
	// The end of the line comes first, so that half a line of a crash spoils no other.
	if _, err = file.Write(append([]byte("\n"), line...)); err != nil {
		return err
	}
	return file.Sync()
}

// What the newest event of each payment of an order says.
func payments(id string) ([]string, error) {
	stored, err := os.ReadFile(eventsFile)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	type news struct{ at, kind string }
	newest := map[string]news{}
	for _, line := range bytes.Split(stored, []byte("\n")) {
		var each event
		if json.Unmarshal(line, &each) != nil || each.Data.Order != id {
			continue // Of another order, or half a line of a crash: its event comes again.
		}
		kind, price := strings.TrimPrefix(each.Type, "payment."), each.Data.Price
		if each.isRefused() {
			kind = "test"
		}
		if statusOf(kind) == "paid" && (price.Asset != "EUR" || price.Amount != orders[id].total) {
			kind = "wrong_price"
		}
		last := newest[each.Data.Checkout]
		// What was taken back stays so until it is paid again.
		isNext := last.kind != "taken_back" || statusOf(kind) == "paid"
		at := each.Data.At
		isNew := at > last.at || at == last.at && last.kind != "lapsed"
		// A lapse is told beside the news of a payment, perhaps by a server whose clock is ahead.
		if kind == "lapsed" {
			at = last.at
		}
		if statusOf(kind) != "" && isNew && isNext {
			newest[each.Data.Checkout] = news{at, kind}
		}
	}
	kinds := []string{}
	for _, each := range newest {
		kinds = append(kinds, each.kind)
	}
	sort.Strings(kinds)
	return kinds, nil
}

// What to do after news of these kinds: see statuses. Empty: none is known.
func statusOf(kinds ...string) string {
	for _, each := range statuses {
		for _, cause := range each.causes {
			for _, kind := range kinds {
				if kind == cause {
					return each.status
				}
			}
		}
	}
	return ""
}

func serve(w http.ResponseWriter, r *http.Request) error {
	if r.Method == http.MethodPost && r.URL.Path == "/events" {
		return takeEvent(w, r)
	}
	name := strings.TrimSuffix(strings.TrimPrefix(r.URL.Path, "/orders/"), "/pay")
	id, _, _ := strings.Cut(name, ".")
	_, isThere := orders[id]
	isThere = isThere && hmac.Equal([]byte(signed(id)), []byte(name))
	switch {
	case isThere && r.URL.Path == "/orders/"+name+"/pay":
		link, err := paymentLink(id)
		if err == nil {
			http.Redirect(w, r, link, http.StatusSeeOther)
		}
		return err
	case isThere && r.URL.Path == "/orders/"+name:
		kinds, err := payments(id)
		if err != nil {
			return err
		}
		status := statusOf(kinds...)
		if status == "" {
			status = "open"
		}
		w.Header().Set("content-type", "application/json")
		return json.NewEncoder(w).Encode(map[string]any{"status": status, "payments": kinds})
	default:
		http.NotFound(w, r)
		return nil
	}
}

func setting(name, otherwise string) string {
	if value := os.Getenv(name); value != "" {
		return value
	}
	return otherwise
}

func main() {
	// Signs the orders in addresses. With an empty one, everybody could.
	if strings.TrimSpace(os.Getenv("ORDER_SECRET")) == "" {
		log.Fatal("ORDER_SECRET is not set: make it with openssl rand -hex 32")
	}
	log.Fatal(http.ListenAndServe("localhost:"+setting("PORT", "3001"), http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := serve(w, r); err != nil {
			log.Print(err)
			http.Error(w, "Something went wrong in the shop.", http.StatusInternalServerError)
		}
	})))
}
