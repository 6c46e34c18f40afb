"""Client of itembridge: items, bulk syncs, events and signed webhooks."""

from .bulk_syncs import BulkSyncs
from .client import Itembridge
from .errors import FieldProblem, ItembridgeError, ItembridgeUnreachable
from .version import __version__
from .webhooks import WebhookVerificationError, verify_webhook

__all__ = [
    "BulkSyncs",
    "FieldProblem",
    "Itembridge",
    "ItembridgeError",
    "ItembridgeUnreachable",
    "WebhookVerificationError",
    "__version__",
    "verify_webhook",
]
