"""What mypy has to refuse."""

from itembridge import Itembridge

client = Itembridge("http://127.0.0.1", "sk")
client.upsert("A-1", {"titel": "Bromsskiva", "price": 1, "imageUrls": []})
client.set_status("A-1", "gone")
client.get("A-1")["prize"]
