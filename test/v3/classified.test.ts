import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { countedChange } from '../../src/explorer/model/transactions.ts'
import { addUnclassifiedRange } from '../../src/store/writer/actions.ts'
import { haveDatabase, openFreshDatabase } from '../support/database.ts'
import { closeSharedMachine } from '../support/testNetwork.ts'
import type { Json } from '../support/v3Client.ts'
import { runGrandTour } from '../support/v3Demo.ts'
import { askBothWays } from '../support/v3Oracle.ts'
import { startV3Network } from '../support/v3Service.ts'

after(closeSharedMachine)

/** Kinds of action that the demonstration shows. */
const toldByDemo = [
  ...['ton_transfer', 'call_contract', 'contract_deploy', 'unknown'],
  ...['jetton_transfer', 'jetton_mint', 'jetton_burn', 'jetton_swap', 'dex_deposit_liquidity'],
  ...['stake_deposit', 'stake_withdrawal'],
  ...[
    'nft_mint',
    'nft_transfer',
    'nft_discovery',
    'nft_put_on_sale',
    'nft_update_sale',
    'nft_cancel_sale',
    'nft_purchase',
  ],
  ...['nft_put_on_auction', 'auction_bid', 'auction_outbid', 'nft_cancel_auction', 'nft_finish_auction'],
  ...['change_dns', 'delete_dns', 'renew_dns'],
  ...['multisig_create_order', 'multisig_approve', 'multisig_execute', 'vesting_send_message', 'vesting_add_whitelist'],
]

test('traces of the embedded network are classified soon after they are indexed, and again when told to', {
  timeout: 180_000,
}, async (t) => {
  if (!haveDatabase(t)) return
  const database = await openFreshDatabase(t)
  const service = await startV3Network(t, database)
  const { url, logLines } = service
  await runGrandTour(service)
  const untilClassified = async (): Promise<void> => {
    for (let tries = 0; ; tries++) {
      const { rows } = await database.transaction((client) =>
        client.query('SELECT count(*)::int AS n FROM unclassified_blocks'),
      )
      if ((rows[0] as { n: number }).n === 0) return
      assert.ok(tries < 600, `not classified in time: ${logLines.join('\n')}`)
      await delay(50)
    }
  }
  await untilClassified()
  const all: Json[] = []
  for (let offset = 0; ; offset += 1000) {
    const { actions } = await askBothWays(url, 'actions', { limit: 1000, offset, include_accounts: true })
    all.push(...actions)
    if (actions.length < 1000) break
  }
  const types = new Map<string, number>()
  for (const { type } of all) types.set(type, (types.get(type) ?? 0) + 1)
  for (const type of toldByDemo) {
    assert.ok((types.get(type) ?? 0) > 0, `no ${type} among ${JSON.stringify([...types])}`)
  }
  const { traces } = await askBothWays(url, 'traces', { limit: 1000, include_actions: true })
  const inTraces = traces.flatMap(({ actions }: { readonly actions: readonly Json[] }) => actions)
  assert.deepEqual(
    inTraces.map(({ action_id }: Json) => action_id).sort(),
    all.map(({ action_id }) => action_id).sort(),
  )
  for (const { trace_id, transactions, actions } of traces) {
    for (const action of actions) {
      assert.equal(action.trace_id, trace_id, 'an action is of another trace')
      for (const hash of action.transactions)
        assert.ok(hash in transactions, `a transaction of ${action.type} is not in its trace`)
    }
  }
  const { transactions } = await askBothWays(url, 'transactions', { limit: 1000 })
  const whole = transactions.filter(
    (each: Json) => each.account_state_before.balance !== null && each.account_state_after.balance !== null,
  )
  assert.ok(whole.length > 100 && whole.length < transactions.length, `${whole.length} of ${transactions.length}`)
  for (const transaction of whole) {
    const { account_state_before: before, account_state_after: after, hash } = transaction
    assert.equal(countedChange(transaction), BigInt(after.balance) - BigInt(before.balance), hash)
  }
  const blocks = await database.transaction((client) => addUnclassifiedRange(client, 1, 1000))
  assert.ok(blocks > 5, `only ${blocks} blocks`)
  await untilClassified()
  const { actions: again } = await askBothWays(url, 'actions', { limit: 1000, include_accounts: true })
  assert.deepEqual(again, all.slice(0, 1000))
  assert.deepEqual(logLines, [])
})
