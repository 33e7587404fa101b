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

test('the page to send shows what a message will do before it is sent', { timeout: 120_000 }, async (t) => {
  if (!haveBrowser(t)) return
  const network = await startNetwork({ http: {}, mining: { mode: 'manual' } })
  t.after(() => network.close())
  await network.controls.mine(2)
  const browser = await openBrowser()
  t.after(() => browser.close())
  const { page, faults } = await openPage(browser, network.url!)
  const [alice, bob] = network.accounts
  await page.goto('/send')
  await page.locator('input[name=source]').fill(alice!.address)
  await page.locator('input[name=destination]').fill(bob!.address)
  await page.locator('input[name=comment]').fill('hello from the page')
  await page.getByRole('button', { name: 'Preview' }).click()
  const preview = page.getByRole('region', { name: 'What it will do' })
  await preview.locator('.action').first().waitFor()
  await preview.getByText('succeeds').waitFor()
  await preview.locator('.preview-changes tr').first().waitFor()
  await preview.locator('.facts', { hasText: 'Fees' }).waitFor()
  await keepShot(page, 'send-preview')
  // To an address without code it bounces.
  await page.locator('input[name=destination]').fill(`0:${'5b'.repeat(32)}`)
  await page.getByRole('button', { name: 'Preview' }).click()
  await preview.getByText('fails', { exact: true }).waitFor()
  await preview.locator('.facts', { hasText: 'Bounced' }).waitFor()
  await keepShot(page, 'send-preview-fails')
  assert.equal(network.controls.getStatus().waitingMessages, 0)
  assert.deepEqual(faults, [])
})
