// Names that belong together: X-crds, X-operator, and what lives off them. A sign that never stands alone.
import type { Facts, Needed, Provided, Subjects } from './fact.ts';

const CRDS = /-crds?$/;
const OPERATOR = /-operator$/;
/** What is made of X once X is there. */
const PARTS =
  /-(?:config|configuration|cr|crs|resources|policies|issuers?|cluster|clusters|instances?|extras|templates)$/;

const ENDINGS = { family: '', 'family-crds': '-crds', 'family-operator': '-operator' } as const;

export function familyFacts({ application: { name } }: Subjects): Facts {
  const role = CRDS.test(name) ? 'crds' : OPERATOR.test(name) ? 'operator' : 'member';
  const stem = name.replace(role === 'crds' ? CRDS : role === 'operator' ? OPERATOR : PARTS, '');
  const needs: Needed[] = [];
  const add = (subject: 'family' | 'family-crds' | 'family-operator', strength: 'hard' | 'soft') =>
    needs.push({
      evidence: 'names',
      wants: [{ subject, key: stem }],
      strength,
      confidence: 'medium',
      text: `By its name, ${name} belongs to ${stem}${ENDINGS[subject]}`,
      where: '',
      guess: true,
    });
  if (role !== 'crds') add('family-crds', 'hard');
  if (role === 'member') add('family-operator', 'soft');
  if (role === 'member' && stem !== name) add('family', 'soft');
  return { provides: provided(role, stem, name), needs };
}

function provided(role: 'crds' | 'operator' | 'member', stem: string, name: string): Provided[] {
  if (role === 'crds') return [{ subject: 'family-crds', key: stem, rank: 'assumed' }];
  if (role === 'operator') return [{ subject: 'family-operator', key: stem, rank: 'assumed' }];
  return stem === name ? [{ subject: 'family', key: name, rank: 'assumed' }] : [];
}
