// Command main pushes an item for 149999.99 SEK with the generated client, and prints the price that the client reads back.
package main

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"os"
	"strconv"
)

func main() {
	price, err := pushAndRead(context.Background(), os.Args[1], os.Getenv("API_KEY"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(strconv.FormatFloat(price, 'f', -1, 64))
}

func pushAndRead(ctx context.Context, url, key string) (float64, error) {
	client, err := NewClientWithResponses(url, WithRequestEditorFn(func(_ context.Context, request *http.Request) error {
		request.Header.Set("x-api-key", key)
		return nil
	}))
	if err != nil {
		return 0, err
	}
	item := ItemRequest{Title: "Motor Volvo V70", Price: 149999.99, ImageUrls: []string{}}
	put, err := client.PutItemsByExternalIdWithResponse(ctx, "GO-1", nil, item)
	if err != nil {
		return 0, err
	}
	if put.StatusCode() != http.StatusAccepted {
		return 0, fmt.Errorf("PUT was answered %d: %s", put.StatusCode(), put.Body)
	}
	read, err := client.GetItemsByExternalIdWithResponse(ctx, "GO-1", nil)
	if err != nil {
		return 0, err
	}
	if read.JSON200 == nil {
		return 0, fmt.Errorf("GET was answered %d: %s", read.StatusCode(), read.Body)
	}
	status, err := read.JSON200.AsItemStatus()
	return float64(status.Price), err
}
