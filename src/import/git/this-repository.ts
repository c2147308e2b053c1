// Which of the repositories that Applications name is the folder itself: the one that most of them mean by paths that are there.
import type { RawSource } from '../application-object.ts';
import { type FolderFiles, hasFolder, plainPath } from './folder-files.ts';

export function thisRepository(
  sources: readonly RawSource[],
  files: FolderFiles,
): string | undefined {
  const votes = new Map<string, number>();
  for (const { repoURL, path, chart } of sources) {
    const folder = plainPath(path);
    // Every repository has its own top folder: that says nothing.
    const isThere = chart === '' && folder !== '' && hasFolder(files, folder);
    if (!isThere) continue;
    const key = repositoryKey(repoURL);
    votes.set(key, (votes.get(key) ?? 0) + 1);
  }
  const [first] = [...votes].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  return first?.[0];
}

/** The same whether it is reached by HTTPS or by SSH: HOST/PATH. */
export function repositoryKey(repoURL: string): string {
  const bare = repoURL
    .trim()
    .toLowerCase()
    .replace(/^[a-z+]{1,20}:\/\//, '');
  const at = bare.indexOf('@');
  const place = at === -1 ? bare : bare.slice(at + 1);
  return plainPath(place.replace(':', '/')).replace(/\.git$/, '');
}
