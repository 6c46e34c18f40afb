// Checks that a webhook comes from the service and is fresh. To copy: the JDK's own classes only, Java 17 or later.
// Tried by hand: WEBHOOK_SECRET=whsec_… java Verify.java headers.txt < body
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public final class Verify {
  private static final long TOLERANCE_SECONDS = 300;

  /** Whatever isn't exactly right; the text says why, for your log and not for the sender. */
  public static final class UntrustedDelivery extends Exception {
    public UntrustedDelivery(String reason) {
      super(reason);
    }
  }

  /** Checks both signatures over the bytes as they came; parse the body afterwards. Names of headers in lower case. */
  public static void verifyWebhook(byte[] rawBody, Map<String, String> headers, String secret, Instant now)
      throws UntrustedDelivery, GeneralSecurityException {
    byte[] digest = hmac(secret.getBytes(StandardCharsets.UTF_8), rawBody);
    if (!isEqual(headers.getOrDefault("x-service-signature", ""), "sha256=" + HexFormat.of().formatHex(digest))) {
      throw new UntrustedDelivery("x-service-signature does not fit the body");
    }

    String id = headers.getOrDefault("webhook-id", "");
    String timestamp = headers.getOrDefault("webhook-timestamp", "");
    if (!timestamp.matches("[0-9]{1,12}")
        || Math.abs(now.getEpochSecond() - Long.parseLong(timestamp)) > TOLERANCE_SECONDS) {
      throw new UntrustedDelivery("webhook-timestamp is not of the last 5 minutes");
    }
    byte[] key = Base64.getDecoder().decode(secret.substring("whsec_".length()));
    byte[] prefix = (id + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8);
    String signature = "v1," + Base64.getEncoder().encodeToString(hmac(key, prefix, rawBody));
    // Several signatures may stand there, separated by spaces, while a secret is being changed.
    for (String candidate : headers.getOrDefault("webhook-signature", "").split(" ")) {
      if (isEqual(candidate, signature)) return;
    }
    throw new UntrustedDelivery("webhook-signature does not fit id, timestamp and body");
  }

  private static byte[] hmac(byte[] key, byte[]... parts) throws GeneralSecurityException {
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(key, "HmacSHA256"));
    for (byte[] part : parts) mac.update(part);
    return mac.doFinal();
  }

  /** Takes the same time wherever the two differ, so that a signature can't be guessed byte by byte. */
  private static boolean isEqual(String given, String expected) {
    return MessageDigest.isEqual(
        given.getBytes(StandardCharsets.UTF_8), expected.getBytes(StandardCharsets.UTF_8));
  }

  public static void main(String[] arguments) throws Exception {
    Map<String, String> headers = new HashMap<>();
    for (String line : Files.readAllLines(Path.of(arguments[0]))) {
      int colon = line.indexOf(':');
      if (colon > 0) headers.put(line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 1).trim());
    }
    try {
      verifyWebhook(System.in.readAllBytes(), headers, System.getenv("WEBHOOK_SECRET"), Instant.now());
      System.out.println("verified");
    } catch (UntrustedDelivery refusal) {
      System.out.println("refused: " + refusal.getMessage());
      System.exit(1);
    }
  }
}
