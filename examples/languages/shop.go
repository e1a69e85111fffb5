// A shop in Go, in a module shop with paywindow.go in its folder paywindow: go run .
package main

import (
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strings"
	"time"

	"shop/paywindow"
)

// Your database. A total is text, as a column numeric gives it.
var orders = map[string]struct{ number, total string }{"order-7": {"2026-0007", "49.90"}}

// Where an order is paid.
func paymentLink(id string) (string, error) {
	page := os.Getenv("PAYWINDOW_PAGE") // https://pay.shop.example/paywindow/pay
	return paywindow.PaymentLink(page, os.Getenv("PAYWINDOW_LINK_SECRET"), paywindow.Claims{
		Order:     id,
		ExpiresAt: time.Now().AddDate(0, 0, 7),
		Amount:    orders[id].total,
		Asset:     "EUR",
		Number:    orders[id].number,
		ReturnURL: "https://shop.example/orders/" + id,
	})
}

type event struct {
	Type string
	Data struct{ Order string }
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
	if err == nil {
		record(r.Header.Get("webhook-id"), taken)
		w.WriteHeader(http.StatusNoContent)
	}
	return err
}

// Yours: stores the id with what the event causes, in one transaction. An event can come twice.
func record(eventID string, taken event) {
	fmt.Println(eventID, taken.Type, taken.Data.Order)
}

func serve(w http.ResponseWriter, r *http.Request) error {
	id := strings.TrimSuffix(strings.TrimPrefix(r.URL.Path, "/orders/"), "/pay")
	if r.Method == http.MethodPost && r.URL.Path == "/events" {
		return takeEvent(w, r)
	}
	if _, isThere := orders[id]; !isThere || r.URL.Path != "/orders/"+id+"/pay" {
		http.NotFound(w, r)
		return nil
	}
	link, err := paymentLink(id)
	if err == nil {
		http.Redirect(w, r, link, http.StatusSeeOther)
	}
	return err
}

func main() {
	port := os.Getenv("PORT")
	if port == "" {
		port = "3001"
	}
	log.Fatal(http.ListenAndServe("localhost:"+port, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := serve(w, r); err != nil {
			log.Print(err)
			http.Error(w, "Something went wrong in the shop.", http.StatusInternalServerError)
		}
	})))
}
