"""Asks argocd-server whose token it is that it was given."""

from __future__ import annotations

DOCUMENTATION = r"""
module: argocd_account
short_description: Ask argocd-server whose token this is
description:
  - Goes through the Kubernetes API's proxy for Services, with the same access as the modules of kubernetes.core.
  - Changes nothing.
author: [Tiphys]
options:
  namespace:
    description: Where Argo CD is.
    type: str
    required: true
  service:
    description: The Service of argocd-server.
    type: str
    required: true
  token:
    description: The token.
    type: str
    required: true
"""

RETURN = r"""
account:
  description: Who argocd-server says that the token is of; empty where it does not take it.
  type: str
  returned: always
answer:
  description: What it answered where it does not take it.
  type: str
  returned: always
"""

import json

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.kubernetes.core.plugins.module_utils.args_common import AUTH_ARG_SPEC
from ansible_collections.kubernetes.core.plugins.module_utils.k8s.core import AnsibleK8SModule

# argocd-server speaks TLS unless it was told not to; only asking tells.
PORTS = ("https:{0}:443", "http:{0}:80")


def ask(client, path, token):
    """The status and the text of the answer."""
    from kubernetes.dynamic.exceptions import DynamicApiError

    # The API server keeps the Authorization header to itself; Argo CD takes its token from a cookie, too.
    headers = {"Cookie": "argocd.token=" + token, "Accept": "application/json"}
    try:
        answer = client.request("get", path, header_params=headers, serialize=False, _request_timeout=10)
        return answer.status, answer.data.decode()
    except DynamicApiError as error:
        return error.status, str(error.body or error.reason)


def whose(client, namespace, service, token):
    said = ""
    for port in PORTS:
        name = port.format(service)
        path = f"/api/v1/namespaces/{namespace}/services/{name}/proxy/api/v1/session/userinfo"
        status, text = ask(client, path, token)
        said = f"{status} {text[:200]}"
        if status == 200 and text.startswith("{"):
            user = json.loads(text)
            return (user.get("username", "") if user.get("loggedIn") else ""), said
    return "", said


def main():
    spec = dict(
        AUTH_ARG_SPEC,
        namespace={"type": "str", "required": True},
        service={"type": "str", "required": True},
        token={"type": "str", "required": True, "no_log": True},
    )
    module = AnsibleK8SModule(module_class=AnsibleModule, argument_spec=spec, supports_check_mode=True)
    from ansible_collections.kubernetes.core.plugins.module_utils.k8s.client import get_api_client

    client = get_api_client(module=module).client
    account, said = whose(client, module.params["namespace"], module.params["service"], module.params["token"])
    module.exit_json(changed=False, account=account, answer=said)


if __name__ == "__main__":
    main()
