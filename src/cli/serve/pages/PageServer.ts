import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, realpath } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { PlainAnswer, PlainRequest, PlainRoute } from '../../../api/core/PlainRoute.ts'
import { BUNDLE_INDEX, type Bundle, type PageEntry } from './Bundle.ts'

const folder = join(import.meta.dirname, '../../../explorer')
/** The program of the explorer, which a package does not have. */
const SOURCE = 'main.tsx'

/** Bundled from the sources in a clone, read from the package otherwise; `undefined` if there is neither. */
const loadBundle = async (): Promise<Bundle | undefined> => {
  try {
    if (!existsSync(join(folder, SOURCE))) return await readBundle()
    const { bundlePages } = await import('./bundlePages.ts')
    return await bundlePages(await realpath(folder))
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

const readBundle = async (): Promise<Bundle> => {
  const index = await readFile(join(folder, BUNDLE_INDEX), 'utf8')
  const { names, entries } = JSON.parse(index) as { names: string[]; entries: Bundle['entries'] }
  const files = names.map(async (name) => [name, new Uint8Array(await readFile(join(folder, name)))] as const)
  return { files: new Map(await Promise.all(files)), entries }
}

const isMissing = (error: unknown): boolean => {
  const { code } = error as { readonly code?: unknown }
  return code === 'ENOENT' || code === 'ERR_MODULE_NOT_FOUND'
}

type Page = {
  readonly entry: PageEntry
  readonly title: string
  /** Data for the page script. */
  readonly setup: object
}

/** Path of the bundle files. */
const ASSETS = '/assets'

/** The HTML frame of a page. */
const renderPage = (bundle: Bundle, { entry, title, setup }: Page, base: string): string => {
  const { script, parts } = bundle.entries[entry]!
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="setup" content="${escapeHtml(JSON.stringify({ ...setup, base }))}">
<title>${escapeHtml(title)}</title>
${renderStyle(bundle, entry, base)}
${parts.map((part) => `<link rel="modulepreload" href="${base}${ASSETS}/${part}">`).join('\n')}
<script type="module" src="${base}${ASSETS}/${script}"></script>
</head>
<body>
<div id="page"></div>
<noscript>This page is a program: it needs JavaScript, all of which comes from this server.</noscript>
</body>
</html>
`
}

const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)

/** A page without a program, in the frame of the others. `body` is HTML. Without a bundle it has no style. */
export const renderStaticPage = async (title: string, network: string, body: string, base: string): Promise<string> => {
  const bundle = (await loadPages())?.bundle
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
${bundle === undefined ? '' : renderStyle(bundle, 'explorer', base)}
</head>
<body>
<header class="header"><div class="header-row">
<a class="brand" href="${base}/" title="Home"><span class="brand-mark"></span><span class="brand-name">chaincenter</span><span class="network">${escapeHtml(network)}</span></a>
<nav class="nav is-plain" aria-label="Pages"><a href="${base}/">Explorer</a><a href="${base}/docs">API</a></nav>
</div></header>
<main id="main" class="main"><div class="narrow stack">
${body}
</div></main>
</body>
</html>
`
}

/** The icon, the theme, which is set before the first paint, and the style of an entry. */
const renderStyle = ({ files, entries }: Bundle, entry: PageEntry, base: string): string => {
  const icon = [...files.keys()].find((name) => name.startsWith('icon-'))
  const { style } = entries[entry]!
  return `${icon === undefined ? '' : `<link rel="icon" href="${base}${ASSETS}/${icon}" type="image/svg+xml">`}
<script src="${base}${ASSETS}/${entries['theme']!.script}"></script>
${style === undefined ? '' : `<link rel="stylesheet" href="${base}${ASSETS}/${style}">`}`
}

/** A response that is the same for every request. */
export interface StaticFile {
  answer(request: Pick<PlainRequest, 'headers'>): PlainAnswer
}

const types: { readonly [extension: string]: string } = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json; charset=utf-8',
}

/** Pages load nothing from other origins and cannot be framed. */
const pageHeaders = {
  'content-security-policy':
    "default-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
} as const

/** A file with a hash in its name is cached forever; any other is revalidated by its ETag. */
export const createStaticFile = (
  name: string,
  bytes: Uint8Array,
  { keep }: { readonly keep: 'forever' | 'checked' },
): StaticFile => {
  const packed = gzipSync(bytes, { level: 9 })
  const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`
  const headers = {
    ...pageHeaders,
    etag,
    'cache-control': keep === 'forever' ? 'public, max-age=31536000, immutable' : 'no-cache',
    vary: 'accept-encoding',
  }
  const typed = { ...headers, 'content-type': types[extname(name)] ?? 'application/octet-stream' }
  return {
    answer: ({ headers: asked }) => {
      if (asked['if-none-match']?.split(/,\s*/).some((tag) => tag.replace(/^W\//, '') === etag) === true) {
        return { status: 304, headers, body: '' }
      }
      if (!/\bgzip\b/.test(String(asked['accept-encoding'] ?? ''))) return { status: 200, headers: typed, body: bytes }
      return { status: 200, headers: { ...typed, 'content-encoding': 'gzip' }, body: packed }
    },
  }
}

/** Serves the pages and their assets. The bundle is built on the first request. */
export class PageServer {
  /** By the base of their links. */
  readonly #pages = new Map<Page, Map<string, StaticFile>>()

  /** Assets of the pages. */
  readonly assets: PlainRoute = {
    method: 'GET',
    path: `${ASSETS}/*`,
    answer: async (request) => {
      const file = (await this.#load())?.files.get(request.path.slice(ASSETS.length + 1))
      return file?.answer(request) ?? notFound
    },
  }

  /** A page, at each of its paths. */
  routes(page: Page, paths: readonly PlainRoute['path'][]): PlainRoute[] {
    const answer = (request: PlainRequest): Promise<PlainAnswer> => this.#answer(page, request)
    return paths.map((path) => ({ method: 'GET', path, answer }))
  }

  /** The page with status 404. */
  async answerNotFound(page: Page, request: PlainRequest): Promise<PlainAnswer> {
    const { 'if-none-match': _, ...headers } = request.headers
    const answer = await this.#answer(page, { ...request, headers })
    return answer.status === 200 ? { ...answer, status: 404 } : answer
  }

  async #answer(page: Page, request: PlainRequest): Promise<PlainAnswer> {
    const loaded = await this.#load()
    if (loaded === undefined) return notBuilt
    const { base } = request
    const files = this.#pages.get(page) ?? new Map<string, StaticFile>()
    const known = files.get(base)
    if (known !== undefined) return known.answer(request)
    const bytes = new TextEncoder().encode(renderPage(loaded.bundle, page, base))
    const file = createStaticFile('index.html', bytes, { keep: 'checked' })
    this.#pages.set(page, files.set(base, file))
    return file.answer(request)
  }

  #load(): Promise<LoadedPages | undefined> {
    return loadPages()
  }
}

type LoadedPages = { readonly bundle: Bundle; readonly files: ReadonlyMap<string, StaticFile> }

let loading: Promise<LoadedPages | undefined> | undefined

/** Built or read once for a process. */
const loadPages = (): Promise<LoadedPages | undefined> => {
  loading ??= load()
  return loading
}

const load = async (): Promise<LoadedPages | undefined> => {
  const bundle = await loadBundle()
  if (bundle === undefined) return undefined
  const files = [...bundle.files].map(
    ([name, bytes]) => [name, createStaticFile(name, bytes, { keep: 'forever' })] as const,
  )
  return { bundle, files: new Map(files) }
}

const plain = { ...pageHeaders, 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' }

const notFound: PlainAnswer = { status: 404, headers: plain, body: 'There is no such file.\n' }

const notBuilt: PlainAnswer = {
  status: 503,
  headers: plain,
  body: 'The pages are not part of this installation: run "npm ci", or "npm run build" first. The interfaces below /api are there.\n',
}
