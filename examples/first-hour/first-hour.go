package main

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"math/rand"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

type object = map[string]any

// call sends JSON and gives the answer; a refusal ends the program with what the service said.
func call(method, url string, headers map[string]string, body any) object {
	sent, err := json.Marshal(body)
	if err != nil {
		log.Fatal(err)
	}
	request, err := http.NewRequest(method, url, bytes.NewReader(sent))
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("content-type", "application/json")
	for name, value := range headers {
		request.Header.Set(name, value)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	answer, _ := io.ReadAll(response.Body)
	if response.StatusCode >= 400 {
		log.Fatalf("%s %s: %s %s", method, url, response.Status, answer)
	}
	var parsed object
	_ = json.Unmarshal(answer, &parsed)
	return parsed
}

// isTrusted checks a delivery over the raw bytes; examples/verify-webhook/verify.go checks the other signature as well, and says what is wrong.
func isTrusted(body []byte, header http.Header, secret string) bool {
	seconds, err := strconv.ParseInt(header.Get("webhook-timestamp"), 10, 64)
	if err != nil || time.Since(time.Unix(seconds, 0)).Abs() > 5*time.Minute {
		return false
	}
	key, _ := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s.%s.%s", header.Get("webhook-id"), header.Get("webhook-timestamp"), body)
	signature := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	for _, candidate := range strings.Split(header.Get("webhook-signature"), " ") {
		if hmac.Equal([]byte(candidate), []byte(signature)) {
			return true
		}
	}
	return false
}

func main() {
	home := os.Getenv("ITEMBRIDGE_HOME")
	file, err := os.ReadFile(filepath.Join(home, "ready.json"))
	if err != nil {
		log.Fatal(err)
	}
	var ready struct {
		ApiUrl     string
		Simulators struct {
			Marketplace struct{ AdminUrl string }
			Images      struct{ Url string }
		}
	}
	if err := json.Unmarshal(file, &ready); err != nil {
		log.Fatal(err)
	}

	// An account that can sell
	seller := strconv.Itoa(500_000 + rand.Intn(100_000))
	account := object{"email": fmt.Sprintf("shop%s%d@example.se", seller, time.Now().UnixNano()), "password": "a long password 1", "name": "My shop"}
	token := call("POST", ready.ApiUrl+"/auth/register", nil, account)["accessToken"].(string)
	session := map[string]string{"authorization": "Bearer " + token}
	made := call("POST", ready.ApiUrl+"/integration/api-keys/generate", session, object{"name": "ERP"})
	key := map[string]string{"x-api-key": made["apiKey"].(string)}
	user := call("POST", ready.Simulators.Marketplace.AdminUrl+"/users", nil, object{"userId": seller})
	call("PUT", ready.ApiUrl+"/partner/marketplace-connection", session, object{"marketplaceUserId": seller, "token": user["token"]})

	// A receiver: over the raw bytes, 204 for what is verified, 401 for anything else
	secret, live := "", make(chan struct{})
	receive := func(response http.ResponseWriter, request *http.Request) {
		body, err := io.ReadAll(request.Body)
		if err != nil || !isTrusted(body, request.Header, secret) {
			response.WriteHeader(http.StatusUnauthorized)
			return
		}
		var event struct{ EventType string }
		_ = json.Unmarshal(body, &event)
		fmt.Println("verified", event.EventType)
		response.WriteHeader(http.StatusNoContent)
		if event.EventType == "listing.created" {
			close(live)
		}
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}

	// From here on the key is enough. The receiver starts once it has the secret
	address := "https://" + listener.Addr().String() + "/"
	endpoint := call("POST", ready.ApiUrl+"/integration/v1/webhooks", key, object{"url": address})
	secret = endpoint["secret"].(string)
	go http.ServeTLS(listener, http.HandlerFunc(receive), filepath.Join(home, "server.pem"), filepath.Join(home, "server.key"))
	call("PUT", ready.ApiUrl+"/integration/v1/items/A-1", key, object{
		"title": "Kaffekanna i emalj", "price": 149, "autoPublishTradera": true,
		"imageUrls": []string{ready.Simulators.Images.Url + "/kaffekanna-1.webp"},
	})
	select {
	case <-live:
		time.Sleep(100 * time.Millisecond) // the last answer is on its way
	case <-time.After(2 * time.Minute):
		log.Fatal("no listing.created came within two minutes")
	}
}
