"""Asks a Service, without anything that would prove who asks, and tells how it answers."""

from __future__ import annotations

DOCUMENTATION = r"""
module: service_refusal
short_description: Post to a Service as somebody whom it does not know
description:
  - Goes through the Kubernetes API's proxy for Services, with the same access as the modules of kubernetes.core.
  - Changes nothing where the Service refuses, which is what is asked.
author: [Tiphys]
options:
  namespace:
    description: Where the Service is.
    type: str
    required: true
  service:
    description: Its name.
    type: str
    required: true
  port:
    description: Its port.
    type: int
    required: true
  path:
    description: What is posted to.
    type: str
    required: true
"""

RETURN = r"""
status:
  description: The status of the answer.
  type: int
  returned: always
answer:
  description: The beginning of its text.
  type: str
  returned: always
"""

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.kubernetes.core.plugins.module_utils.args_common import AUTH_ARG_SPEC
from ansible_collections.kubernetes.core.plugins.module_utils.k8s.core import AnsibleK8SModule


def post(client, path):
    """The status and the text of the answer."""
    from kubernetes.dynamic.exceptions import DynamicApiError

    headers = {"Content-Type": "application/json", "Accept": "*/*"}
    try:
        # Nothing that could start a run, even where it is taken.
        answer = client.request("post", path, body={"action": "none"}, header_params=headers, serialize=False, _request_timeout=10)
        return answer.status, answer.data.decode()
    except DynamicApiError as error:
        return error.status, str(error.body or error.reason)


def main():
    spec = dict(
        AUTH_ARG_SPEC,
        namespace={"type": "str", "required": True},
        service={"type": "str", "required": True},
        port={"type": "int", "required": True},
        path={"type": "str", "required": True},
    )
    module = AnsibleK8SModule(module_class=AnsibleModule, argument_spec=spec, supports_check_mode=True)
    from ansible_collections.kubernetes.core.plugins.module_utils.k8s.client import get_api_client

    client = get_api_client(module=module).client
    namespace, service, port, path = (module.params[key] for key in ("namespace", "service", "port", "path"))
    status, text = post(client, f"/api/v1/namespaces/{namespace}/services/http:{service}:{port}/proxy{path}")
    module.exit_json(changed=False, status=status, answer=text[:200])


if __name__ == "__main__":
    main()
