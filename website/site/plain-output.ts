// In a block of a console, only the command has colours: what it prints is no source text.
interface Shown {
  readonly type: string;
  readonly value?: string;
  readonly children?: readonly Shown[];
  readonly properties?: Record<string, unknown>;
}

interface Line {
  readonly options: { readonly lang: string };
}

export const plainOutput = {
  name: 'plain-output',
  line(this: Line, line: Shown): void {
    if (this.options.lang !== 'console' || textOf(line).startsWith('$ ')) return;
    for (const { properties } of line.children ?? []) if (properties) delete properties.style;
  },
};

const textOf = ({ value, children }: Shown): string =>
  value ?? (children ?? []).map(textOf).join('');
