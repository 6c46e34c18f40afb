// The story of README.md with what oapi-codegen makes.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"

	"itembridge.example/story/api"
)

var ctx = context.Background()

func main() {
	client := must(api.NewClientWithResponses(os.Getenv("ITEMBRIDGE_URL"), api.WithRequestEditorFn(
		func(_ context.Context, request *http.Request) error {
			request.Header.Set("x-api-key", os.Getenv("ITEMBRIDGE_API_KEY"))
			return nil
		})))

	grade := api.ASTAR
	var part api.ItemDomain
	if err := part.FromAutoPartsDomain(api.AutoPartsDomain{Domain: api.AutoPartsSlugAutoParts, ConditionGrade: &grade}); err != nil {
		log.Fatal(err)
	}
	first := api.ItemRequest{Title: "Strålkastare Volvo V70", Price: 149999.99, ImageUrls: []string{}, Domain: &part}
	created := put(client, "CHECK-1", first)
	put(client, "CHECK-2", api.ItemRequest{Title: "Emaljkanna, blå", Price: 149.5, ImageUrls: []string{}})

	full := api.Full
	read := must(client.GetItemWithResponse(ctx, "CHECK-1", &api.GetItemParams{View: &full}))
	item := must(read.JSON200.AsItemFull())

	wrong := api.ItemRequest{Title: "Backspegel", Price: 149.999, ImageUrls: []string{"http://images.example.com/1.jpg"}}
	refused := put(client, "CHECK-3", wrong)
	fields := []string{}
	for _, problem := range *refused.JSON422.Details {
		fields = append(fields, problem.Field)
	}

	told := map[string]any{
		"message": created.JSON202.Message,
		"price":   item.Price,
		"status":  refused.StatusCode(),
		"code":    refused.JSON422.Code,
		"fields":  fields,
		"listed":  listed(client),
	}
	fmt.Println(string(must(json.Marshal(told))))
}

func put(client *api.ClientWithResponses, id string, item api.ItemRequest) *api.UpsertItemResponse {
	return must(client.UpsertItemWithResponse(ctx, id, nil, item))
}

func listed(client *api.ClientWithResponses) []string {
	ids, limit := []string{}, 1
	for params := (&api.ListItemsParams{Limit: &limit}); ; {
		page := must(client.ListItemsWithResponse(ctx, params)).JSON200
		for _, entry := range page.Items {
			ids = append(ids, entry.ExternalId)
		}
		if page.NextCursor == nil {
			return ids
		}
		params.Cursor = page.NextCursor
	}
}

func must[Value any](value Value, err error) Value {
	if err != nil {
		log.Fatal(err)
	}
	return value
}
