// `npm run recording` writes docs/images/rehearsal.svg anew.
import { writeFileSync } from 'node:fs';
import { FILE, rehearsalSvg } from './rehearsal.ts';

const { svg, exitStatus } = await rehearsalSvg();
if (exitStatus === 0) writeFileSync(FILE, svg);
else throw new Error(`the rehearsal ended with exit status ${exitStatus}; nothing was written`);
