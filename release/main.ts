// npm run release -- FOLDER [KEY]: writes what is published of this version into the folder, signed if there is a key.
// npm run sbom: prints the bill of materials alone, and fails where a licence is not allowed.
import { resolve } from 'node:path';
import { licenceViolations } from './licences.ts';
import { makeRelease } from './make-release.ts';
import { makeSbom, renderSbom } from './sbom.ts';

const [what, folder, key] = process.argv.slice(2);

if (what === 'sbom') {
  const sbom = makeSbom();
  process.stdout.write(renderSbom(sbom));
  for (const line of licenceViolations(sbom)) {
    process.stderr.write(`licence not allowed: ${line}\n`);
    process.exitCode = 1;
  }
} else if (what === 'release' && folder !== undefined) {
  const { files, isSigned } = makeRelease(resolve(folder), key && resolve(key));
  process.stdout.write(
    `${files.join('\n')}\n${isSigned ? 'signed' : 'not signed: no key is given'}\n`,
  );
} else {
  process.stderr.write('usage: npm run sbom, or npm run release -- FOLDER [KEY]\n');
  process.exitCode = 3;
}
