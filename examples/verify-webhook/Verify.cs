// Checks that a webhook comes from the service and is fresh. To copy: the base class library only, any .NET, and Mono.
// Tried by hand (.NET 10): WEBHOOK_SECRET=whsec_… dotnet run Verify.cs headers.txt < body
// With Mono: mcs Verify.cs && WEBHOOK_SECRET=whsec_… mono Verify.exe headers.txt < body
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
        var hex = BitConverter.ToString(Digest(Encoding.UTF8.GetBytes(secret), rawBody)).Replace("-", "");
        if (!IsEqual(Header(headers, "x-service-signature"), "sha256=" + hex.ToLowerInvariant()))
            throw new UntrustedDelivery("x-service-signature does not fit the body");

        var id = Header(headers, "webhook-id");
        var timestamp = Header(headers, "webhook-timestamp");
        var isNumber = timestamp.Length > 0 && timestamp.Length <= 12 && timestamp.All(digit => digit >= '0' && digit <= '9');
        if (!isNumber || Math.Abs(now.ToUnixTimeSeconds() - long.Parse(timestamp)) > ToleranceSeconds)
            throw new UntrustedDelivery("webhook-timestamp is not of the last 5 minutes");
        var key = Convert.FromBase64String(secret.Substring("whsec_".Length));
        var signed = Encoding.UTF8.GetBytes($"{id}.{timestamp}.").Concat(rawBody).ToArray();
        var signature = "v1," + Convert.ToBase64String(Digest(key, signed));
        // Several signatures may stand there, separated by spaces, while a secret is being changed.
        if (!Header(headers, "webhook-signature").Split(' ').Any(candidate => IsEqual(candidate, signature)))
            throw new UntrustedDelivery("webhook-signature does not fit id, timestamp and body");
    }

    private static string Header(IReadOnlyDictionary<string, string> headers, string name)
    {
        string value;
        return headers.TryGetValue(name, out value) ? value : "";
    }

    private static byte[] Digest(byte[] key, byte[] content)
    {
        using (var hmac = new HMACSHA256(key))
            return hmac.ComputeHash(content);
    }

    /// <summary>Takes the same time wherever the two differ, so that a signature can't be guessed byte by byte.</summary>
    private static bool IsEqual(string given, string expected)
    {
        var difference = given.Length ^ expected.Length;
        for (var at = 0; at < Math.Min(given.Length, expected.Length); at++) difference |= given[at] ^ expected[at];
        return difference == 0;
    }

    public static int Main(string[] arguments)
    {
        var headers = File.ReadAllLines(arguments[0])
            .Select(line => line.Split(new[] { ':' }, 2))
            .Where(pair => pair.Length == 2)
            .ToDictionary(pair => pair[0].ToLowerInvariant(), pair => pair[1].Trim());
        var body = new MemoryStream();
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
