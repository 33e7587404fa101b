import assert from 'node:assert/strict'
import { existsSync, mkdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { after, type TestContext } from 'node:test'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { repository } from './childScript.ts'

const names = ['chromium', 'chromium-browser', 'google-chrome']

/** Where there is a browser to test with: as CHROMIUM says, or on the path. */
const findChromium = (): string | undefined => {
  const named = process.env['CHROMIUM']
  if (named !== undefined) return named
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find((path) => existsSync(path))
}

/** Whether there is a browser. Without one a test is skipped, and says so. */
export const haveBrowser = (t: TestContext): boolean => {
  if (findChromium() !== undefined) return true
  t.skip('NOT TESTED: there is no Chromium on the path. CHROMIUM may say where it is.')
  return false
}

/** Chromium refuses to be started by root with its sandbox. */
export const openBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: findChromium()!,
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  })

/** A page, and all that it should not have done. */
export type WatchedPage = {
  readonly page: Page
  /** Errors on the console, errors that nobody caught, and requests to other hosts. */
  readonly faults: string[]
  /** Bytes that came over the line for the page itself: everything but the answers of the interfaces. */
  readonly weights: Map<string, number>
}

export const openPage = async (
  browser: Browser,
  baseURL: string,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> => {
  // What moves is drawn many times a second, and there is nobody to see it.
  const still = { viewport: { width: 1280, height: 860 }, reducedMotion: 'reduce' } as const
  const context = await browser.newContext({ baseURL, ...still, ...options })
  const page = await context.newPage()
  page.setDefaultTimeout(60_000)
  const faults: string[] = []
  const weights = new Map<string, number>()
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(`console: ${message.text()}`)
  })
  page.on('pageerror', (error) => faults.push(`uncaught: ${error.message}`))
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== baseURL) faults.push(`request to ${request.url()}`)
  })
  page.on('requestfinished', async (request) => {
    const { pathname } = new URL(request.url())
    if (/^\/(api|dev)\//.test(pathname)) return
    // A page that is closed meanwhile has no answer any more.
    const sizes = await request.sizes().catch(() => undefined)
    if (sizes !== undefined) weights.set(pathname, Math.max(0, sizes.responseBodySize))
  })
  return { page, faults, weights }
}

type Stage = {
  readonly browser: Browser
  readonly network: { readonly url: string | undefined; close(): Promise<void> }
  /** What the network needs, and is closed after it. */
  readonly database?: { close(): Promise<void> }
}

type RunPage<S> = (
  run: (watched: WatchedPage & S) => Promise<void>,
  options?: BrowserContextOptions,
) => (t: TestContext) => Promise<void>

/**
 * Bodies of tests with a page each, on one stage, which the first of them opens. Each holds that nothing went wrong on its page. The
 * files call `test` themselves: a test counts for the file that calls it.
 */
export const setStage = <S extends Stage>(
  open: () => Promise<S>,
  isPossible: (t: TestContext) => boolean = haveBrowser,
): RunPage<S> => {
  let stage: Promise<S> | undefined
  after(async () => {
    const opened = await stage
    await opened?.browser.close()
    await opened?.network.close()
    await opened?.database?.close()
  })
  return (run, options = {}) =>
    async (t) => {
      if (!isPossible(t)) return
      stage ??= open()
      const opened = await stage
      const watched = await openPage(opened.browser, opened.network.url!, options)
      try {
        await run({ ...watched, ...opened })
        assert.deepEqual(watched.faults, [])
      } finally {
        await watched.page.context().close()
      }
    }
}

/** Where pictures of pages are kept. To draw them is a good part of the browser's work, so they are made only if they are wanted. */
const shots = process.env['CHAINCENTER_TEST_SHOTS'] === '1' ? join(repository, 'test-output/browser') : undefined

/** Keeps what is seen, for people to look at, where `CHAINCENTER_TEST_SHOTS` is 1. */
export const keepShot = async (page: Page, name: string): Promise<void> => {
  if (shots === undefined) return
  mkdirSync(shots, { recursive: true })
  await page.screenshot({ path: join(shots, `${name}.png`) })
}

/** How many pixels a page is wider than the window. */
export const widthBeyond = (page: Page): Promise<number> =>
  page.evaluate('document.documentElement.scrollWidth - innerWidth')

/** Has axe-core in every document of a page. As a script of the page, the content security policy would refuse it. */
export const addAxe = async (page: Page): Promise<void> => {
  const { default: axe } = await import('axe-core')
  await page.addInitScript({ content: axe.source })
}

type Violation = {
  readonly id: string
  readonly impact: string
  readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary: string }[]
}

/** Serious and critical findings of axe-core on a page, a line each. */
export const findBarriers = async (page: Page, rules?: readonly string[]): Promise<string[]> => {
  const options = { resultTypes: ['violations'], ...(rules !== undefined && { runOnly: rules }) }
  const violations = await page.evaluate<readonly Violation[]>(
    `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations)`,
  )
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(
        ({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary.replaceAll(/\s+/g, ' ')}`,
      ),
    )
}
