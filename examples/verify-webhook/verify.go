// Checks that a webhook comes from the service and is fresh. To copy: the standard library only, Go 1.20 or later.
// Tried by hand: WEBHOOK_SECRET=whsec_… go run verify.go headers.txt < body
package main

import (
	"bufio"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"
)

const tolerance = 5 * time.Minute

// VerifyWebhook checks both signatures over the bytes as they came; parse the body afterwards. header gives a header by its name in
// lower case, "" for none: http.Header's Get does. The text of an error is for your log and not for the sender.
func VerifyWebhook(body []byte, header func(name string) string, secret string, now time.Time) error {
	digest := sign([]byte(secret), body)
	if !isEqual(header("x-service-signature"), "sha256="+hex.EncodeToString(digest)) {
		return errors.New("x-service-signature does not fit the body")
	}

	id, timestamp := header("webhook-id"), header("webhook-timestamp")
	seconds, err := strconv.ParseUint(timestamp, 10, 40)
	if err != nil || now.Sub(time.Unix(int64(seconds), 0)).Abs() > tolerance {
		return errors.New("webhook-timestamp is not of the last 5 minutes")
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil {
		return errors.New("the secret is not one of the service")
	}
	signature := "v1," + base64.StdEncoding.EncodeToString(sign(key, []byte(id+"."+timestamp+"."), body))
	// Several signatures may stand there, separated by spaces, while a secret is being changed.
	for _, candidate := range strings.Split(header("webhook-signature"), " ") {
		if isEqual(candidate, signature) {
			return nil
		}
	}
	return errors.New("webhook-signature does not fit id, timestamp and body")
}

func sign(key []byte, parts ...[]byte) []byte {
	mac := hmac.New(sha256.New, key)
	for _, part := range parts {
		mac.Write(part)
	}
	return mac.Sum(nil)
}

// isEqual takes the same time wherever the two differ, so that a signature can't be guessed byte by byte.
func isEqual(given, expected string) bool {
	return hmac.Equal([]byte(given), []byte(expected))
}

func main() {
	file, err := os.Open(os.Args[1])
	if err != nil {
		panic(err)
	}
	headers := map[string]string{}
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if name, value, found := strings.Cut(lines.Text(), ":"); found {
			headers[strings.ToLower(name)] = strings.TrimSpace(value)
		}
	}
	body, err := io.ReadAll(os.Stdin)
	if err != nil {
		panic(err)
	}
	header := func(name string) string { return headers[name] }
	if err := VerifyWebhook(body, header, os.Getenv("WEBHOOK_SECRET"), time.Now()); err != nil {
		fmt.Println("refused:", err)
		os.Exit(1)
	}
	fmt.Println("verified")
}
