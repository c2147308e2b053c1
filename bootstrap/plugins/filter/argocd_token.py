"""Tokens of Argo CD: texts signed with its own key (JWT, HS256), which argocd-secret lists by their id."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import secrets
from datetime import datetime, timezone


def _packed(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=")


def _unpacked(text):
    return base64.urlsafe_b64decode(text + b"=" * (-len(text) % 4))


def _json(value):
    return json.dumps(value, separators=(",", ":")).encode()


def _signature(secret, text):
    key = base64.b64decode(secret["server.secretkey"])
    return _packed(hmac.new(key, text, hashlib.sha256).digest())


def _entry(account):
    return f"accounts.{account}.tokens"


def _listed(secret, account):
    text = base64.b64decode(secret.get(_entry(account), "")).decode()
    return json.loads(text or "[]") or []


_DAY = 86_400
_LIFE = 90 * _DAY
# A bootstrap makes another one when less than this is left.
_REST = 30 * _DAY


def make(secret, account, now):
    """The token, when it expires, and the entries of argocd-secret that list it, beside the others and alone, as Secrets hold them."""
    at = int(now)
    one = {"id": secrets.token_hex(16), "iat": at, "exp": at + _LIFE}
    claims = {"iss": "argocd", "sub": f"{account}:apiKey", "jti": one["id"], "iat": at, "nbf": at, "exp": one["exp"]}
    text = _packed(_json({"alg": "HS256", "typ": "JWT"})) + b"." + _packed(_json(claims))
    token = text + b"." + _signature(secret, text)

    def entry(tokens):
        return {_entry(account): base64.b64encode(_json(tokens)).decode()}

    return {
        "token": base64.b64encode(token).decode(),
        "expires": datetime.fromtimestamp(one["exp"], timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "listed": entry([*_listed(secret, account), one]),
        "alone": entry([one]),
    }


def is_good(token, secret, account, now):
    """Whether Argo CD takes the token, as a Secret holds it, for long: signed by it, of the account, listed."""
    try:
        text, _dot, signature = base64.b64decode(token).rpartition(b".")
        claims = json.loads(_unpacked(text.rpartition(b".")[2]))
        listed = [one["id"] for one in _listed(secret, account)]
        ours = claims["sub"] == f"{account}:apiKey" and claims["jti"] in listed
        lasts = claims["exp"] - now > _REST
        return ours and lasts and hmac.compare_digest(signature, _signature(secret, text))
    except (ValueError, KeyError, TypeError):
        return False


class FilterModule:
    """What Ansible looks for in this file."""

    def filters(self):
        return {"argocd_token_make": make, "argocd_token_is_good": is_good}
