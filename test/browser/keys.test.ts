import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startNetwork } from '../../src/cli/dev/startNetwork.ts'
import { haveBrowser, keepShot, openBrowser, openPage } from '../support/browser.ts'
import { freshDatabase, haveDatabase } from '../support/database.ts'
import { ServeProcess } from '../support/serveProcess.ts'
import { tempFolder } from '../support/tempFolder.ts'

test('a visitor makes a key, uses it, and the operator sees what for', { timeout: 180_000 }, async (t) => {
  if (!haveBrowser(t) || !haveDatabase(t)) return
  const network = await startNetwork({ mining: { mode: 'manual' } })
  t.after(() => network.close())
  const settings = ['--global-config', network.globalConfig.path, '--database-url', await freshDatabase(t)]
  const service = new ServeProcess(['start', ...settings, '--port', '0', '--self-service'], tempFolder(t))
  t.after(() => service.kill())
  const url = await service.url
  const browser = await openBrowser()
  t.after(() => browser.close())
  const { page, faults } = await openPage(browser, url)

  await page.goto('/keys')
  await page.getByRole('button', { name: 'Create a key' }).click()
  const key = (await page.locator('#key').textContent())!
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
})
