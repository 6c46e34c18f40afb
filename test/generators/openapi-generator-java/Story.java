import com.google.gson.Gson;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.ItemsApi;
import org.openapitools.client.model.*;

/** The story of README.md with what openapi-generator makes for Java. */
public class Story {
    public static void main(String[] arguments) throws Exception {
        ApiClient client = new ApiClient().setBasePath(System.getenv("ITEMBRIDGE_URL"));
        client.setApiKey(System.getenv("ITEMBRIDGE_API_KEY"));
        ItemsApi api = new ItemsApi(client);

        AutoPartsDomain part = new AutoPartsDomain().domain(AutoPartsSlug.AUTO_PARTS).conditionGrade(ConditionGrade.A_STAR);
        ItemRequest first = item("Strålkastare Volvo V70", 149999.99).domain(new ItemDomain(part));
        UpsertResponse created = put(api, "CHECK-1", first).getUpsertResponse();
        put(api, "CHECK-2", item("Emaljkanna, blå", 149.5));

        ItemFull read = api.getItem("CHECK-1", ItemView.FULL, null).getItemFull();

        ApiException refusal = refusalOf(api, item("Backspegel", 149.999).addImageUrlsItem("http://images.example.com/1.jpg"));
        ErrorBody refused = ErrorBody.fromJson(refusal.getResponseBody());
        List<String> fields = new ArrayList<>();
        for (FieldProblem problem : refused.getDetails()) fields.add(problem.getField());

        Map<String, Object> told = new LinkedHashMap<>();
        told.put("message", created.getMessage());
        told.put("price", read.getPrice());
        told.put("status", refusal.getCode());
        told.put("code", refused.getCode().getValue());
        told.put("fields", fields);
        told.put("listed", listed(api));
        System.out.println(new Gson().toJson(told));
    }

    private static ItemRequest item(String title, double price) {
        return new ItemRequest().title(title).price(price).imageUrls(new ArrayList<>());
    }

    private static UpsertResponseOrValidationResponse put(ItemsApi api, String id, ItemRequest item) throws ApiException {
        return api.upsertItem(id, item, null, null, null, null);
    }

    private static ApiException refusalOf(ItemsApi api, ItemRequest wrong) {
        try {
            put(api, "CHECK-3", wrong);
        } catch (ApiException refusal) {
            return refusal;
        }
        throw new AssertionError("the wrong item was taken");
    }

    private static List<String> listed(ItemsApi api) throws ApiException {
        List<String> ids = new ArrayList<>();
        String cursor = null;
        do {
            ItemList page = api.listItems(1, cursor, null, null, null, null, null, null, null, null, null, null);
            for (ItemListEntry entry : page.getItems()) ids.add(entry.getExternalId());
            cursor = page.getNextCursor();
        } while (cursor != null);
        return ids;
    }
}
