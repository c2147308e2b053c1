// Hooks among the objects of an Application.
import type { KubernetesObject } from './material.ts';

const HOOKS = ['argocd.argoproj.io/hook', 'helm.sh/hook'];

export function isHook({ metadata }: KubernetesObject): boolean {
  const { annotations } = metadata ?? {};
  return (
    typeof annotations === 'object' &&
    annotations !== null &&
    HOOKS.some((key) => Object.hasOwn(annotations, key))
  );
}
