import { test } from 'node:test'
import { haveDatabase, openFreshDatabase } from '../support/database.ts'
import { askBothWays, getV3 } from '../support/v3Oracle.ts'
import { startV3Network } from '../support/v3Service.ts'

test('scratch', async (t) => {
  if (!haveDatabase(t)) return
  const { url, logLines } = await startV3Network(t, await openFreshDatabase(t), { network: { demo: true } })
  const all = await askBothWays(url, 'transactions', { limit: 1000 })
  console.log(all.transactions.length)
  console.log(JSON.stringify(all.transactions[0], null, 1).slice(0, 4000))
  for (const args of [
    { account: [all.transactions[0].account, all.transactions[5].account] },
    { hash: all.transactions[3].hash },
    { lt: all.transactions[3].lt },
    { start_utime: 1, sort: 'asc' },
    { mc_seqno: 1 },
    { mc_seqno: 99999 },
    { seqno: 2 },
    { workchain: 0, shard: '8000000000000000' },
    { exclude_account: all.transactions[0].account },
    { shard: '1234' },
  ]) {
    const { status, body } = await getV3(`${url}/api/v3`, 'transactions', args)
    console.log(JSON.stringify(args), status, body.error ?? body.transactions.length)
  }
  console.log(logLines.join('\n'))
})
