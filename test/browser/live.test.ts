import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { type RunningNetwork, startNetwork } from '../../src/cli/dev/startNetwork.ts'
import { createClient } from '../../src/client/createClient.ts'
import { haveBrowser, keepShot, openBrowser, setStage, type WatchedPage } from '../support/browser.ts'
import { haveDatabase } from '../support/database.ts'
import { openTestDatabase } from '../support/databaseServer.ts'
import { piecesIn, readPieces } from '../support/docPieces.ts'
import { untilIndexed } from '../support/untilIndexed.ts'
import { waitUntil } from '../support/waitUntil.ts'

type Stage = {
  readonly network: RunningNetwork
  readonly database: { close(): Promise<void> }
  readonly browser: Browser
}

/** Blocks are made by hand: nothing happens unless a test makes it happen. */
const openStage = async (): Promise<Stage> => {
  const database = await openTestDatabase()
  const [network, browser] = await Promise.all([
    startNetwork({ mining: { mode: 'manual' }, http: {}, index: { databaseUrl: database.url } }),
    openBrowser(),
  ])
  await network.indexed
  await network.controls.mine(3)
  await untilIndexed(`${network.url}/api/v3`, 3)
  return { network, database, browser }
}

/** Paths of the requests of a page to the interfaces. */
const watchRequests = (page: Page): string[] => {
  const paths: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/api/')) paths.push(pathname)
  })
  return paths
}

const onPage = setStage(openStage, (t) => haveBrowser(t) && haveDatabase(t))
const testPage = (name: string, run: (watched: WatchedPage & Stage & { paths: string[] }) => Promise<void>): void =>
  void test(
    name,
    { timeout: 180_000 },
    onPage((watched) => run({ ...watched, paths: watchRequests(watched.page) })),
  )

const faucet = async ({ url }: RunningNetwork, address: string, amount: string): Promise<void> => {
  await createClient({ url: url! }).dev.faucet({ address, amount })
}

const STREAM = '/api/streaming/v2/sse'

/** Waits until a page asks for nothing any more, and has one stream. */
const untilQuiet = async (page: Page, paths: string[]): Promise<void> => {
  await waitUntil('the page has a stream', () => paths.includes(STREAM))
  let before: number
  do {
    before = paths.length
    await page.waitForTimeout(2500)
  } while (paths.length > before)
  assert.equal(paths.filter((path) => path === STREAM).length, 1)
  paths.length = 0
}

testPage(
  'a page that nothing happens on asks for nothing; a new block appears on it',
  async ({ page, network, paths }) => {
    await page.goto('/')
    await page.locator('.strip-block:not(.is-empty)').first().waitFor()
    await untilQuiet(page, paths)
    const newest = page.locator('.strip-seqno').first()
    const seqno = Number((await newest.innerText()).replaceAll(/\D/g, ''))
    await network.controls.mine(1)
    await page.locator('.strip-seqno', { hasText: String(seqno + 1) }).waitFor()
    assert.deepEqual(paths, [])
    await page.goto('/blocks')
    await page.locator('.table tbody tr').first().waitFor()
    await untilQuiet(page, paths)
    const rows = await page.locator('.table tbody tr').count()
    await network.controls.mine(2)
    await waitUntil(
      'the new blocks are listed',
      async () => (await page.locator('.table tbody tr').count()) >= rows + 2,
    )
    assert.deepEqual(paths, [])
  },
)

testPage(
  'a transaction appears on the page of its account, pending first, without polling',
  async ({ page, network, paths }) => {
    const account = network.accounts[0]!.address
    await page.goto(`/account/${account}`)
    await page.locator('.account-balance .amount').waitFor()
    await untilQuiet(page, paths)
    const balance = await page.locator('.account-balance').innerText()
    await faucet(network, account, '7250000000')
    const row = page.locator('.action', { hasText: '7.25' })
    await row.first().waitFor()
    await keepShot(page, 'account-live-pending')
    assert.deepEqual(paths, [])
    await network.controls.mine(3)
    await waitUntil('the balance is new', async () => (await page.locator('.account-balance').innerText()) !== balance)
    await waitUntil('the action is final', async () => (await page.locator('.action.is-pending').count()) === 0)
    assert.equal(await row.count(), 1)
    await page.waitForTimeout(2500)
    // The state of the account, and names; no list.
    assert.ok(paths.length <= 6 && !paths.some((path) => /actions|transactions/i.test(path)), paths.join('\n'))

    await page.getByRole('tab', { name: 'Transactions' }).click()
    await page.locator('.table tbody tr').first().waitFor()
    await page.waitForTimeout(2500)
    paths.length = 0
    const rows = await page.locator('.table tbody tr').count()
    await faucet(network, account, '1000000000')
    await network.controls.mine(3)
    await waitUntil('the transaction is listed', async () => (await page.locator('.table tbody tr').count()) > rows)
    assert.ok(!paths.some((path) => /actions|transactions/i.test(path)), paths.join('\n'))
  },
)

testPage('a page without a stream polls', async ({ page, network, paths, faults }) => {
  await page.route(`**${STREAM}`, (route) => route.fulfill({ status: 404, json: { error: 'not here' } }))
  await page.goto('/')
  await page.locator('.strip-block:not(.is-empty)').first().waitFor()
  const seqno = Number((await page.locator('.strip-seqno').first().innerText()).replaceAll(/\D/g, ''))
  await network.controls.mine(1)
  await page.locator('.strip-seqno', { hasText: String(seqno + 1) }).waitFor()
  assert.ok(paths.filter((path) => path === '/api/v3/blocks').length > 1)
  // The browser itself tells of the refused stream.
  assert.match(faults.splice(0).join(), /^console: Failed to load resource: .*404/)
})

testPage('requests to the index say what the page has shown, unless no server has it', async ({ page, faults }) => {
  const seen: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/api/v3/')) seen.push(request.headers()['x-seen-seqno'] ?? 'none')
  })
  const rows = page.locator('.table tbody tr')
  await page.goto('/blocks')
  await rows.first().locator('a').first().click()
  await waitUntil('a further request', () => Number(seen.at(-1)) > 0)
  assert.deepEqual([seen[0], seen.includes('none')], ['0', false])
  // As if the network had begun anew.
  await page.route('**/api/v3/**', (route) =>
    route.request().headers()['x-seen-seqno'] === '0'
      ? route.fallback()
      : route.fulfill({ status: 503, json: { error: 'The index is at masterchain block 1.' } }),
  )
  await page.goBack()
  await rows.first().waitFor()
  await waitUntil('the request without it', () => seen.at(-1) === '0')
  assert.match(faults.splice(0).join(), /^console: Failed to load resource: .*503/)
})

testPage('EventSource works as docs/streaming.md shows it', async ({ page, network }) => {
  const [sample] = piecesIn(readPieces('docs/streaming.md'), 'js')
  const said: string[] = []
  page.on('console', (message) => said.push(message.text()))
  await page.goto('/send')
  await page.evaluate(sample!)
  await waitUntil('an event came', async () => {
    await network.controls.mine(1)
    return said.some((text) => /^masterchain_head f-\d+-\d+-hd-[0-9a-f]{16}$/.test(text))
  })
})
