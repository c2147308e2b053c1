// A fault -> the line that means it.
import type { Fault } from './fault.ts';
import type { FaultKind, Term } from './fault-table.ts';
import { FORMS, TERMS } from './fault-terms.ts';

export function renderFault(fault: Fault): string {
  const subject = fault.subject === 'app' ? `app:${fault.name}` : fault.subject;
  const terms = TERMS.flatMap((term) => {
    const value = fault[term];
    return value === undefined ? [] : [FORMS[term].render(value)];
  });
  return [subject, fault.effect, ...terms].join(' ');
}

/** How the kind is written: what may be left out stands in brackets. */
export function formOf({ subject, effect, terms }: FaultKind): string {
  const forms = TERMS.flatMap((term) => {
    const rule = terms[term];
    if (rule === undefined) return [];
    return [rule === 'needed' ? FORMS[term].form : `[${FORMS[term].form}]`];
  });
  return [subject === 'app' ? 'app:NAME' : subject, effect, ...forms].join(' ');
}

/** The line that shows how the kind is written, its needs and defaults filled in. */
export function exampleOf(kind: FaultKind): string {
  const filled = TERMS.flatMap((term) => {
    const rule = kind.terms[term];
    if (rule === undefined || rule === 'open') return [];
    return [[term, rule === 'needed' ? SAMPLES[term] : rule]];
  });
  const name = kind.subject === 'app' ? 'NAME' : undefined;
  return renderFault({ ...Object.fromEntries(filled), ...kind, name });
}

const SAMPLES: Readonly<Record<Term, number>> = {
  at: 300,
  after: 120,
  for: 60,
  every: 240,
  by: -3600,
  factor: 3,
  rate: 0.1,
};
