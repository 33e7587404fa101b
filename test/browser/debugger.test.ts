import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Address, beginCell, type Cell, internal, storeMessageRelaxed, toNano } from '@ton/core'
import type { Browser } from 'playwright-core'
import { type RunningNetwork, startNetwork } from '../../src/cli/dev/startNetwork.ts'
import { fromBase64 } from '../../src/primitives/base64.ts'
import { toHex } from '../../src/primitives/hex.ts'
import { keepShot, openBrowser, setStage, widthBeyond } from '../support/browser.ts'
import { Counter } from '../testing/counter/Counter.ts'

type Stage = {
  readonly network: RunningNetwork
  readonly browser: Browser
  /** Pages of transactions. */
  readonly paths: {
    readonly counted: string
    readonly failed: string
    readonly long: string
    readonly spent: string
    readonly plain: string
  }
}

const LOOPS = 2000

const codeOf = (hex: string): Cell =>
  beginCell()
    .storeBuffer(Buffer.from(hex.replaceAll(' ', ''), 'hex'))
    .endCell()

/** PUSHINT 2000, PUSHCONT { PUSHCONT { NOP }, EXECUTE }, REPEAT, then THROW 42. */
const longCode = codeOf(`81${LOOPS.toString(16).padStart(4, '0')} 93 9100 d8 e4 f22a`)

/** PUSHREF, PUSHINT 0, SENDRAWMSG of a message with more coins than the account has. */
const spendingCode = beginCell()
  .storeUint(0x8870fb00, 32)
  .storeRef(
    beginCell()
      .store(storeMessageRelaxed(internal({ to: new Address(0, Buffer.alloc(32, 1)), value: toNano(1000) })))
      .endCell(),
  )
  .endCell()

/** Path of the newest transaction of an account. */
const newestOf = async ({ client }: RunningNetwork, address: Address): Promise<string> => {
  const [found] = await client.v2.getTransactions({ address: address.toRawString(), limit: 1 })
  const { lt, hash } = found!.transaction_id
  return `/tx/${toHex(fromBase64(hash))}?account=${address.toRawString()}&lt=${lt}`
}

/** One network without an index, and one browser, for all tests here. */
const openStage = async (): Promise<Stage> => {
  const [network, browser] = await Promise.all([
    startNetwork({ mining: { mode: 'manual' }, startTime: 1_700_000_000, http: {} }),
    openBrowser(),
  ])
  const [alice, stranger, busy] = [await network.wallet('alice'), address(0x11), address(0x22)]
  const counter = network.open(Counter.createFromConfig({ id: 1, counter: 0, owner: alice.address }))
  await counter.sendDeploy(alice.getSender(), toNano(1))
  await counter.sendIncrease(alice.getSender(), { increaseBy: 3, value: toNano('0.1') })
  const counted = await newestOf(network, counter.address)
  await counter.sendReset(network.sender(stranger), toNano('0.1'))
  const failed = await newestOf(network, counter.address)
  await network.setBalance(busy, toNano(10))
  await network.setCode(busy, longCode)
  await network.sender(alice.address).send({ to: busy, value: toNano(5), bounce: true })
  const long = await newestOf(network, busy)
  const poor = address(0x44)
  await network.setBalance(poor, toNano(1))
  await network.setCode(poor, spendingCode)
  await network.sender(alice.address).send({ to: poor, value: toNano(1), bounce: true })
  const spent = await newestOf(network, poor)
  await alice.send({ to: address(0x33), value: toNano(1), bounce: false })
  const plain = await newestOf(network, address(0x33))
  return { network, browser, paths: { counted, failed, long, spent, plain } }
}

const address = (byte: number): Address => new Address(0, Buffer.alloc(32, byte))

const onPage = setStage(openStage)
const testPage = (name: string, ...page: Parameters<typeof onPage>): void =>
  void test(name, { timeout: 180_000 }, onPage(...page))

testPage(
  'steps forward, back, over and to the end by keyboard; the address names the step',
  async ({ page, paths }) => {
    await page.goto(paths.counted)
    await page.getByRole('tab', { name: 'Debugger' }).click()
    await page.locator('.verdict .badge', { hasText: /^exact$/ }).waitFor()
    const current = page.locator('.vm-step[aria-selected=true]')
    const stepOf = async (): Promise<number> => Number((await current.getAttribute('id'))!.slice('step-'.length))
    assert.equal(await stepOf(), 0)
    await keepShot(page, 'debugger-start')
    // The entry of an internal message: balance, value, message, body and the number of the method.
    assert.equal(await page.locator('.vm-machine > .vm-values').first().locator('> .vm-value').count(), 5)
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    assert.equal(await stepOf(), 2)
    await page.waitForURL(/#step=2$/)
    await page.keyboard.press('k')
    assert.equal(await stepOf(), 1)
    const depthOf = () => page.locator('.vm-machine .facts > div', { hasText: 'Call depth' }).locator('dd').innerText()
    const depth = Number(await depthOf())
    await page.keyboard.press('o')
    assert.ok(Number(await depthOf()) <= depth)
    await page.keyboard.press('e')
    await page.locator('.vm-machine', { hasText: 'At the end' }).waitFor()
    await keepShot(page, 'debugger-end')
    await page.keyboard.press('a')
    assert.equal(await stepOf(), 0)
    await page.getByRole('listbox', { name: 'Instructions' }).focus()
    await page.keyboard.press('ArrowDown')
    assert.equal(await stepOf(), 1)

    // The action leads to the step that queued it.
    const link = page.locator('.out-actions button').first()
    const queued = Number((await link.innerText()).replaceAll(/\D/g, ''))
    await link.click()
    assert.equal(await stepOf(), queued)
    await current.locator('.vm-mark.is-action').waitFor()
    await page.locator('.storage .cell-line.is-changed').first().waitFor()
    // A value opens to show all of it.
    const slice = page.locator('.vm-machine .vm-value', { hasText: 'cell' }).first()
    await slice.locator('summary').click()
    await slice.locator('.cell-line').first().waitFor()
    await keepShot(page, 'debugger-value')
    await page.locator('.storage').first().scrollIntoViewIfNeeded()
    await keepShot(page, 'debugger-account')

    // A shared address opens at its step.
    await page.goto('about:blank')
    await page.goto(`${paths.counted}#step=7`)
    await current.waitFor()
    assert.equal(await stepOf(), 7)
  },
)

testPage('a failed transaction opens at the failing step, with the name of the exit code', async ({ page, paths }) => {
  await page.goto(`${paths.failed}#debugger`)
  const row = page.locator('.vm-step.is-failed[aria-selected=true]')
  await row.waitFor()
  assert.match(await row.innerText(), /THROW/)
  await page.locator('.debug-failure', { hasText: 'Exit code 401' }).waitFor()
  await page.locator('.vm-exception', { hasText: 'Throws 401' }).waitFor()
  await keepShot(page, 'debugger-failure')
  await page.keyboard.press('a')
  await page.locator('#step-0[aria-selected=true]').waitFor()
  await page.keyboard.press('x')
  await row.waitFor()
})

testPage('a failed action opens at the step that queued it', async ({ page, paths }) => {
  await page.goto(`${paths.spent}#debugger`)
  await page.locator('.vm-step.is-failed[aria-selected=true]', { hasText: 'SENDRAWMSG' }).waitFor()
  await page.locator('.debug-failure', { hasText: 'Result code 37: not_enough_coins' }).waitFor()
  await page.locator('.out-actions .badge', { hasText: 'failed: 37' }).waitFor()
})

testPage('a long run is paged, and draws what is in view only', async ({ page, paths }) => {
  await page.goto(`${paths.long}#debugger`)
  const row = page.locator('.vm-step.is-failed[aria-selected=true]')
  await row.waitFor()
  const at = Number((await row.getAttribute('id'))!.slice('step-'.length))
  assert.ok(at > 3 * LOOPS, `the run failed at step ${at}`)
  await page.locator('.vm-exception', { hasText: 'Throws 42' }).waitFor()
  assert.ok((await page.locator('.vm-step').count()) < 80)
  await page.keyboard.press('a')
  await page.locator('#step-0[aria-selected=true] .vm-op').waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  // The loop begins: over it goes to what stands after it.
  await page.locator('#step-2[aria-selected=true]', { hasText: 'REPEAT' }).waitFor()
  await page.keyboard.press('o')
  await row.waitFor()
  await page.goto('about:blank')
  await page.goto(`${paths.long}#step=4321`)
  await page.locator('#step-4321[aria-selected=true] .vm-op').waitFor()
  await page.locator('.vm-machine .vm-values').first().waitFor()
  await keepShot(page, 'debugger-long')
})

testPage('gas is a flame chart and tables', async ({ page, paths }) => {
  await page.goto(`${paths.counted}#debugger`)
  const bars = page.locator('.flame-bar')
  await bars.first().waitFor()
  assert.match((await bars.first().getAttribute('aria-label'))!, /recv_internal: [\d\u202f]+ gas, 100 %/)
  assert.equal(await page.locator('.gas-table tbody tr', { hasText: 'recv_internal' }).count(), 1)
  await page.getByRole('tab', { name: 'By instruction' }).click()
  await page.locator('.gas-table tbody tr').nth(3).waitFor()
  await page.locator('.gas-table tbody tr').nth(9).scrollIntoViewIfNeeded()
  await keepShot(page, 'debugger-gas')

  // Calls inside of calls; a click makes a bar the whole width.
  await page.goto('about:blank')
  await page.goto(`${paths.long}#debugger`)
  await bars.nth(2).waitFor()
  const count = await bars.count()
  assert.match((await bars.nth(1).getAttribute('style'))!, /left: 0%/)
  await bars.nth(1).click()
  assert.equal(await bars.count(), count - 1)
  await bars.first().scrollIntoViewIfNeeded()
  await keepShot(page, 'debugger-flame')
  await page.getByRole('button', { name: 'Whole run' }).click()
  assert.equal(await bars.count(), count)
})

testPage('an error says what to do, and an account without code has no steps', async ({ page, paths, faults }) => {
  await page.goto(`${paths.plain}#debugger`)
  await page.locator('.empty', { hasText: 'The contract did not run' }).waitFor()
  await page.route('**/api/debug/v1/transaction', (route) =>
    route.fulfill({ status: 404, json: { error: 'block 7 has no state', code: 'state_not_kept' } }),
  )
  await page.reload()
  await page.locator('.replay-advice', { hasText: 'archive liteserver' }).waitFor()
  await page.unroute('**/api/debug/v1/transaction')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.locator('.verdict').waitFor()
  // The browser itself complains about the answer that was made up here.
  assert.equal(faults.splice(0).length, 1)
})

testPage('a replay that is not exact says so before its steps', async ({ page, paths }) => {
  await page.route('**/api/debug/v1/transaction', async (route) => {
    const answer = await route.fetch()
    const replay = (await answer.json()) as { verdict: { replay: string; differences: unknown[] } }
    replay.verdict.replay = 'differs'
    replay.verdict.differences = [{ member: 'description.compute_phase.gas_used', chain: '1500', replay: '1518' }]
    await route.fulfill({ response: answer, json: replay })
  })
  await page.goto(`${paths.counted}#debugger`)
  await page.locator('.verdict .note', { hasText: 'not exact' }).waitFor()
  await page.locator('.debugger .card-head .badge', { hasText: 'differs' }).waitFor()
  assert.ok((await page.locator('.verdict').boundingBox())!.y < (await page.locator('.debugger').boundingBox())!.y)
  await keepShot(page, 'debugger-differs')
})

testPage(
  'a phone shows it below each other, in the dark as well',
  async ({ page, paths }) => {
    await page.goto(`${paths.counted}#step=5`)
    await page.locator('.vm-step[aria-selected=true]').waitFor()
    assert.equal(await widthBeyond(page), 0)
    await page.locator('.debugger').scrollIntoViewIfNeeded()
    await keepShot(page, 'debugger-phone')
  },
  { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, colorScheme: 'dark' },
)
