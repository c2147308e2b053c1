// The findings as SARIF 2.1.0, which code scanning services read.
import { LINT_RULES, type LintFinding, type LintReport } from './finding.ts';

export interface SarifInput {
  readonly report: LintReport;
  readonly version: string;
}

export function sarifOf({ report, version }: SarifInput): object {
  const rules = Object.entries(LINT_RULES).map(([id, text]) => ({
    id,
    shortDescription: { text },
  }));
  const driver = { name: 'tiphys', version, rules };
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver },
        invocations: [
          { executionSuccessful: true, toolExecutionNotifications: notChecked(report) },
        ],
        results: report.findings.map(result),
      },
    ],
  };
}

/** Without results, it would look as if all were well. */
function notChecked({ problems, unchecked }: LintReport): object[] {
  const texts = problems.map(({ subject, message }) => `Not checked: ${subject}: ${message}`);
  const names =
    unchecked.length > 0 ? [`Not checked, or only in part: ${unchecked.join(', ')}`] : [];
  return [...names, ...texts].map((text) => ({
    level: 'warning',
    message: { text: plainText(text) },
  }));
}

function result(finding: LintFinding): object {
  const { rule, level, application, object, message, fix, place } = finding;
  const uri = relativeUri(place?.file ?? '');
  const region = place?.line === undefined ? {} : { region: { startLine: place.line } };
  const fullyQualifiedName = object === null ? application : `${application}/${object}`;
  return {
    ruleId: rule,
    level,
    message: { text: plainText(`${message} ${fix}`) },
    locations: [
      {
        logicalLocations: [{ fullyQualifiedName, kind: 'resource' }],
        ...(uri !== undefined && { physicalLocation: { artifactLocation: { uri }, ...region } }),
      },
    ],
  };
}

/** What has a meaning in a message: links, and places for arguments. The text quotes manifests. */
const plainText = (text: string): string =>
  text.replace(/[\\[\]]/g, String.raw`\$&`).replace(/[{}]/g, '$&$&');

/** Below the root of the repository; undefined where the path leads out of it. */
function relativeUri(path: string): string | undefined {
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  if (parts.length === 0 || parts.includes('..')) return undefined;
  return parts.map((part) => encodeURIComponent(part.replace(/\p{Cs}/gu, '\ufffd'))).join('/');
}
