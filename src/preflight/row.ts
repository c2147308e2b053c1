// A prerequisite of the RFC's phase 0, and the result of its check.
import { type ErrorCode, withoutPasswords } from '../errors.ts';
import type { PreflightContext } from './preflight-context.ts';

/** Sections of the RFC. */
export const SECTIONS = {
  '3.2.1': 'Tools',
  '3.2.2': 'Python packages',
  '3.2.3': 'Ansible collections',
  '3.2.4': 'Cluster',
  '3.2.5': 'Connectivity',
  '3.2.6': 'Credentials',
  '3.2.7': 'What must not exist yet',
} as const;
type Section = keyof typeof SECTIONS;

export type Verdict =
  | { readonly verdict: 'pass'; readonly seen: string }
  | { readonly verdict: 'warning'; readonly seen: string; readonly remedy: string }
  | {
      readonly verdict: 'failure';
      readonly seen: string;
      readonly remedy: string;
      /** An error code of the catalogue: it decides the exit status. */
      readonly code: ErrorCode;
    };

export interface Prerequisite {
  readonly id: string;
  readonly section: Section;
  /** The requirement. */
  readonly what: string;
  /** Optional: if it cannot be checked, that is only a warning. */
  readonly advised?: true;
  readonly judge: (world: PreflightContext) => Promise<Verdict>;
}

/** The prerequisites of a section: required and recommended ones. */
export function prerequisitesOf(section: Section) {
  const must = (id: string, what: string, judge: Prerequisite['judge']): Prerequisite => ({
    id,
    section,
    what,
    judge,
  });
  const should = (...row: Parameters<typeof must>): Prerequisite => ({
    ...must(...row),
    advised: true,
  });
  return { must, should };
}

export interface Row extends Pick<Prerequisite, 'id' | 'section' | 'what'> {
  readonly verdict: Verdict['verdict'];
  readonly seen: string;
  readonly remedy: string | null;
  readonly code: ErrorCode | null;
}

export function pass(seen: string): Verdict {
  return { verdict: 'pass', seen };
}

export function warning(seen: string, remedy: string): Verdict {
  return { verdict: 'warning', seen, remedy };
}

export function failure(code: ErrorCode, seen: string, remedy: string): Verdict {
  return { verdict: 'failure', seen, remedy, code };
}

export function rowOf({ id, section, what }: Prerequisite, given: Verdict): Row {
  const { verdict, seen } = given;
  return {
    ...{ id, section, verdict },
    // Addresses are quoted, and may contain a password.
    what: withoutPasswords(what),
    seen: withoutPasswords(seen),
    remedy: given.verdict === 'pass' ? null : withoutPasswords(given.remedy),
    code: given.verdict === 'failure' ? given.code : null,
  };
}
