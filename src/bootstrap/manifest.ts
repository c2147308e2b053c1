// The input of Ansible: plain data, including manifests.

export type Value =
  | string
  | number
  | boolean
  | null
  | readonly Value[]
  | { readonly [key: string]: Value };

export type Manifest = Readonly<Record<string, Value>>;

export const ARGO = 'argoproj.io/v1alpha1';

/** An object of this name, with what stands beside it. */
export const manifest = (
  [apiVersion, kind, name]: Identity,
  namespace: string,
  content: Manifest = {},
): Manifest => ({ apiVersion, kind, metadata: { name, namespace }, ...content });

export type Identity = readonly [apiVersion: string, kind: string, name: string];
