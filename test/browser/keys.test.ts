import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { type RunningNetwork, startNetwork } from '../../src/cli/dev/startNetwork.ts'
import { addAxe, findBarriers, haveBrowser, keepShot, openBrowser, openPage, widthBeyond } from '../support/browser.ts'
import { freshDatabase, haveDatabase } from '../support/database.ts'
import { ServeProcess } from '../support/serveProcess.ts'
import { tempFolder } from '../support/tempFolder.ts'
import { waitUntil } from '../support/waitUntil.ts'
import { startReceiver } from '../support/webhooks.ts'

type Stage = { readonly network: RunningNetwork; readonly service: ServeProcess; readonly browser: Browser }

/** A public service with limits, an index, and webhooks to this machine that die at the second failure. */
const openStage = async (t: TestContext): Promise<Stage> => {
  const network = await startNetwork({ mining: { mode: 'manual' } })
  t.after(() => network.close())
  const allow = ['http', 'loopback', 'ports'].flatMap((what) => ['--webhook-allow', what])
  const settings = ['--global-config', network.globalConfig.path, '--database-url', await freshDatabase(t)]
  const service = new ServeProcess(
    ['start', ...settings, '--port', '0', '--self-service', '--webhook-retry', '100ms', ...allow],
    tempFolder(t),
  )
  t.after(() => service.kill())
  const browser = await openBrowser()
  t.after(() => browser.close())
  return { network, service, browser }
}

test('pages for the owners of keys', { timeout: 180_000 }, async (t) => {
  if (!haveBrowser(t) || !haveDatabase(t)) return
  const stage = await openStage(t)
  await t.test('a visitor makes a key, uses it, and the operator sees what for', () => makeKey(stage))
  await t.test('the owner of a key registers a webhook, and finds, redelivers and ends it', (part) =>
    useWebhooks(part, stage),
  )
})

const makeKey = async ({ service, browser }: Stage): Promise<void> => {
  const url = await service.url
  const { page, faults } = await openPage(browser, url, { viewport: { width: 360, height: 740 } })
  await addAxe(page)

  await page.goto('/keys')
  assert.deepEqual(await findBarriers(page), [])
  await keepShot(page, 'keys')
  await page.getByRole('button', { name: 'Create a key' }).click()
  const key = (await page.locator('#key').textContent())!
  assert.deepEqual([await findBarriers(page), await widthBeyond(page)], [[], 0])
  assert.match(key, /^cc_\w+_[0-9a-z]{10}_[0-9a-z]{32}$/)
  const ask = () => fetch(`${url}/api/v2/getMasterchainInfo`, { headers: { 'X-API-Key': key } })
  for (let k = 0; k < 3; k++) assert.equal((await ask()).status, 200)

  assert.deepEqual(faults, [])

  // What the operator sees is at a listener of its own.
  const { operations } = await service.ready
  const { page: ownPage, faults: ownFaults } = await openPage(browser, operations!)
  await ownPage.goto('/usage')
  const row = ownPage.getByRole('row', { name: /v2\/getMasterchainInfo/ })
  await row.waitFor()
  assert.deepEqual(await row.locator('.number').allTextContents(), ['3', '0', '0'])
  await keepShot(ownPage, 'usage')
  assert.ok(!(await ownPage.content()).includes(key), 'the page shows a whole key')
  assert.deepEqual(ownFaults, [])
}

const useWebhooks = async (t: TestContext, { network, service, browser }: Stage): Promise<void> => {
  const url = await service.url
  const hook = await startReceiver(t)
  const made = await fetch(`${url}/keys`, { method: 'POST', headers: { accept: 'application/json' } })
  const { key } = (await made.json()) as { key: string }
  const { page, faults } = await openPage(browser, url)
  const account = `0:${'6a'.repeat(32)}`

  await page.goto('/send')
  await page.getByRole('link', { name: 'Webhooks' }).click()
  await page.getByLabel('API key').fill('cc_wrong')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('alert').waitFor()
  await page.getByLabel('API key').fill(key)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('No endpoints. Register one below.').waitFor()
  assert.ok(!(await page.content()).includes(key), 'the page shows a whole key')
  // It is neither in the address nor anywhere that outlives the tab.
  assert.ok(!page.url().includes(key))
  assert.deepEqual(await page.evaluate('[Object.values(localStorage).join(), document.cookie]'), ['', ''])

  await page.getByLabel('URL').fill('http://127.0.0.1/')
  await page.getByLabel('Addresses').fill('nonsense')
  await page.getByRole('button', { name: 'Register' }).click()
  await page.getByRole('alert').filter({ hasText: '"nonsense" is not a valid address' }).waitFor()
  await page.getByLabel('URL').fill(`http://localhost:${hook.port}/hook`)
  await page.getByLabel('Addresses').fill(account)
  await page.getByLabel('Account states').check()
  await page.getByRole('button', { name: 'Register' }).click()
  const secret = (await page.locator('[data-secret]').textContent())!
  assert.match(secret, /^whsec_/)
  await page.getByRole('status').filter({ hasText: '200' }).waitFor()
  await keepShot(page, 'webhooks')
  await page.getByRole('button', { name: 'Done' }).click()
  assert.ok(!(await page.content()).includes(secret), 'a secret is shown once')

  // The receiver fails, the deliveries die, and are sent again when it is well.
  hook.answer = (_message, response) => response.writeHead(500).end()
  await page.getByRole('link', { name: `http://localhost:${hook.port}/hook` }).click()
  await page.waitForURL('**/webhooks/we_*')
  await page.getByText('No deliveries here.').waitFor()
  await network.controls.faucet(account, 5_000_000_000n)
  await network.controls.mine(3)
  await page.getByRole('tab', { name: 'Dead (2)' }).click()
  const dead = page.locator('tr[data-state=dead]').first()
  await dead.locator('summary', { hasText: '2' }).click()
  assert.deepEqual(await dead.locator('.attempts .badge').allTextContents(), ['500', '500'])
  await keepShot(page, 'webhook-dead')
  hook.answer = (_message, response) => response.writeHead(204).end()
  await page.getByRole('button', { name: 'Redeliver all dead' }).click()
  await page.getByRole('tab', { name: 'Delivered' }).click()
  const delivered = page.locator('tr[data-state=delivered]').first()
  await delivered.waitFor()
  const count = hook.received.length
  await delivered.getByRole('button', { name: 'Redeliver' }).click()
  await waitUntil('it is delivered again', () => hook.received.length > count)
  const { headers, text } = hook.received.at(-1)!
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${text}`
  const bytes = Buffer.from(secret.slice('whsec_'.length), 'base64')
  assert.equal(headers['webhook-signature'], `v1,${createHmac('sha256', bytes).update(signed).digest('base64')}`)

  await page.setViewportSize({ width: 360, height: 740 })
  await delivered.locator('summary').click()
  assert.equal(await widthBeyond(page), 0, 'the endpoint is wider than a phone')
  await keepShot(page, 'phone-webhook')
  await page.getByRole('button', { name: 'Rotate' }).click()
  await page.getByRole('button', { name: 'Yes, rotate' }).click()
  assert.notEqual(await page.locator('[data-secret]').textContent(), secret)
  await page.getByRole('button', { name: 'Send a test' }).click()
  await page.getByRole('status').filter({ hasText: '204' }).waitFor()
  await page.getByRole('button', { name: 'Disable' }).click()
  await page.getByText('disabled by you').waitFor()
  await page.getByRole('button', { name: 'Enable' }).click()
  await page.locator('h1 .badge', { hasText: 'active' }).waitFor()
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Yes, delete' }).click()
  await page.getByText('No endpoints. Register one below.').waitFor()
  assert.equal(await widthBeyond(page), 0, 'the list is wider than a phone')
  await page.getByRole('button', { name: 'Forget the key' }).click()
  await page.getByLabel('API key').waitFor()
  assert.deepEqual(await page.evaluate('Object.values(sessionStorage)'), [])
  assert.deepEqual(
    // Without a key, and with the wrong one.
    faults.filter((fault) => !/status of (401|429)/.test(fault)),
    [],
  )
}
