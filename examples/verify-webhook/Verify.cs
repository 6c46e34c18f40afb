// Checks that a webhook comes from the service and is fresh. To copy: the base class library only, .NET 6 or later.
// Tried by hand (.NET 10): WEBHOOK_SECRET=whsec_… dotnet run Verify.cs headers.txt < body
using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Security.Cryptography;
using System.Text;

/// <summary>Whatever isn't exactly right; the text says why, for your log and not for the sender.</summary>
public sealed class UntrustedDelivery : Exception
{
    public UntrustedDelivery(string reason) : base(reason) { }
}

public static class Verify
{
    private const long ToleranceSeconds = 300;

    /// <summary>Checks both signatures over the bytes as they came; parse the body afterwards. Names of headers in lower case.</summary>
    public static void VerifyWebhook(
        byte[] rawBody, IReadOnlyDictionary<string, string> headers, string secret, DateTimeOffset now)
    {
        string Header(string name) => headers.TryGetValue(name, out var value) ? value : "";

        var digest = HMACSHA256.HashData(Encoding.UTF8.GetBytes(secret), rawBody);
        if (!IsEqual(Header("x-service-signature"), "sha256=" + Convert.ToHexString(digest).ToLowerInvariant()))
            throw new UntrustedDelivery("x-service-signature does not fit the body");

        var (id, timestamp) = (Header("webhook-id"), Header("webhook-timestamp"));
        var isNumber = timestamp.Length is > 0 and <= 12 && timestamp.All(digit => digit is >= '0' and <= '9');
        if (!isNumber || Math.Abs(now.ToUnixTimeSeconds() - long.Parse(timestamp)) > ToleranceSeconds)
            throw new UntrustedDelivery("webhook-timestamp is not of the last 5 minutes");
        var key = Convert.FromBase64String(secret.Substring("whsec_".Length));
        var signed = Encoding.UTF8.GetBytes($"{id}.{timestamp}.").Concat(rawBody).ToArray();
        var signature = "v1," + Convert.ToBase64String(HMACSHA256.HashData(key, signed));
        // Several signatures may stand there, parted by spaces, while a secret is being changed.
        if (!Header("webhook-signature").Split(' ').Any(candidate => IsEqual(candidate, signature)))
            throw new UntrustedDelivery("webhook-signature does not fit id, timestamp and body");
    }

    /// <summary>Takes the same time wherever the two differ, so that a signature can't be guessed byte by byte.</summary>
    private static bool IsEqual(string given, string expected) =>
        CryptographicOperations.FixedTimeEquals(Encoding.UTF8.GetBytes(given), Encoding.UTF8.GetBytes(expected));

    public static int Main(string[] arguments)
    {
        var headers = File.ReadAllLines(arguments[0])
            .Select(line => line.Split(':', 2))
            .Where(pair => pair.Length == 2)
            .ToDictionary(pair => pair[0].ToLowerInvariant(), pair => pair[1].Trim());
        using var body = new MemoryStream();
        Console.OpenStandardInput().CopyTo(body);
        try
        {
            var secret = Environment.GetEnvironmentVariable("WEBHOOK_SECRET") ?? "";
            VerifyWebhook(body.ToArray(), headers, secret, DateTimeOffset.UtcNow);
            Console.WriteLine("verified");
            return 0;
        }
        catch (UntrustedDelivery refusal)
        {
            Console.WriteLine($"refused: {refusal.Message}");
            return 1;
        }
    }
}
