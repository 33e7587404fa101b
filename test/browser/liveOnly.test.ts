import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startNetwork } from '../../src/cli/dev/startNetwork.ts'
import { haveBrowser, keepShot, openBrowser, openPage } from '../support/browser.ts'

test('without an index the pages say so, and show what is live', { timeout: 120_000 }, async (t) => {
  if (!haveBrowser(t)) return
  const network = await startNetwork({ http: {}, mining: { mode: 'interval', intervalMs: 300, emptyBlocks: true } })
  t.after(() => network.close())
  const browser = await openBrowser()
  t.after(() => browser.close())
  const { page, faults } = await openPage(browser, network.url!)
  await page.goto('/')
  await page.locator('.note', { hasText: 'has no index' }).waitFor()
  await page.locator('.facts', { hasText: 'Newest block' }).waitFor()
  await keepShot(page, 'live-only')
  const { address } = network.accounts[0]!
  await page.keyboard.press('/')
  await page.keyboard.type(address)
  await page.locator('.result').first().waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL('**/account/*')
  await page.locator('.account-balance', { hasText: /\d/ }).waitFor()
  await page.goto('/block/-1/8000000000000000/2')
  await page.locator('.list li').first().locator('a').nth(1).click()
  await page.locator('.facts', { hasText: 'need an index' }).waitFor()
  await page.goto(`/trace/${'ab'.repeat(32)}`)
  await page.locator('.empty', { hasText: 'needs a server with an index' }).waitFor()
  assert.deepEqual(faults, [])
})
