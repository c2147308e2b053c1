"""What happens, as JSON lines: for `tiphys bootstrap`, which sets it as the callback that prints."""

from __future__ import annotations

DOCUMENTATION = r"""
name: tiphys_progress
type: stdout
short_description: Roles and phases as JSON lines
description:
  - One JSON object a line. Nothing of a task with no_log is printed but that it was done.
"""

import json

from ansible.plugins.callback import CallbackBase

# The tasks of roles/six_phases/tasks/main.yml that are phases, by their names.
PHASES = {
    "Pre-check": "pre-check",
    "Apply": "apply",
    "Test": "test",
    "Validate": "validate",
    "Rollback": "rollback",
    "Result": "result",
}


class CallbackModule(CallbackBase):
    CALLBACK_VERSION = 2.0
    CALLBACK_TYPE = "stdout"
    CALLBACK_NAME = "tiphys_progress"

    def __init__(self, *args, **options):
        super().__init__(*args, **options)
        self._role = None
        self._phase = None
        self._next = None

    def _tell(self, type_, **fields):
        line = json.dumps({"type": type_, **self._whose(), **fields}, default=str)
        self._display.display(line, screen_only=True)

    def _whose(self):
        return {} if self._role is None else {"role": self._role.replace("_", "-")}

    def v2_playbook_on_play_start(self, play):
        self._role = play.get_name().strip().removeprefix("Role ")
        self._phase = None
        self._tell("role.started")

    def v2_playbook_on_task_start(self, task, is_conditional):
        if "/six_phases/tasks/" in (task.get_path() or ""):
            # A phase begins with its first task: one that is left out has none. Between phases there is none either.
            self._next = PHASES.get(task.name)
            self._phase = None
        elif self._next is not None:
            self._phase = self._next
            self._next = None
            self._tell("phase.started", phase=self._phase)

    def v2_runner_on_ok(self, result):
        self._done("changed" if result._result.get("changed") else "ok", result)
        status = (result._result.get("ansible_facts") or {}).get(f"{self._role}_status")
        if status is not None:
            self._tell("role.finished", **status)

    def v2_runner_on_skipped(self, result):
        self._done("skipped", result)

    def v2_runner_on_failed(self, result, ignore_errors=False):
        self._done("failed", result)

    def v2_runner_on_unreachable(self, result):
        self._done("failed", result)

    def v2_runner_retry(self, result):
        # That something is waited for is news once.
        if result._result.get("attempts") == 1:
            self._done("retrying", result)

    def _done(self, status, result):
        if self._phase is None:
            return
        fields = {"phase": self._phase, "task": result._task.get_name().split(" : ")[-1], "status": status}
        if status == "failed":
            fields.update(self._failure(result._result))
        self._tell("task.finished", **fields)

    def _failure(self, result):
        if "censored" in result:
            return {"message": "what it answered is not shown, since there may be a secret in it", "object": None}
        failed = [one for one in result.get("results") or [] if isinstance(one, dict) and one.get("failed")]
        one = failed[0] if failed else result
        args = (one.get("invocation") or {}).get("module_args") or {}
        return {"message": str(one.get("msg", "")), "details": str(one.get("stderr", "")), "object": self._object(args)}

    def _object(self, args):
        definition = args.get("definition") or args.get("resource_definition") or {}
        metadata = definition.get("metadata", {}) if isinstance(definition, dict) else {}
        if args.get("release_name"):
            return f"release {args['release_name']} in {args.get('release_namespace')}"
        kind = args.get("kind") if args.get("name") else definition.get("kind") if metadata else None
        if not kind:
            return None
        name = args.get("name") or metadata.get("name")
        namespace = args.get("namespace") or metadata.get("namespace")
        return f"{kind} {name}" + (f" in {namespace}" if namespace else "")

    def v2_playbook_on_stats(self, stats):
        self._role = None
        total = {"ok": 0, "changed": 0, "failures": 0, "skipped": 0}
        for host in stats.processed:
            one = stats.summarize(host)
            for key in total:
                total[key] += one[key]
        self._tell("bootstrap.finished", **total)
