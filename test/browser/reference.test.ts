import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { type TestContext, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { type Browser, chromium, type Page } from 'playwright-core'
import { type RunningNetwork, startNetwork } from '../../src/cli/dev/startNetwork.ts'
import { keepShot } from '../support/browser.ts'

const PROGRAM = process.env['CHAINCENTER_TEST_BROWSER'] ?? '/usr/bin/chromium'

const haveBrowser = (t: TestContext): boolean => {
  if (existsSync(PROGRAM)) return true
  t.skip(`NOT TESTED: there is no browser at ${PROGRAM}. CHAINCENTER_TEST_BROWSER may say where one is.`)
  return false
}

type Visit = { readonly page: Page; readonly faults: readonly string[] }

/** A page that notes what goes wrong in it, and whom it asks. */
const visit = async (
  browser: Browser,
  origin: string,
  options: Parameters<Browser['newContext']>[0] = {},
): Promise<Visit> => {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`))
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().includes('the server responded with a status of 4'))
      faults.push(`console: ${message.text()}`)
  })
  page.on('request', (request) => {
    if (!request.url().startsWith(`${origin}/`)) faults.push(`asked ${request.url()}`)
  })
  await page.goto(`${origin}/docs`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await unfold(page)
  return { page, faults }
}

/** The list of operations is folded on a phone. */
const unfold = async (page: Page): Promise<void> => {
  const list = page.getByRole('navigation', { name: 'Operations' })
  await list.waitFor()
  const fold = list.getByRole('button', { name: /Operations/, expanded: false })
  const link = list.getByRole('link', { name: 'getMasterchainInfo', exact: true }).first()
  // A page that is still being put together folds it again.
  for (let k = 0; k < 20 && !(await link.isVisible()); k++) {
    if (await fold.isVisible()) await fold.click()
    await page.waitForTimeout(250)
  }
  await link.waitFor()
}

const openOperation = async (page: Page, name: string): Promise<void> => {
  await page.getByRole('navigation', { name: 'Operations' }).getByRole('link', { name, exact: true }).first().click()
  await page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
}

test('the reference lists, explains and tries every operation', { timeout: 240_000 }, async (t) => {
  if (!haveBrowser(t)) return
  const network = await startNetwork({ mining: { mode: 'instant' }, http: {} })
  t.after(() => network.close())
  await network.controls.mine(2)
  const origin = network.url!
  const browser = await chromium.launch({ executablePath: PROGRAM, args: ['--no-sandbox'] })
  t.after(() => browser.close())
  await t.test('it is light, and nothing comes from elsewhere', () => weigh(origin))
  await t.test('a search, a form, an answer', () => tryOperations(browser, network))
  await t.test('examples of this network, in both dialects', () => readExamples(browser, origin))
  await t.test('with the keyboard alone', () => useKeyboard(browser, origin))
  await t.test('in the dark, and on a phone', () => lookAround(browser, origin))
})

const weigh = async (origin: string): Promise<void> => {
  const html = await (await fetch(`${origin}/docs`)).text()
  const names = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => path!)
  assert.ok(names.length >= 3, html)
  const bodies = await Promise.all(names.map(async (path) => (await fetch(`${origin}${path}`)).arrayBuffer()))
  // What the first ones load besides.
  const parts = bodies.flatMap((body) =>
    [
      ...Buffer.from(body)
        .toString('utf8')
        .matchAll(/"\.\/(part-[\w]+\.js)"/g),
    ].map(([, name]) => `/assets/${name}`),
  )
  for (const path of new Set(parts)) bodies.push(await (await fetch(`${origin}${path}`)).arrayBuffer())
  const total = [Buffer.from(html), ...bodies.map((body) => Buffer.from(body))].reduce(
    (sum, body) => sum + gzipSync(body).length,
    0,
  )
  assert.ok(total < 60_000, `it has ${total} bytes`)
  const described = await fetch(`${origin}/docs/v2.json`)
  assert.equal(described.headers.get('content-type'), 'application/json; charset=utf-8')
  assert.equal(((await described.json()) as { readonly openapi: string }).openapi, '3.1.0')
}

const tryOperations = async (browser: Browser, { url, accounts }: RunningNetwork): Promise<void> => {
  const { page, faults } = await visit(browser, url!)
  await page.getByLabel('Search operations').fill('balance address')
  const links = page.getByRole('navigation', { name: 'Operations' }).locator('li a')
  assert.equal(await links.first().textContent(), 'getAddressBalance')
  await openOperation(page, 'getAddressBalance')
  await keepShot(page, 'reference')

  const address = accounts[0]!.address
  await page.locator('#parameter-address').fill(address)
  await page.getByRole('button', { name: 'Send the request' }).click()
  const outcome = page.getByRole('region', { name: 'Answer' })
  await outcome.locator('[data-status="200"]').waitFor()
  assert.match((await outcome.locator('pre.ref-answer').textContent())!, /^\{\n {2}"ok": true,\n {2}"result": "\d+"/)
  assert.ok(
    (await page.locator('[data-snippet=curl]').textContent())!.startsWith(
      `curl '${url}/api/v2/getAddressBalance?address=${address}'`,
    ),
  )
  for (const [title, language, start] of [
    ['Python', 'python', 'import json\n'],
    ['Go', 'go', 'package main\n'],
  ] as const) {
    await page.getByRole('tab', { name: title }).click()
    const program = (await page.locator(`[data-snippet=${language}]`).textContent())!
    assert.ok(
      program.startsWith(start) && program.includes(`${url}/api/v2/getAddressBalance?address=${address}`),
      program,
    )
  }
  assert.ok((await page.locator('.ref-snippet .code-text').count()) > 0, 'snippets have colours')
  await page.getByLabel('API key').fill('my key')
  await page.getByRole('tab', { name: 'TypeScript' }).click()
  const code = (await page.locator('[data-snippet=typescript]').textContent())!
  assert.ok(code.includes(`await client.v2.getAddressBalance({\n  address: '${address}',\n})`), code)
  assert.ok(code.includes('apiKey: process.env.API_KEY') && !code.includes('my key'), code)

  await page.locator('#parameter-address').fill('nobody')
  await page.getByRole('button', { name: 'Send the request' }).click()
  await outcome.locator('[data-status="422"]').waitFor()

  await page.getByLabel('Search operations').fill('faucet')
  await openOperation(page, 'faucet')
  await page.locator('#parameter-address').fill(`0:${'5'.repeat(64)}`)
  await page.getByRole('button', { name: 'Send the request' }).click()
  await outcome.locator('[data-status="200"]').waitFor()

  await page.getByLabel('Search operations').fill('getTransactions')
  await openOperation(page, 'getTransactions')
  // Members are opened one level at a time.
  const answers = page.locator('.ref-answers').first()
  await answers.locator('.ref-fold', { hasText: /^result / }).click()
  await answers.locator('.ref-fold', { hasText: /^in_msg / }).click()
  assert.ok(await answers.getByText('destination', { exact: true }).first().isVisible())
  assert.deepEqual(faults, [])
  await page.context().close()
}

const readExamples = async (browser: Browser, origin: string): Promise<void> => {
  const { page, faults } = await visit(browser, origin)
  await openOperation(page, 'getTransactions')
  const example = page.getByRole('region', { name: 'Example' })
  await example.getByText('"ext.transaction"').first().waitFor()
  const elector = `-1%3A${'3'.repeat(64)}`
  const curl = (await page.locator('[data-snippet=curl]').textContent())!
  assert.ok(curl.startsWith(`curl '${origin}/api/v2/getTransactions?address=${elector}&limit=2'`), curl)
  await page.getByRole('navigation', { name: 'Dialect' }).getByRole('link', { name: 'TON names' }).click()
  await page.getByRole('heading', { level: 1, name: 'getTransactions' }).waitFor()
  assert.equal(new URL(page.url()).pathname, '/ton/docs')
  await page.locator('[data-snippet=curl]', { hasText: '/ton/api/v2/getTransactions?address=' }).waitFor()
  await example.getByText('"ext.transaction"').first().waitFor()
  await page.getByRole('tab', { name: 'TypeScript' }).click()
  await page.locator('[data-snippet=typescript]', { hasText: "dialect: 'ton'" }).waitFor()
  await keepShot(page, 'reference-ton-example')
  assert.deepEqual(faults, [])
  await page.context().close()
}

const useKeyboard = async (browser: Browser, origin: string): Promise<void> => {
  const { page, faults } = await visit(browser, origin)
  await page.keyboard.press('/')
  await page.keyboard.type('masterchaininfo')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'getMasterchainInfo' }).waitFor()
  assert.equal(new URL(page.url()).hash, '#v2/getMasterchainInfo')
  for (let k = 0; k < 10; k++) {
    await page.keyboard.press('Tab')
    if ((await page.evaluate('document.activeElement?.textContent')) === 'Send the request') break
  }
  await page.keyboard.press('Enter')
  await page.locator('[data-status="200"]').waitFor()
  await page.goBack()
  await page.getByRole('heading', { level: 1, name: 'Live chain data (v2)' }).waitFor()
  assert.deepEqual(faults, [])
  await page.context().close()
}

const lookAround = async (browser: Browser, origin: string): Promise<void> => {
  const { page, faults } = await visit(browser, origin, { colorScheme: 'dark', viewport: { width: 375, height: 740 } })
  const brightness = (): Promise<number> =>
    page.evaluate(
      'getComputedStyle(document.body).backgroundColor.match(/\\d+/g).slice(0, 3).reduce((a, b) => a + Number(b), 0)',
    )
  assert.ok((await brightness()) < 200)
  await openOperation(page, 'getTransactions')
  await keepShot(page, 'phone-reference-dark')
  const widths: number[] = await page.evaluate('[document.documentElement.scrollWidth, innerWidth]')
  assert.ok(widths[0]! <= widths[1]!, `it is ${widths[0]} wide`)
  await page.locator('[data-theme-switch]').click()
  assert.ok((await brightness()) > 600, 'light was chosen')
  assert.deepEqual(faults, [])
  await page.context().close()
}
