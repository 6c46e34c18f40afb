using System;
using System.IO;
using System.Linq;
using System.Net;
using System.Net.Http;
using System.Text;
using System.Text.RegularExpressions;
using System.Threading;
using System.Threading.Tasks;

public static class FirstHour
{
    private static readonly string Url = Environment.GetEnvironmentVariable("ITEMBRIDGE_URL");
    private static readonly string Key = Environment.GetEnvironmentVariable("ITEMBRIDGE_API_KEY");
    private static readonly string Secret = Environment.GetEnvironmentVariable("WEBHOOK_SECRET");

    public static int Main(string[] arguments)
    {
        var live = new ManualResetEventSlim();
        var listener = new HttpListener();
        listener.Prefixes.Add(arguments[0]);
        listener.Start();
        Task.Run(() => Receive(listener, live));
        Put("A-CS", "{\"title\":\"Kaffekanna i emalj\",\"price\":149.50,\"imageUrls\":[],\"autoPublishTradera\":true}").Wait();
        if (live.Wait(TimeSpan.FromMinutes(2))) return 0;
        Console.WriteLine("no listing.created came within two minutes");
        return 1;
    }

    /// <summary>Creates the item, or makes it what is given.</summary>
    private static async Task Put(string externalId, string json)
    {
        using (var client = new HttpClient())
        {
            client.DefaultRequestHeaders.Add("x-api-key", Key);
            var content = new StringContent(json, Encoding.UTF8, "application/json");
            var answer = await client.PutAsync(Url + "/integration/v1/items/" + Uri.EscapeDataString(externalId), content);
            var text = await answer.Content.ReadAsStringAsync();
            if (!answer.IsSuccessStatusCode) throw new Exception((int)answer.StatusCode + " " + text);
        }
    }

    /// <summary>Over the raw bytes: 204 for what is verified, 401 for anything else.</summary>
    private static void Receive(HttpListener listener, ManualResetEventSlim live)
    {
        while (true)
        {
            var call = listener.GetContext();
            var body = new MemoryStream();
            call.Request.InputStream.CopyTo(body);
            var given = call.Request.Headers;
            var headers = given.AllKeys.ToDictionary(name => name.ToLowerInvariant(), name => given[name]);
            var type = "";
            try
            {
                Verify.VerifyWebhook(body.ToArray(), headers, Secret, DateTimeOffset.UtcNow);
                type = Regex.Match(Encoding.UTF8.GetString(body.ToArray()), "\"eventType\":\"([^\"]+)\"").Groups[1].Value;
                Console.WriteLine("verified " + type);
                call.Response.StatusCode = 204;
            }
            catch (UntrustedDelivery refusal)
            {
                Console.WriteLine("refused: " + refusal.Message);
                call.Response.StatusCode = 401;
            }
            call.Response.Close();
            if (type == "listing.created") live.Set();
        }
    }
}
