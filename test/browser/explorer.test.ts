import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { Address, beginCell, toNano } from '@ton/core'
import type { Browser } from 'playwright-core'
import { type RunningNetwork, startNetwork } from '../../src/cli/dev/startNetwork.ts'
import { formatFriendlyAddress, formatRawAddress, parseAddress } from '../../src/primitives/Address.ts'
import { toHex } from '../../src/primitives/hex.ts'
import { addAxe, findBarriers, haveBrowser, keepShot, openBrowser, setStage, widthBeyond } from '../support/browser.ts'
import { haveDatabase } from '../support/database.ts'
import { openTestDatabase } from '../support/databaseServer.ts'
import { type ExplorerSample, firstAddress, hexOf, listExplorerRoutes } from '../support/explorerRoutes.ts'
import { type TokenSample, untilTokens, visitNetworkPages, visitTokenPages } from '../support/tokenPages.ts'
import { untilIndexed } from '../support/untilIndexed.ts'

const MAX_WEIGHT = 80_000
const LIVE = { mode: 'interval', intervalMs: 300, emptyBlocks: true } as const
const STILL = { mode: 'manual' } as const

type Stage = {
  readonly network: RunningNetwork
  readonly database: { close(): Promise<void> }
  readonly browser: Browser
  readonly sample: ExplorerSample
  readonly tokens: TokenSample
}

/** One network and one browser for all tests here. Once it has all that pages show, the network stands still. */
const openStage = async (): Promise<Stage> => {
  const database = await openTestDatabase()
  const [network, browser] = await Promise.all([
    startNetwork({ demo: true, mining: LIVE, http: {}, index: { databaseUrl: database.url } }),
    openBrowser(),
  ])
  await network.indexed
  const base = `${network.url}/api/v3`
  const [sample, tokens] = await Promise.all([
    untilSample(base),
    untilTokens(base),
    untilComment(base),
    ...['nft_transfer', 'jetton_transfer', 'change_dns'].map((type) => untilAction(base, type)),
  ])
  await network.controls.setMining(STILL)
  return { network, database, browser, sample, tokens }
}

type SampleTrace = {
  readonly trace_id: string
  readonly external_hash: string
  readonly transactions: Readonly<Record<string, { readonly account: string }>>
  readonly actions: readonly { readonly type: string; readonly details: { readonly sender?: string } }[]
}

/** Whether an account is a wallet with a seqno. */
const isWallet = async (base: string, account: string): Promise<boolean> => {
  const response = await fetch(`${base}/accountStates?address=${account}`)
  const { accounts } = (await response.json()) as { accounts: { interfaces?: string[] }[] }
  return accounts[0]?.interfaces?.some((name) => name.startsWith('wallet_v')) ?? false
}

/** Waits until the demonstration has sent jettons from such a wallet. */
const untilSample = async (base: string): Promise<ExplorerSample> => {
  for (let seqno = 2; ; seqno += 2) {
    await untilIndexed(base, seqno)
    const { traces } = (await (await fetch(`${base}/traces?limit=50&include_actions=true`)).json()) as {
      traces: SampleTrace[]
    }
    for (const { trace_id: trace, external_hash: message, transactions, actions } of traces) {
      const account = transactions[trace]?.account
      if (!actions.some(({ type, details }) => type === 'jetton_transfer' && details.sender === account)) continue
      if (account !== undefined && Object.keys(transactions).length >= 4 && (await isWallet(base, account)))
        return { transaction: trace, message, trace, account }
    }
  }
}

/** A comment of one of the newest actions. */
const untilComment = async (base: string): Promise<string> => {
  for (;;) {
    const { actions } = (await (await fetch(`${base}/actions?limit=100`)).json()) as {
      actions?: { details: { comment?: string | null; encrypted?: boolean } }[]
    }
    const found = actions?.find(({ details }) => details.comment && details.encrypted !== true)
    if (found !== undefined) return found.details.comment!.toUpperCase()
    await new Promise((resolve) => setTimeout(resolve, 300))
  }
}

/** The newest action of a type, as soon as the demonstration has shown one. */
const untilAction = async (base: string, type: string): Promise<{ readonly trace_id: string }> => {
  for (let seqno = 2; ; seqno += 2) {
    await untilIndexed(base, seqno)
    const { actions } = (await (await fetch(`${base}/actions?action_type=${type}&limit=1`)).json()) as {
      actions: { trace_id: string }[]
    }
    if (actions[0] !== undefined) return actions[0]
  }
}

const readNumber = (text: string): number => Number(text.replaceAll(/\D/g, ''))

const onPage = setStage(openStage, (t) => haveBrowser(t) && haveDatabase(t))
const testPage = (name: string, ...page: Parameters<typeof onPage>): void =>
  void test(name, { timeout: 240_000 }, onPage(...page))

/** While the network makes blocks. */
const testLivePage = (name: string, run: Parameters<typeof onPage>[0]): void =>
  testPage(name, async (stage) => {
    await stage.network.controls.setMining(LIVE)
    try {
      await run(stage)
    } finally {
      await stage.network.controls.setMining(STILL)
    }
  })

testLivePage('a first visit shows a living network, and weighs little', async ({ page, weights }) => {
  await page.goto('/')
  await page.locator('.strip-block:not(.is-empty)').nth(3).waitFor()
  await page.locator('.action').nth(3).waitFor()
  const newest = page.locator('.strip-seqno').first()
  const first = readNumber(await newest.innerText())
  while (readNumber(await newest.innerText()) <= first + 1) await page.waitForTimeout(100)
  assert.match(await page.locator('.figure').nth(1).innerText(), /Transactions per second\n+\d/)
  await keepShot(page, 'home')
  const weight = [...weights.values()].reduce((sum, bytes) => sum + bytes, 0)
  assert.ok(weights.size >= 4 && weight > 10_000 && weight < MAX_WEIGHT, `the page weighs ${weight} bytes`)
  console.log(
    `The page weighs ${(weight / 1024).toFixed(1)} KiB: ${[...weights].map((each) => each.join(' ')).join(', ')}`,
  )
})

testPage('everything is found by search', async ({ page, network, sample }) => {
  await page.goto('/')
  const account = parseAddress(sample.account)
  const friendly = formatFriendlyAddress(account)
  const hex = hexOf(sample.transaction)
  const message = hexOf(sample.message)
  const cases: readonly (readonly [text: string, kind: string, path: RegExp])[] = [
    [friendly, 'Wallet', /^\/account\/[UE]Q/],
    [formatFriendlyAddress(account, { bounceable: false }), 'Wallet', /^\/account\/[UE]Q/],
    [formatRawAddress(account), 'Wallet', /^\/account\/[UE]Q/],
    [hex, 'Transaction', new RegExp(`^/tx/${hex}$`)],
    [sample.transaction, 'Transaction', new RegExp(`^/tx/${hex}$`)],
    [message.toUpperCase(), 'Message', new RegExp(`^/trace/${message}$`)],
    ['(-1,8000000000000000,3)', 'Masterchain block', /^\/block\/-1\/8000000000000000\/3$/],
    ['0:-9223372036854775808:2', 'Shard block', /^\/block\/0\/8000000000000000\/2$/],
    ['4', 'Masterchain block', /^\/block\/-1\/8000000000000000\/4$/],
    ['chaincenter.ton', 'Domain', /^\/account\/[UE]Q/],
    ['demo', 'Jetton', /^\/jetton\/EQ/],
    ['elect', 'Known account', /^\/account\/Ef/],
    [await untilComment(`${network.url}/api/v3`), 'Comment', /^\/trace\/[0-9a-f]{64}$/],
  ]
  for (const [text, kind, path] of cases) {
    await page.keyboard.press('/')
    await page.locator('#search').fill(text)
    // Accounts of the demonstration have its name, too, and come first.
    const isFirst = kind !== 'Jetton'
    const results = page.locator('.result')
    const result = (isFirst ? results.first() : results).filter({ hasText: kind }).first()
    await result.waitFor()
    if (kind === 'Domain') await keepShot(page, 'search')
    await (isFirst ? page.keyboard.press('Enter') : result.click())
    await page.waitForURL((url) => path.test(url.pathname))
    await page.locator('h1').first().waitFor()
  }
  await page.locator('#search').fill('no such thing at all!')
  await page.locator('.results-empty', { hasText: 'Nothing found' }).waitFor()
})

testPage('an account, a transaction, a trace and a block tell what there is', async ({ page, sample }) => {
  await page.goto(`/account/${sample.account}`)
  await page.locator('.account-balance .amount').waitFor()
  await page.locator('.action').first().waitFor()
  await keepShot(page, 'account')
  await page.getByRole('tab', { name: 'Get-methods' }).click()
  const seqno = page.locator('.method', { hasText: 'seqno' })
  await seqno.getByRole('button', { name: 'Run' }).click()
  await seqno.locator('.stack-values dt', { hasText: 'seqno' }).waitFor()
  assert.match(await seqno.locator('.stack-values dd').innerText(), /^\d+$/)
  await page.getByRole('tab', { name: 'Code' }).click()
  const part = (name: string) => page.locator('.card', { has: page.getByRole('heading', { name, exact: true }) })
  await part('Storage').locator('dt', { hasText: 'public key' }).waitFor()
  await part('Same code').locator('.address, .card-text').first().waitFor()
  const blocks = part('Instructions').locator('.code-block')
  await blocks.first().waitFor()
  // Wallets of the third version have no table of methods: all of their code is the entry, which is open then.
  if ((await blocks.count()) > 1) {
    const method = blocks.filter({ hasText: 'seqno' })
    await method.locator('summary').first().click()
    await method
      .locator('.code-line', { hasText: /^\d+PUSHCTR c4|^\d+PUSH c4/ })
      .first()
      .waitFor()
    await blocks.first().locator('summary').first().click()
  }
  await blocks.first().locator('.code-text', { hasText: 'SETCP' }).first().waitFor()
  await keepShot(page, 'code')
  await page.getByRole('tab', { name: 'Transactions' }).click()
  await page.locator('.table tbody tr').first().waitFor()

  await page.goto(`/tx/${hexOf(sample.transaction)}`)
  await page.locator('.phase', { hasText: 'exit code 0: success' }).waitFor()
  await keepShot(page, 'transaction')
  await page.getByRole('button', { name: /Replay/ }).click()
  await page.locator('.log', { hasText: 'execute' }).waitFor()

  await page.goto(`/trace/${hexOf(sample.trace)}`)
  await page.locator('.tree-node').nth(3).waitFor()
  assert.equal(await page.locator('[data-stage]').getAttribute('data-stage'), 'final')
  await page.locator('.tree-node').first().focus()
  await page.keyboard.press('ArrowRight')
  assert.equal(await page.locator('.tree-node[aria-selected=true]').getAttribute('aria-level'), '2')
  await keepShot(page, 'trace')

  await page.goto('/block/-1/8000000000000000/3')
  await page.locator('.table tbody tr').nth(1).waitFor()
  await keepShot(page, 'block')
  await page.goto('/blocks')
  await page.locator('.shard').first().waitFor()
})

testPage('get-methods take typed arguments, and their results have names', async ({ page, network, sample }) => {
  const master = await firstAddress(`${network.url}/api/v3`, 'jetton/masters')
  await page.goto(`/account/${master}?tab=methods&call=get_jetton_data`)
  const data = page.locator('.method', { hasText: 'get_jetton_data' })
  await data.locator('dt', { hasText: 'admin' }).waitFor()
  assert.match((await data.locator('dd a').getAttribute('href'))!, /^\/account\/EQ/)
  await data.locator('summary').last().click()
  await data.locator('details[open] .cell-line').first().waitFor()
  const wallet = page.locator('.method', { hasText: 'get_wallet_address' })
  await wallet.getByLabel('owner').fill('nonsense')
  await wallet.getByRole('button', { name: 'Run' }).click()
  await wallet.locator('.note', { hasText: 'not a valid address' }).waitFor()
  await wallet.getByLabel('owner').fill(sample.account)
  await wallet.getByRole('button', { name: 'Run' }).click()
  await wallet.locator('dd a').waitFor()
  assert.match(page.url(), /call=get_wallet_address/)
  await keepShot(page, 'methods')
  const any = page.locator('.call-any')
  await any.getByRole('textbox').fill(`103289(${sample.account})`)
  await any.getByRole('button', { name: 'Run' }).click()
  assert.equal(await any.locator('dd a').getAttribute('href'), await wallet.locator('dd a').getAttribute('href'))
  await any.getByRole('textbox').fill('no_such_method')
  await any.getByRole('button', { name: 'Run' }).click()
  await any.locator('.bad', { hasText: 'Exit code 11' }).waitFor()
})

testPage('lists are filtered in the address bar, and saved', async ({ page, sample }) => {
  await page.goto(`/account/${sample.account}?dir=out`)
  await page.locator('.action').first().waitFor()
  const rows = await page.locator('.action').count()
  for (let k = 0; k < rows; k++) {
    assert.match(await page.locator('.action-parties').nth(k).innerText(), /^this account/)
  }
  await page.getByLabel('Type').selectOption('jettons')
  await page.waitForURL(/type=jettons/)
  await page.locator('.action', { hasText: 'Jetton' }).first().waitFor()
  await keepShot(page, 'filters')
  const [csv] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'CSV' }).click()])
  const lines = readFileSync(await csv.path(), 'utf8')
    .trim()
    .split('\r\n')
  assert.match(csv.suggestedFilename(), /^[UE]Q.+-history-\d{4}-\d\d-\d\d\.csv$/)
  assert.match(lines[0]!, /^time,type,success,from,to,amount,/)
  assert.ok(lines.length > 1 && lines.slice(1).every((line) => /^[^,]+Z,jetton_\w+,/.test(line)))
  await page.getByLabel('To', { exact: true }).fill('2001-01-01')
  await page.locator('.empty', { hasText: 'No actions match' }).waitFor()
  await page.getByRole('button', { name: 'Clear' }).click()
  await page.locator('.action').first().waitFor()
  await page.getByRole('tab', { name: 'Transactions' }).click()
  await page.locator('.table tbody tr').first().waitFor()
  const [json] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'JSON' }).click()])
  const saved = JSON.parse(readFileSync(await json.path(), 'utf8')) as { account: string }[]
  assert.ok(saved.length > 0 && saved.every(({ account }) => account === sample.account))
})

testPage('an account has its balance over time, a QR code and its raw JSON', async ({ page, sample }) => {
  await page.goto(`/account/${sample.account}?tab=balance`)
  await page.locator('.balance-line').waitFor()
  const now = await page.locator('.balance-at .amount').innerText()
  assert.equal(now, await page.locator('.account-balance .amount').innerText())
  await page.getByRole('slider', { name: 'Transaction' }).fill('0')
  await page.locator('.balance-at .amount').filter({ hasNotText: now }).waitFor()
  await keepShot(page, 'balance')
  const raw = page.getByRole('link', { name: 'Raw JSON' })
  const path = await raw.getAttribute('href')
  const { balances } = (await (await page.request.get(path!)).json()) as { balances: { balance: string }[] }
  assert.ok(balances.length > 1)
  await page.getByRole('button', { name: 'QR code' }).click()
  await page.getByRole('img', { name: /^QR code of [UE]Q/ }).waitFor()
  await keepShot(page, 'qr')
  await page.keyboard.press('Escape')
  await page.locator('.qr').waitFor({ state: 'detached' })
})

testPage('what happened is told with names, amounts of tokens and times with their zone', async ({ page, network }) => {
  const base = `${network.url}/api/v3`
  const { trace_id: trace } = await untilAction(base, 'nft_transfer')
  await page.goto(`/trace/${hexOf(trace)}`)
  const row = page.locator('.action', { hasText: 'NFT transfer' }).first()
  await row.locator('.action-item', { hasText: /gem #\d+/ }).waitFor()
  assert.equal(await row.locator('.address a').count(), 2)
  // One of the accounts has a domain, which is shown instead.
  await page
    .locator('.tree-name', { hasText: /\(demo\)|\w\.\w/ })
    .first()
    .waitFor()
  assert.match(await page.title(), new RegExp(`^Trace ${hexOf(trace).slice(0, 6)}… · chaincenter$`.replace('…', '.*')))
  assert.match(await page.locator('.facts time').first().innerText(), /^\d{4}-\d\d-\d\d [\d:]{8} UTC.* ago\)$/)

  const { trace_id: transfer } = await untilAction(base, 'jetton_transfer')
  await page.goto(`/trace/${hexOf(transfer)}`)
  await page.locator('.tree-node', { hasText: 'jetton_internal_transfer' }).click()
  await page.waitForURL('**/trace/*?at=0.*')
  await page.reload()
  await page.locator('.tree-node[aria-selected=true]', { hasText: 'jetton_internal_transfer' }).waitFor()
  await page.locator('.body details[open] .amount').first().waitFor()
  await keepShot(page, 'trace-jetton')
})

testLivePage('coins are sent from the page, and their trace goes from pending to final', async ({ page, network }) => {
  const { controls } = network
  const receiver = `0:${'5a'.repeat(32)}`
  await page.goto('/faucet')
  await page.locator('input[name=address]').fill(receiver)
  await page.locator('input[name=amount]').fill('2.5')
  // The block is made by hand, so that nobody has to hurry.
  await controls.setMining(STILL)
  await page.getByRole('button', { name: 'Send coins' }).click()
  await page.waitForURL('**/trace/*')
  await page.locator('[data-stage=pending]').waitFor()
  assert.ok((await page.locator('.tree-node.is-pending').count()) >= 1)
  await keepShot(page, 'trace-pending')
  const node = await page.locator('.tree-node').first().elementHandle()
  await controls.setMining(LIVE)
  await page.locator('[data-stage=final]').waitFor()
  assert.equal(await page.locator('.tree-node').count(), 2)
  assert.equal(await page.locator('.tree-node.is-pending, .tree-node.is-waiting').count(), 0)
  // In place: it is the card that was there before.
  assert.match((await node!.getAttribute('class'))!, /is-done/)
  await page.locator('.action', { hasText: '2.5' }).waitFor()
  await keepShot(page, 'trace-final')

  await page.goto('/send')
  await page.locator('input[name=source]').fill(receiver)
  await page.locator('input[name=destination]').fill(`0:${'5b'.repeat(32)}`)
  await page.locator('input[name=comment]').fill('hello from the page')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await page.waitForURL('**/trace/*')
  await page.locator('[data-stage=final]').waitFor()
  await page.locator('.comment', { hasText: 'hello from the page' }).waitFor()
})

testLivePage('a failed trace says where and why, and leads to the failing step', async ({ page, network }) => {
  const alice = await network.wallet('alice')
  const refusing = new Address(0, Buffer.alloc(32, 0x77))
  await network.setBalance(refusing, toNano(1))
  // PUSHINT 1, THROW 42.
  await network.setCode(refusing, beginCell().storeUint(0x71f22a, 24).endCell())
  const { transactions } = await alice.send({ to: refusing, value: toNano(1), bounce: true })
  assert.ok(transactions.length >= 3)
  const hash = toHex(transactions[0]!.hash())
  await page.goto(`/trace/${hash}`)
  await page.locator('[data-stage=final]').waitFor()
  const failure = page.locator('.trace-failures .note')
  await failure.filter({ hasText: 'Exit code 42' }).waitFor()
  await page.locator('.tree-node.is-failed .tree-state', { hasText: 'exit code 42' }).waitFor()
  assert.equal(await page.locator('.tree-node .tree-fee').count(), transactions.length)
  await keepShot(page, 'trace-failed')
  await failure.getByRole('link', { name: 'Debug' }).click()
  await page.waitForURL('**/tx/*#debugger')
  await page.locator('.vm-step.is-failed[aria-selected=true]', { hasText: 'THROW 42' }).waitFor()
  await page.locator('.debug-failure', { hasText: 'Exit code 42' }).waitFor()
  await keepShot(page, 'debugger-indexed')
})

testPage(
  'pictures of tokens come from our server, by the address of the token',
  async ({ network, sample, tokens: { jetton } }) => {
    const picture = await fetch(`${network.url}/images/${jetton}`)
    assert.deepEqual([picture.status, picture.headers.get('content-type')], [200, 'image/png'])
    assert.equal(picture.headers.get('content-security-policy'), "default-src 'none'; sandbox")
    assert.equal(Buffer.from(await picture.arrayBuffer()).toString('latin1', 1, 4), 'PNG')
    assert.equal((await fetch(`${network.url}/images/${sample.account}`)).status, 404)
    assert.equal((await fetch(`${network.url}/images/https:%2F%2Fexample.com%2Fa.png`)).status, 400)
  },
)

const devices = {
  desktop: { viewport: { width: 1280, height: 860 } },
  phone: { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
} as const

for (const [device, options] of Object.entries(devices)) {
  testPage(
    `on a ${device} every page fits, in both themes, and axe-core finds nothing serious`,
    async ({ page, faults, network, sample }) => {
      await addAxe(page)
      const problems: string[] = []
      const first = (endpoint: string) => firstAddress(`${network.url}/api/v3`, endpoint)
      const routes = await listExplorerRoutes(sample, first)
      for (const { name, path, ready, status = 200 } of routes) {
        await page.emulateMedia({ colorScheme: 'light' })
        const response = await page.goto(path)
        // Without an answer where only the fragment is new.
        const answered = response?.status() ?? status
        if (answered !== status) problems.push(`${name}: status ${answered}`)
        await page.locator(ready).first().waitFor()
        while ((await page.locator('.skeleton').count()) > 0) await page.waitForTimeout(50)
        const beyond = await widthBeyond(page)
        if (beyond > 0) problems.push(`${name}: ${beyond} px wider than the window`)
        for (const barrier of await findBarriers(page)) problems.push(`${name}: ${barrier}`)
        await keepShot(page, `${device}-${name}`)
        await page.emulateMedia({ colorScheme: 'dark' })
        for (const barrier of await findBarriers(page, ['color-contrast'])) problems.push(`${name}, dark: ${barrier}`)
        await keepShot(page, `${device}-${name}-dark`)
        // The browser itself tells of the status of the document.
        const unexpected = faults.splice(0).filter((fault) => status === 200 || !fault.includes(`status of ${status}`))
        problems.push(...unexpected.map((fault) => `${name}: ${fault}`))
      }
      assert.deepEqual(problems, [])
    },
    options,
  )
}

testPage(
  'dark as the machine is, and as it was chosen',
  async ({ page, sample }) => {
    const ground = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor')
    const [light, dark] = ['rgb(245, 246, 248)', 'rgb(11, 14, 19)']
    await page.goto('/')
    await page.locator('.action').first().waitFor()
    assert.equal(await ground(), dark)
    await keepShot(page, 'home-dark')
    await page.keyboard.press('t')
    assert.equal(await ground(), light)
    await page.reload()
    await page.locator('.action').first().waitFor()
    assert.equal(await ground(), light)
    await page.emulateMedia({ colorScheme: 'light' })
    await page.keyboard.press('t')
    assert.equal(await ground(), dark)
    await page.goto(`/trace/${hexOf(sample.trace)}`)
    await page.locator('.tree-node').nth(3).waitFor()
    await keepShot(page, 'trace-dark')
  },
  { colorScheme: 'dark' },
)

testPage('all of it by keyboard', async ({ page }) => {
  await page.goto('/')
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keys' }).waitFor()
  await keepShot(page, 'keys')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog', { name: 'Keys' }).waitFor({ state: 'detached' })
  await page.keyboard.press('/')
  await page.keyboard.type('3')
  await page.locator('.result').nth(1).waitFor()
  await page.keyboard.press('ArrowDown')
  assert.equal(await page.locator('#search').getAttribute('aria-activedescendant'), 'result-1')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/block/0/*/3')
  await page.keyboard.press('g')
  await page.keyboard.press('f')
  await page.waitForURL('**/faucet')
  await page.goBack()
  await page.waitForURL('**/block/0/*/3')
})

testPage('tokens and other known contracts have pages of their own', async ({ page, tokens }) => {
  await visitTokenPages(page, tokens)
})

testLivePage('validators, configuration and a split of shards are shown', async ({ page, network }) => {
  await network.controls.reshard('split')
  await visitNetworkPages(page)
})
