import json, os, random, ssl, threading, time
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import urllib3
from itembridge import Itembridge, WebhookVerificationError, verify_webhook

home = Path(os.environ["ITEMBRIDGE_HOME"])
ready = json.loads((home / "ready.json").read_text())
url, market = ready["apiUrl"], ready["simulators"]["marketplace"]["adminUrl"]

# An account that can sell
seller, password = str(random.randint(200_000, 299_999)), "a long password 1"
email = f"shop{seller}{time.time_ns()}@example.se"
Itembridge(url).request("POST", "/auth/register", {"email": email, "password": password, "name": "My shop"})
session = Itembridge.sign_in(url, email, password)
key = session.request("POST", "/integration/api-keys/generate", {"name": "ERP"})["apiKey"]
token = urllib3.request("POST", f"{market}/users", json={"userId": seller}).json()["token"]
session.request("PUT", "/partner/marketplace-connection", {"marketplaceUserId": seller, "token": token})

# A receiver: over the raw bytes, 204 for what is verified, 401 for anything else
endpoint = {}
live = threading.Event()

class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        try:
            event = verify_webhook(body, self.headers, endpoint["secret"])
            print("verified", event["eventType"], flush=True)
            self.send_response(204)
            if event["eventType"] == "listing.created":
                live.set()
        except WebhookVerificationError as error:
            print("refused:", error)
            self.send_response(401)
        self.end_headers()

    def log_message(self, *_):
        pass

server = HTTPServer(("127.0.0.1", 0), Receiver)
tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
tls.load_cert_chain(home / "server.pem", home / "server.key")
server.socket = tls.wrap_socket(server.socket, server_side=True)
threading.Thread(target=server.serve_forever, daemon=True).start()

# From here on the key is enough
erp = Itembridge(url, key)
endpoint = erp.request("POST", "/integration/v1/webhooks", {"url": f"https://127.0.0.1:{server.server_port}/"})
erp.upsert("A-1", {"title": "Kaffekanna i emalj", "price": 149, "autoPublishTradera": True,
                   "imageUrls": [ready["simulators"]["images"]["url"] + "/kaffekanna-1.webp"]})
if not live.wait(120):
    raise SystemExit("no listing.created came within two minutes")
