declare module 'toposort' {
  function array(nodes: readonly string[], edges: readonly (readonly [string, string])[]): string[];
  const toposort: { readonly array: typeof array };
  export = toposort;
}
