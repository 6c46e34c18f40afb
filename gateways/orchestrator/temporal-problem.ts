/** Both clients' words for a reason, and what an operator does. The first that fits counts. */
const advice: readonly (readonly [words: RegExp, whatToDo: string])[] = [
  [
    /certificate ?required|handshake ?failure/i,
    'the server wants a client certificate: set TEMPORAL_TLS_CLIENT_CERT_PATH and TEMPORAL_TLS_CLIENT_KEY_PATH',
  ],
  [
    /alert (unknown ca|bad certificate|certificate)|fatal alert: (unknown_?ca|badcertificate|certificate)/i,
    'the server refuses our client certificate (its authority, or its age): put another at TEMPORAL_TLS_CLIENT_CERT_PATH and TEMPORAL_TLS_CLIENT_KEY_PATH, and restart',
  ],
  [/altnames|NotValidForName/, "the server's certificate has other names: set TEMPORAL_TLS_SERVER_NAME to one of them"],
  [/certificate has expired|certificate: Expired|InvalidCertificate\(Expired/, "the server's certificate has expired"],
  [
    /UnknownIssuer|self-signed certificate|unable to (get|verify)|BadSignature|signature failure/,
    "the authority of the server's certificate is not known here: set TEMPORAL_TLS_SERVER_CA_CERT_PATH, and restart",
  ],
  [
    /wrong version number|InvalidContentType|packet length too long/,
    'the server speaks no TLS there: take TEMPORAL_TLS… out, or set another TEMPORAL_ADDRESS',
  ],
  [
    /ECONNREFUSED|ConnectionRefused|ETIMEDOUT|EHOSTUNREACH|ENOTFOUND|EAI_AGAIN|name resolution failed|dns error|tcp connect error/i,
    'nothing answers at TEMPORAL_ADDRESS',
  ],
  [
    /UNAUTHENTICATED|PERMISSION_DENIED|PermissionDenied|authentication credentials|not have permission/,
    'the server refuses the API key, or the key has no right to TEMPORAL_NAMESPACE: put another into the file of TEMPORAL_API_KEY_FILE, and restart',
  ],
  [
    /Failed to connect|ECONNRESET|ConnectionReset|BrokenPipe|UnexpectedEof|connection closed|dropped|transport error/,
    'the server ends the connection: it wants TLS (TEMPORAL_TLS=true) or refuses our client certificate: set another TEMPORAL_TLS_CLIENT_CERT_PATH and TEMPORAL_TLS_CLIENT_KEY_PATH',
  ],
];

/** What an operator does about it, by settings alone; undefined for what is no problem of a connection. */
export const temporalProblem = (words: string): string | undefined => advice.find(([known]) => known.test(words))?.[1];
