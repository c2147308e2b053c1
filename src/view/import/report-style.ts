// The look of the report, light and dark. Its hash is in the page's policy, so it is one text without anything from outside.

export const REPORT_STYLE = [
  ':root{color-scheme:light dark;--ink:#1b1f24;--paper:#fff;--soft:#57606a;--line:#d0d7de;--box:#f6f8fa;--hard:#0550ae;--maybe:#9a6700;--bad:#cf222e}',
  '@media(prefers-color-scheme:dark){:root{--ink:#e6edf3;--paper:#0d1117;--soft:#9198a1;--line:#3d444d;--box:#151b23;--hard:#79c0ff;--maybe:#d29922;--bad:#ff7b72}}',
  'body{font:15px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper);max-width:72rem;margin:0 auto;padding:1rem}',
  'h1{font-size:1.5rem}h2{font-size:1.2rem;border-bottom:1px solid var(--line);margin-top:2rem}h3{font-size:1rem;margin:1rem 0 .2rem}',
  '.summary{font-weight:600}.scroll{overflow-x:auto}.graph{border:1px solid var(--line);max-height:80vh;overflow:auto}',
  'table{border-collapse:collapse}th,td{text-align:left;vertical-align:top;padding:.2rem .8rem .2rem 0;border-bottom:1px solid var(--line)}',
  'code{font-family:ui-monospace,monospace;font-size:.9em;color:var(--soft)}summary{cursor:pointer}ul{margin:.2rem 0 .6rem;padding-left:1.4rem}',
  'details:target,h3:target{background:var(--box);outline:2px solid var(--hard)}',
  '.mark{display:inline-block;min-width:6rem;color:var(--soft)}.mark.written{color:var(--hard)}.mark.suggested{color:var(--maybe)}.mark.refused{color:var(--bad)}',
  'svg{display:block}svg rect{fill:var(--box);stroke:var(--line)}svg text{fill:var(--ink);font:12px system-ui,sans-serif}svg a:hover rect{stroke:var(--hard)}',
  '.edge{fill:none;stroke:var(--hard);stroke-width:1.2}.edge.hard{stroke-width:2}.edge.suggested{stroke:var(--maybe);stroke-dasharray:5 4}a:hover .edge{stroke-width:4}',
].join('');
