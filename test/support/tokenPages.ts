import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { addAxe, findBarriers, keepShot, widthBeyond } from './browser.ts'

type Rows = readonly Readonly<Record<string, unknown>>[]

/** Addresses of what the demonstration has, once it is indexed. */
export type TokenSample = {
  readonly jetton: string
  readonly collection: string
  readonly item: string
  readonly domain: string
  readonly multisig: string
  readonly order: string
  readonly vesting: string
}

/** Waits until the demonstration has all of it. */
export const untilTokens = async (base: string): Promise<TokenSample> => {
  const read = async (path: string, name: string): Promise<Rows> => {
    const body = (await (await fetch(`${base}/${path}`)).json()) as Record<string, Rows | undefined>
    return body[name] ?? []
  }
  for (;;) {
    const newest = async (type: string) => {
      const [action] = await read(`actions?limit=1&action_type=${type}`, 'actions')
      return action?.['details'] as Readonly<Record<string, string>> | undefined
    }
    const [jettons, items, order, vesting] = await Promise.all([
      read('jetton/masters?limit=1', 'jetton_masters'),
      read('nft/items?limit=100', 'nft_items'),
      newest('multisig_create_order'),
      newest('vesting_add_whitelist'),
    ])
    const domains = items.filter(({ content }) => (content as { domain?: string } | null)?.domain !== undefined)
    const orders =
      order?.['destination'] === undefined
        ? []
        : await read(`multisig/orders?multisig_address=${order['destination']}&limit=50`, 'orders')
    const signed = orders.find(({ approvals_num: approvals }) => Number(approvals) > 0)
    const item = items.find((each) => !domains.includes(each) && each['collection_address'] !== null)
    if (jettons[0] && item && domains[0] && order && signed && vesting?.['vesting']) {
      return {
        jetton: String(jettons[0]['address']),
        collection: String(item['collection_address']),
        item: String(item['address']),
        domain: (domains[0]['content'] as { domain: string }).domain,
        multisig: order['destination']!,
        order: String(signed['address']),
        vesting: vesting['vesting'],
      }
    }
    await new Promise((resolve) => setTimeout(resolve, 300))
  }
}

/** What each page of a token or another known contract must show. */
export const visitTokenPages = async (page: Page, sample: TokenSample): Promise<void> => {
  await page.goto('/tokens')
  await page.locator('.holding a', { hasText: 'Demo Jetton' }).click()
  await page.waitForURL('**/jetton/*')
  await page.locator('.stats', { hasText: 'Total supply' }).waitFor()
  assert.match(await page.locator('.stats').innerText(), /Holders\s+[1-9]/)
  const shares = page.locator('.ranking .share-text')
  await shares.nth(1).waitFor()
  const total = (await shares.allInnerTexts()).reduce((sum, text) => sum + (Number.parseFloat(text) || 0), 0)
  assert.ok(total > 90 && total < 101, `the shares come to ${total} %`)
  await keepShot(page, 'jetton')
  await page.getByRole('tab', { name: 'Transfers' }).click()
  await page.waitForURL('**/jetton/*?tab=transfers')
  await page.locator('.action .amount', { hasText: 'DEMO' }).first().waitFor()
  await page.reload()
  await page.locator('.action .amount', { hasText: 'DEMO' }).first().waitFor()

  await page.goto(`/collection/${sample.collection}`)
  await page.locator('.stats', { hasText: 'Floor price' }).waitFor()
  await page.locator('.nft-tile').nth(2).waitFor()
  await keepShot(page, 'collection')
  await page.getByRole('tab', { name: 'Owners' }).click()
  await page.locator('.ranking .share-text').first().waitFor()

  await page.goto(`/nft/${sample.item}`)
  await page.locator('.facts', { hasText: 'Owner' }).locator('.address').first().waitFor()
  await keepShot(page, 'nft')

  await page.goto(`/dns/${sample.domain}`)
  await page.locator('.facts', { hasText: 'Wallet' }).waitFor()
  await page.locator('.facts', { hasText: /Expires/ }).waitFor()
  await page
    .locator('.action', { hasText: /Wallet set|Site set/ })
    .first()
    .waitFor()
  await keepShot(page, 'dns')

  await page.goto(`/multisig/${sample.multisig}`)
  await page.locator('h1', { hasText: /\d of \d signers/ }).waitFor()
  await page.locator('.order-action', { hasText: /^Send/ }).first().waitFor()
  await keepShot(page, 'multisig')
  await page.goto(`/multisig/${sample.order}`)
  await page
    .locator('.list .badge', { hasText: /^\s*signed/ })
    .first()
    .waitFor()

  await page.goto(`/vesting/${sample.vesting}`)
  await page.locator('.schedule-line').waitFor()
  assert.match(await page.locator('.stats').innerText(), /Unlocked[\s\S]*%/)
  await keepShot(page, 'vesting')

  // Others are in the list of all pages; these are found by what has happened.
  await addAxe(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.setViewportSize({ width: 360, height: 740 })
  for (const path of [`/multisig/${sample.multisig}`, `/multisig/${sample.order}`, `/vesting/${sample.vesting}`]) {
    await page.goto(path)
    await page.locator('.stats').waitFor()
    await page.locator('.skeleton').first().waitFor({ state: 'detached' })
    assert.equal(await widthBeyond(page), 0, `${path} is wider than the phone`)
    assert.deepEqual(await findBarriers(page), [], path)
    await keepShot(page, `phone${path.replaceAll('/', '-').slice(0, 12)}`)
  }
  await page.setViewportSize({ width: 1280, height: 860 })

  // The contract has its own page, and leads back.
  await page.goto(`/account/${sample.jetton}`)
  await page.getByRole('link', { name: 'Jetton page' }).click()
  await page.waitForURL('**/jetton/*')
  await page.goto(`/jetton/${sample.multisig}`)
  await page.locator('[role=alert]', { hasText: 'There is no jetton' }).waitFor()
}

/** Pages about the network as a whole. A shard is split before: the map has to show it. */
export const visitNetworkPages = async (page: Page): Promise<void> => {
  await page.goto('/validators')
  await page.locator('.stats', { hasText: 'Round ends' }).waitFor()
  await page.locator('.ranking .share-text', { hasText: '%' }).first().waitFor()
  await page.locator('.facts', { hasText: 'Next round' }).waitFor()
  await keepShot(page, 'validators')
  await page.getByRole('link', { name: 'Configuration' }).click()
  await page.waitForURL('**/config')
  const elections = page.locator('#param-15')
  await elections.locator('.facts', { hasText: 'Validators elected for' }).waitFor()
  assert.match(await elections.innerText(), /Election times[\s\S]*\d+ (day|hour|minute|second)/)
  await page.locator('#param-1 .address', { hasText: 'Elector' }).waitFor()
  // The zone of the contract that keeps the configuration: a parameter of its own.
  assert.ok((await page.locator('.param', { hasText: 'layout is not known' }).count()) <= 1)
  await keepShot(page, 'config')
  await page.getByRole('link', { name: 'Shards' }).click()
  await page.locator('.shard-block').nth(3).waitFor()
  await page.locator('.list .badge', { hasText: 'split' }).first().waitFor()
  await page.locator('h2', { hasText: '2 shards now' }).waitFor()
  await keepShot(page, 'shards')
}
