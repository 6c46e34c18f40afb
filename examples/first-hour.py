"""From a running `npm start` to a verified webhook, with an account of your own: run it in the project's folder, with the Python package installed."""
import json, ssl, threading, time
from http.server import BaseHTTPRequestHandler, HTTPServer
from itembridge import Itembridge, WebhookVerificationError, verify_webhook
import urllib3
ready = json.load(open(".itembridge/ready.json")); url = ready["apiUrl"]
me = {"email": f"hour{time.time_ns()}@example.se", "password": "a long password 1", "name": "Hour"}
Itembridge(url).request("POST", "/auth/register", me)
dash = Itembridge.sign_in(url, me["email"], me["password"])
key = dash.request("POST", "/integration/api-keys/generate", {"name": "ERP"})["apiKey"]
market = ready["simulators"]["marketplace"]
admin = market["adminUrl"] if "adminUrl" in market else market["url"] + "/admin"
token = urllib3.request("POST", admin + "/users", json={"userId": "778899"}).json()["token"]
print(dash.request("PUT", "/partner/marketplace-connection", {"marketplaceUserId": "778899", "token": token}))
secret = []; done = threading.Event()
class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        try:
            event = verify_webhook(body, self.headers, secret)
            print("verified", event["eventType"]); self.send_response(204)
            if event["eventType"] == "listing.created": done.set()
        except WebhookVerificationError as e: print(e); self.send_response(401)
        self.end_headers()
    def log_message(self, *a): pass
server = HTTPServer(("127.0.0.1", 0), Receiver)
tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER); tls.load_cert_chain(".itembridge/server.pem", ".itembridge/server.key")
server.socket = tls.wrap_socket(server.socket, server_side=True)
threading.Thread(target=server.serve_forever, daemon=True).start()
hook = dash.request("POST", "/integration/webhooks", {"url": f"https://127.0.0.1:{server.server_port}/"}); secret.append(hook["secret"])
print(Itembridge(url, key).upsert("A-1", {"title": "Kaffekanna", "price": 149, "imageUrls": [], "autoPublishTradera": True}))
print(done.wait(30))
