// What the user of the kubeconfig may do. Asking is a POST, but changes nothing.
import { z } from 'zod';
import type { ClusterRight } from '../../run/target.ts';
import type { KubernetesApi } from './api.ts';
import { parsed } from './errors.ts';

const review = z.object({ status: z.object({ allowed: z.boolean() }) });

export async function mayInCluster(api: KubernetesApi, right: ClusterRight): Promise<boolean> {
  const given = await api.question('/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SelfSubjectAccessReview',
    spec: { resourceAttributes: right },
  });
  return parsed(review, given).status.allowed;
}
