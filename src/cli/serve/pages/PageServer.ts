import type { PlainAnswer, PlainRequest, PlainRoute } from '../../../api/core/PlainRoute.ts'
import type { Bundle } from './Bundle.ts'
import { loadBundle } from './loadBundle.ts'
import { ASSETS, type Page, renderPage } from './renderPage.ts'
import { createStaticFile, pageHeaders, type StaticFile } from './StaticFile.ts'

/** Serves the pages and what they load. Nothing is bundled before somebody asks for a page. */
export class PageServer {
  #loading: Promise<LoadedPages | undefined> | undefined
  readonly #pages = new Map<Page, StaticFile>()

  /** The files that the pages load. */
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

  async #answer(page: Page, request: PlainRequest): Promise<PlainAnswer> {
    const loaded = await this.#load()
    if (loaded === undefined) return notBuilt
    const known = this.#pages.get(page)
    if (known !== undefined) return known.answer(request)
    const bytes = new TextEncoder().encode(renderPage(loaded.bundle, page))
    const file = createStaticFile('index.html', bytes, { keep: 'checked' })
    this.#pages.set(page, file)
    return file.answer(request)
  }

  #load(): Promise<LoadedPages | undefined> {
    this.#loading ??= load()
    return this.#loading
  }
}

type LoadedPages = { readonly bundle: Bundle; readonly files: ReadonlyMap<string, StaticFile> }

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
