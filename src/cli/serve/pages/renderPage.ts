import type { Bundle, PageEntry } from './Bundle.ts'

export type Page = {
  readonly entry: PageEntry
  readonly title: string
  /** What the program is told when it begins. */
  readonly setup: unknown
}

/** Where the files of the bundle are. */
export const ASSETS = '/assets'

/** The frame that a page's program fills. Its theme is known before anything is drawn. */
export const renderPage = ({ files, entries }: Bundle, { entry, title, setup }: Page): string => {
  const { script, style, parts } = entries[entry]!
  const icon = [...files.keys()].find((name) => name.startsWith('icon-'))
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="setup" content="${escapeHtml(JSON.stringify(setup))}">
<title>${escapeHtml(title)}</title>
${icon === undefined ? '' : `<link rel="icon" href="${ASSETS}/${icon}" type="image/svg+xml">`}
<script src="${ASSETS}/${entries['theme']!.script}"></script>
${style === undefined ? '' : `<link rel="stylesheet" href="${ASSETS}/${style}">`}
${parts.map((part) => `<link rel="modulepreload" href="${ASSETS}/${part}">`).join('\n')}
<script type="module" src="${ASSETS}/${script}"></script>
</head>
<body>
<div id="page"></div>
<noscript>This page is a program: it needs JavaScript, all of which comes from this server.</noscript>
</body>
</html>
`
}

const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
