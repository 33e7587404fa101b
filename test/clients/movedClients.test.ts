import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { type RunningNetwork, startNetwork } from '../../src/cli/dev/startNetwork.ts'
import { ApiError } from '../../src/client/callEndpoint.ts'
import { createClient } from '../../src/client/createClient.ts'
import { haveDatabase } from '../support/database.ts'
import { haveCurl, pieceFolder, piecesIn, readPieces, runPiece } from '../support/docPieces.ts'
import { runCommandLine } from '../support/runCommandLine.ts'
import { tempFolder } from '../support/tempFolder.ts'
import { untilIndexed } from '../support/untilIndexed.ts'
import { runPageSamples } from './pageSamples.ts'
import { runStreamingPieces } from './streamingPieces.ts'

const run = promisify(execFile)
const elector = `-1:${'3'.repeat(64)}`

test('programs of others, our client and the command call work on a network as npm start makes it', {
  timeout: 240_000,
}, async (t) => {
  if (!haveDatabase(t)) return
  const network = await startNetwork({
    folder: tempFolder(t),
    mining: { mode: 'interval', intervalMs: 300, emptyBlocks: true },
    http: {},
    index: {},
  })
  t.after(() => network.close())
  await network.indexed
  await untilIndexed(`${network.url}/api/v3`, 8)
  await t.test('our client', () => useClient(network))
  await t.test('the command call', (own) => useCall(own, network))
  await t.test('the pieces of docs/move-your-client.md', (own) => runPieces(own, network))
  await t.test('the pieces of docs/streaming.md', (own) => runStreamingPieces(own, network))
  await t.test('the code blocks of README and of the other pages', (own) => runPageSamples(own, network))
})

const useClient = async ({ url }: RunningNetwork): Promise<void> => {
  const client = createClient({ url: url! })
  const { last } = await client.v2.getMasterchainInfo()
  assert.ok(last.seqno >= 8)
  assert.deepEqual(
    await client.v2.getAddressState({ address: elector }),
    (await client.v2.getAddressInformation({ address: elector })).state,
  )
  assert.equal((await client.v2.healthcheck()).length > 0, true)
  const { head } = await client.dev.status()
  assert.equal(typeof head.seqno, 'number')

  // The newest blocks are indexed first.
  while ((await client.v3.blocks({ workchain: -1, seqno: 1 })).blocks.length === 0) await delay(100)
  // The same transactions page by page as at once, and none twice.
  const end = String((await client.v3.transactions({ limit: 1 })).transactions[0]!.lt)
  const all = await client.v3.transactions({ end_lt: end, limit: 1000, sort: 'asc' })
  const walked: string[] = []
  let pages = 0
  for await (const page of client.pages('transactions', { end_lt: end, limit: 5, sort: 'asc' })) {
    pages++
    walked.push(...page.transactions.map(({ hash }) => hash))
  }
  assert.deepEqual(
    walked,
    all.transactions.map(({ hash }) => hash),
  )
  assert.ok(pages >= Math.ceil(walked.length / 5) && walked.length > 5, `${pages} pages of ${walked.length}`)

  const refused: unknown = await client.v2
    .getBlockHeader({ workchain: -1, shard: '8000000000000000', seqno: 2_000_000_000 })
    .catch((error: unknown) => error)
  assert.ok(refused instanceof ApiError && refused.status >= 400, String(refused))
  await assert.rejects(client.v3.transactions({ limit: 5000 }), { code: 'bad_request', status: 422 })
}

const useCall = async (t: TestContext, { url, accounts }: RunningNetwork): Promise<void> => {
  const call = (...args: string[]) =>
    runCommandLine(t, ['call', ...(args.includes('--url') ? [] : ['--url', url!]), ...args])
  const state = await call('getAddressState', `address=${elector}`, '--json')
  assert.deepEqual([state.exitCode, state.err, state.out], [0, '', '"active"\n'])
  const { out } = await call(
    'transactions',
    `account=${elector}`,
    'account=EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N',
    'limit=2',
  )
  const { transactions } = JSON.parse(out) as { readonly transactions: readonly { readonly account: string }[] }
  assert.deepEqual(
    transactions.map(({ account }) => account),
    [elector, elector],
  )
  const method = await call('runGetMethod', `address=${accounts[0]!.address}`, 'method=seqno', 'stack=[]', '--json')
  assert.equal((JSON.parse(method.out) as { readonly exit_code: number }).exit_code, 0)
  const gift = await call('--api', 'dev', 'faucet', `{"address":"0:${'1'.repeat(64)}","amount":"5000000000"}`)
  assert.equal(gift.exitCode, 0, gift.err)

  const failures: readonly [words: readonly string[], exitCode: number, said: RegExp][] = [
    [['getMasterchainInf'], 2, /^Unknown method "getMasterchainInf"\.\nDid you mean getMasterchainInfo\?\n$/],
    [['--api', 'v3', 'getShards'], 2, /^Unknown method "getShards" in v3\.\nIt is in v2: /],
    [['getTransactions'], 2, /^The parameter address is missing\.\nUsage: chaincenter call getTransactions address=… /],
    [
      ['getTransactions', `address=${elector}`, 'limt=5'],
      2,
      /^getTransactions has no argument "limt"\.\nDid you mean limit\?\n$/,
    ],
    [['getShards', 'seqno=minus one'], 2, /^Parameter seqno: Expected an integer.*but got "minus one"/],
    [['getShards', 'five'], 2, /^Expected an argument as name=value, but got "five"\./],
    [['runGetMethod', 'stack=[1'], 2, /^An argument is not JSON: /],
    [
      ['getBlockHeader', 'workchain=-1', 'shard=8000000000000000', 'seqno=2000000000'],
      1,
      /^The service answered with status \d+: getBlockHeader: /,
    ],
    [['--url', 'http://127.0.0.1:1', 'getMasterchainInfo'], 1, /is unreachable\.\nCheck that the service is running/],
  ]
  for (const [words, exitCode, said] of failures) {
    const result = await call(...words)
    assert.deepEqual([result.exitCode, result.out], [exitCode, ''], result.err)
    assert.match(result.err, said)
  }
}

/** Every piece of docs/move-your-client.md, as it stands there but for the address of the service. */
const runPieces = async (t: TestContext, { url, accounts }: RunningNetwork): Promise<void> => {
  const pieces = readPieces('docs/move-your-client.md', { 'http://127.0.0.1:8081': url! })
  assert.equal(pieces.length, 7)
  const folder = pieceFolder(t)
  const MNEMONIC = accounts.find(({ walletType }) => walletType === 'v4r2')!.mnemonic
  const programs = piecesIn(pieces, 'ts').map((text, k) => runPiece(folder, String(k), text, { MNEMONIC }))
  const lines = piecesIn(pieces, 'sh').flatMap((text) => text.trim().split('\n'))
  for (const line of lines.filter((each) => each.startsWith('chaincenter '))) {
    const { exitCode, err } = await runCommandLine(t, [...line.split(' ').slice(1), '--url', url!])
    assert.deepEqual([exitCode, err], [0, ''], line)
  }
  if (haveCurl(t))
    for (const line of lines.filter((each) => each.startsWith('curl ')))
      JSON.parse((await run('sh', ['-c', line])).stdout)
  assert.ok(lines.every((line) => /^(chaincenter|curl) /.test(line)))
  const [ton, transfer, tonweb, own, parsed] = await Promise.all(programs)
  assert.match(ton!, /^block \d+: active, \d+/)
  assert.match(transfer!, /^sent as number \d+\n$/)
  assert.match(tonweb!, /^\d+\n3\n$/)
  assert.match(own!, /^block \d+\n(\d+ \S{44}\n){2,}\d{3} \w+ getBlockHeader: .*\n$/)
  assert.match(parsed!, /^(\d+ to \S{48}\n)+election \d+\n$/)
}
