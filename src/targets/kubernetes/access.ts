// Who the user of the kubeconfig is, and what it may do. Asking is a POST, but changes nothing.
import { z } from 'zod';
import type { ClusterRight } from '../../ports/target.ts';
import type { Patience } from '../retry.ts';
import type { KubernetesApi } from './api.ts';
import { parsed } from './errors.ts';

const review = z.object({ status: z.object({ allowed: z.boolean() }) });

const PATH = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';

export async function mayInCluster(
  api: KubernetesApi,
  right: ClusterRight,
  patience?: Partial<Patience>,
): Promise<boolean> {
  const asked = {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SelfSubjectAccessReview',
    spec: { resourceAttributes: right },
  };
  const given = await api.question(PATH, asked, patience);
  return parsed(review, given).status.allowed;
}

const ownReview = z.object({
  status: z.object({ userInfo: z.object({ username: z.string().min(1) }) }),
});

const OWN_PATH = '/apis/authentication.k8s.io/v1/selfsubjectreviews';

/** As admission knows the user; the kubeconfig may use another name. */
export async function whoAmI(api: KubernetesApi, withinMs?: number): Promise<string> {
  const patience = withinMs === undefined ? {} : { budget: withinMs, deadline: withinMs };
  const asked = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
  return parsed(ownReview, await api.question(OWN_PATH, asked, patience)).status.userInfo.username;
}
