// Package paywindow makes payment links and verifies signed events of Paywindow, for a shop in Go
// 1.19 or later. Copy this file into a folder paywindow of your module: it needs the standard
// library only.
package paywindow

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"
	"unicode/utf8"
)

// MostBodyBytes is what the body of an event can have.
const MostBodyBytes = 1 << 20

const (
	tolerance   = 5 * time.Minute
	longestLink = 366 * 24 * time.Hour
)

var (
	// Controls, ends of lines, and characters that nobody sees or that turn the direction of others:
	// Cc, Cf, Zl, Zp and default ignorable in Unicode 17. Joiners may follow what is not ASCII.
	unseen = regexp.MustCompile(`[\x00-\x1f\x7f-\x{9f}\x{ad}\x{34f}\x{600}-\x{605}\x{61c}` +
		`\x{6dd}\x{70f}\x{890}-\x{891}\x{8e2}\x{115f}-\x{1160}\x{17b4}-\x{17b5}` +
		`\x{180b}-\x{180f}\x{200b}\x{200e}-\x{200f}\x{2028}-\x{202e}\x{2060}-\x{206f}` +
		`\x{3164}\x{fe00}-\x{fe0e}\x{feff}\x{ffa0}\x{fff0}-\x{fffb}\x{110bd}\x{110cd}` +
		`\x{13430}-\x{1343f}\x{1bca0}-\x{1bca3}\x{1d173}-\x{1d17a}\x{e0000}-\x{e0fff}]` +
		`|(?:^|[\x00-\x7f])[\x{200c}\x{200d}\x{fe0f}]`)
	// The path has the characters of RFC 3986, and the host no user before it: shop.example@elsewhere.
	address = regexp.MustCompile(`^https://[A-Za-z0-9.-]+(?::[0-9]{1,5})?(?:[/?#][!#-;=?-\[\]_a-z~]*)?$`)
	page    = regexp.MustCompile(`^(?:https://[A-Za-z0-9.-]+|http://(?:localhost|127\.0\.0\.1))(?::[0-9]{1,5})?/` +
		`(?:[!$-;=@-\[\]_a-z~]*/)?pay/?$`)
	amount  = regexp.MustCompile(`^(?:0|[1-9][0-9]{0,29})(?:\.[0-9]{1,18})?$`)
	seconds = regexp.MustCompile(`^[0-9]{1,10}$`)

	// Tests have another.
	now = time.Now
)

// Claims are what a payment link says.
type Claims struct {
	// Order is your name for the order, which events repeat.
	Order string
	// ExpiresAt is when the link ends.
	ExpiresAt time.Time
	// Amount and Asset are the price, as text: "49.90" and "EUR". Neither, if your offer knows it.
	Amount, Asset string
	// Number is what people call the order, or empty.
	Number string
	// ReturnURL is where the payer goes afterwards, or empty.
	ReturnURL string
}

// InvalidEvent is an event that is not to be believed: answer 400. Its text is the reason.
type InvalidEvent string

func (reason InvalidEvent) Error() string { return string(reason) }

var errSecrets = errors.New("secrets must be one or more of whsec_ and base64 of 24 to 64 bytes, as the payment server has them")

// PaymentLink returns the address where an order is paid. The page is page.url of the payment
// server, https://pay.shop.example/paywindow/pay, and the secret its linkSecret. The error says what
// to do.
func PaymentLink(pageURL, secret string, claims Claims) (string, error) {
	if !isText(pageURL, 2000) || !page.MatchString(pageURL) {
		return "", errors.New("page must be page.url of the payment server: https://pay.shop.example/paywindow/pay")
	}
	if length(secret) < 32 {
		return "", errors.New("secret must be linkSecret of the payment server, 32 characters or more: openssl rand -hex 32")
	}
	if !isText(claims.Order, 200) {
		return "", errors.New("order must be text of 1 to 200 characters that can be seen")
	}
	// Whole seconds, as the link has them.
	exp, nowS := claims.ExpiresAt.Unix(), now().Unix()
	if exp <= nowS || exp > nowS+int64(longestLink/time.Second) {
		return "", errors.New("exp must be in the next 366 days, in seconds since 1970")
	}
	if (claims.Amount == "") != (claims.Asset == "") {
		return "", errors.New("amount and asset belong together: give both, or neither")
	}
	if claims.Amount != "" && !(amount.MatchString(claims.Amount) && strings.ContainsAny(claims.Amount, "123456789")) {
		return "", errors.New("amount must be text above zero such as '49.90', no float, sign, comma or exponent")
	}
	if claims.Asset != "" && !isText(claims.Asset, 32) {
		return "", errors.New("asset must be text of 1 to 32 characters such as 'EUR'")
	}
	if claims.Number != "" && !isText(claims.Number, 64) {
		return "", errors.New("number must be text of 1 to 64 characters that can be seen")
	}
	if claims.ReturnURL != "" && !(isText(claims.ReturnURL, 1000) && address.MatchString(claims.ReturnURL)) {
		return "", errors.New("returnUrl must be an https address of at most 1000 characters, percent-encoded")
	}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	// Otherwise each & of an address is six characters.
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(struct {
		Order     string `json:"order"`
		Exp       int64  `json:"exp"`
		Amount    string `json:"amount,omitempty"`
		Asset     string `json:"asset,omitempty"`
		Number    string `json:"number,omitempty"`
		ReturnURL string `json:"returnUrl,omitempty"`
	}{claims.Order, exp, claims.Amount, claims.Asset, claims.Number, claims.ReturnURL})
	if err != nil {
		return "", err
	}
	payload := base64.RawURLEncoding.EncodeToString(bytes.TrimSpace(text.Bytes()))
	return pageURL + "?link=" + payload + "." + LinkSignature(payload, secret), nil
}

// LinkSignature returns the part of a link's token behind the dot.
func LinkSignature(payload, secret string) string {
	return base64.RawURLEncoding.EncodeToString(sign([]byte(secret), []byte(payload)))
}

// VerifyEvent reads the event of a request to your endpoint of events into a struct or a map, as
// json.Unmarshal does. The body is the raw one: what was parsed and written again has another
// signature. The secrets are whsec_…; two while one is changed. An event can come twice: store its
// header webhook-id with what it causes.
//
// The error is an InvalidEvent, or says that a secret is none, or is that of json.Unmarshal.
func VerifyEvent(body []byte, headers http.Header, event any, secrets ...string) error {
	keys := make([][]byte, len(secrets))
	for at, secret := range secrets {
		key, err := eventKey(secret)
		if err != nil {
			return err
		}
		keys[at] = key
	}
	if len(keys) == 0 {
		return errSecrets
	}
	if len(body) > MostBodyBytes {
		return InvalidEvent("the body is larger than 1 MiB")
	}
	var values [3]string
	for at, name := range []string{"webhook-id", "webhook-timestamp", "webhook-signature"} {
		value, err := header(headers, name)
		if err != nil {
			return err
		}
		values[at] = value
	}
	id, timestamp, signatures := values[0], values[1], values[2]
	if !seconds.MatchString(timestamp) {
		return InvalidEvent("webhook-timestamp is no time in seconds")
	}
	sentS, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil {
		return err
	}
	toleranceS := int64(tolerance / time.Second)
	if sentS < now().Unix()-toleranceS {
		return InvalidEvent("webhook-timestamp is more than 5 minutes ago")
	}
	if sentS > now().Unix()+toleranceS {
		return InvalidEvent("webhook-timestamp is more than 5 minutes ahead")
	}
	if !isSigned(append([]byte(id+"."+timestamp+"."), body...), strings.Split(signatures, " "), keys) {
		return InvalidEvent("webhook-signature matches no secret: it is another, or the body was changed")
	}
	// Unmarshal takes null for everything.
	if !json.Valid(body) || !bytes.HasPrefix(bytes.TrimSpace(body), []byte("{")) {
		return InvalidEvent("the body is no JSON object")
	}
	return json.Unmarshal(body, event)
}

func isSigned(signed []byte, signatures []string, keys [][]byte) bool {
	for _, key := range keys {
		expected := "v1," + base64.StdEncoding.EncodeToString(sign(key, signed))
		for _, signature := range signatures {
			// Takes the same time wherever they differ.
			if hmac.Equal([]byte(expected), []byte(signature)) {
				return true
			}
		}
	}
	return false
}

func sign(key, text []byte) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write(text)
	return mac.Sum(nil)
}

// Not headers.Get, which takes the first of two, and finds no name in lower case.
func header(headers http.Header, name string) (string, error) {
	var values []string
	for key, found := range headers {
		if strings.EqualFold(key, name) {
			values = append(values, found...)
		}
	}
	if len(values) > 1 {
		return "", InvalidEvent(name + " is there twice")
	}
	if len(values) == 0 || values[0] == "" {
		return "", InvalidEvent(name + " is missing")
	}
	return values[0], nil
}

func eventKey(secret string) ([]byte, error) {
	if !strings.HasPrefix(secret, "whsec_") {
		return nil, errSecrets
	}
	text := strings.TrimPrefix(secret, "whsec_")
	key, err := base64.StdEncoding.DecodeString(text)
	// DecodeString skips ends of lines, and stray bits, with which it may be cut off.
	if err != nil || base64.StdEncoding.EncodeToString(key) != text || len(key) < 24 || len(key) > 64 {
		return nil, errSecrets
	}
	return key, nil
}

func isText(text string, most int) bool {
	count := length(text)
	return count >= 1 && count <= most && !unseen.MatchString(text)
}

// Counts as the payment server does, in UTF-16; 0 for what is not UTF-8, which Marshal would change.
func length(text string) int {
	if !utf8.ValidString(text) {
		return 0
	}
	return len(utf16.Encode([]rune(text)))
}
