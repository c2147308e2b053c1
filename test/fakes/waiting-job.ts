// Jobs that wait or act, as manifests have them.
import { expect } from 'vitest';
import type { KubernetesObject } from '../../src/import/material.ts';
import { findWaits } from '../../src/import/waits/find-waits.ts';
import type { Wait } from '../../src/import/waits/wait.ts';

export const destination = { cluster: 'in-cluster', namespace: 'shop' };

export interface JobShape {
  readonly annotations?: Record<string, string>;
  readonly image?: string;
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly env?: readonly { name: string; value: string }[];
  readonly serviceAccountName?: string;
  readonly volumeMounts?: readonly unknown[];
  readonly volumes?: readonly unknown[];
}

export function job({ annotations = {}, serviceAccountName, volumes, ...container }: JobShape) {
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'one', annotations },
    spec: {
      template: {
        spec: {
          ...(serviceAccountName && { serviceAccountName }),
          ...(volumes && { volumes }),
          containers: [{ name: 'main', image: 'example/tool:1', ...container }],
        },
      },
    },
  };
}

export function only(...objects: readonly KubernetesObject[]): Wait {
  const waits = findWaits({ objects, destination });
  expect(waits).toHaveLength(1);
  return waits[0] as Wait;
}

export const sh = (script: string, more: JobShape = {}) =>
  job({ command: ['/bin/sh', '-c', script], ...more });
