import assert from 'node:assert/strict'
import { it } from 'node:test'
import { decodeSingleBoc } from '../../src/codec/cell/decodeBoc.ts'
import { unwrapUnchecked } from '../../src/codec/cell/merkle.ts'
import { decodeLiteAnswer, type LiteFunctionName, splitWaitPrefix } from '../../src/codec/tl/liteQuery.ts'
import { decodeTlObject, tlIds } from '../../src/codec/tl/tlObject.ts'
import { openMcStateHistory } from '../../src/codec/tlb/McStateExtra.ts'
import { openMasterExtra, openState } from '../../src/devnet/liteserver/blockAccess.ts'
import { getConfigParams } from '../../src/devnet/liteserver/config.ts'
import { blockFunctions, Liteserver } from '../../src/devnet/liteserver/Liteserver.ts'
import type { ChainStore } from '../../src/devnet/store/ChainStore.ts'
import { createLogger } from '../../src/observe/Logger.ts'
import { bytesEqual, getU32BE, getU32LE } from '../../src/primitives/bytes.ts'
import { describeFacts } from '../support/describeFacts.ts'
import { listFixtures } from '../support/fixtures.ts'
import { openGrowingChain } from '../support/growingChain.ts'
import { stillContext } from '../support/listenStore.ts'
import { readPair } from '../support/liteProofs.ts'
import { loadLocalnetStore } from '../support/localnetStore.ts'
import { visibleKeys } from '../support/visibleEntries.ts'

/** The recorded node had this block, and this time, when it was asked. */
const RECORDED_HEAD = 421
const RECORDED_NOW = 1_794_712_464

/** Answers that a recorded chain cannot give. */
const notComparable: Readonly<Record<string, string>> = {
  '135-sendMessage-ok': 'a recorded chain takes no messages',
  '136-sendMessage-rejected': 'a recorded chain takes no messages',
  '137-sendMessage-not-boc': 'a recorded chain takes no messages',
  '138-sendMessage-absent-account': 'a recorded chain takes no messages',
}

type Recorded = { readonly name: string; readonly request: Uint8Array; readonly response: Uint8Array }

const ids = new Map<number, LiteFunctionName>(
  (Object.keys(blockFunctions) as (keyof typeof blockFunctions)[]).map((kind) => [tlIds[kind], kind]),
)
const kindOf = ({ request }: Recorded): LiteFunctionName | undefined =>
  ids.get(getU32LE(splitWaitPrefix(request).rest, 0))

/** The recorded questions about blocks, and those that are none. */
const readRecorded = (): Recorded[] =>
  listFixtures('localnet/liteserver', '.json')
    .filter((path) => /\/\d{3}-/.test(path))
    .map((path) => ({ name: path.replace(/^.*\/|\.json$/g, ''), ...readPair(path) }))
    .filter((pair) => kindOf(pair) !== undefined || pair.name.includes('malformed'))

const logger = createLogger({ level: 'warn', format: 'json', colours: false, write: (line) => assert.fail(line) })

const openLiteserver = (store: ChainStore): Liteserver =>
  new Liteserver({ ...stillContext(store), now: () => RECORDED_NOW }, { logger })

/** Asks in the order of the recording. The chain goes on, as it did then, when a question waits for its next block. */
it('every recorded question about blocks gets the recorded answer', async (t) => {
  const { store, growTo } = await openGrowingChain(t, 'localnet')
  const liteserver = openLiteserver(store)
  await growTo(RECORDED_HEAD)
  const counts = { bytes: 0, errors: 0, not: 0 }
  for (const pair of readRecorded()) {
    const { name, request, response } = pair
    if (notComparable[name] !== undefined) {
      counts.not++
      continue
    }
    const asked = liteserver.answer(request)
    if (name.startsWith('132-')) {
      assert.equal(store.head?.id.seqno, RECORDED_HEAD)
      await growTo(RECORDED_HEAD + 2)
    }
    const answer = await asked
    assert.ok(bytesEqual(answer, response), `${name}: ${describe(pair, answer)}`)
    if (decodeTlObject(answer).kind === 'liteServer.error') counts.errors++
    else counts.bytes++
  }
  const reasons = [...new Set(Object.values(notComparable))].join('; ')
  t.diagnostic(
    `${counts.bytes} equal bytes, 0 equal content, ${counts.errors} errors equal, ` +
      `${counts.not} not comparable (${reasons})`,
  )
  assert.deepEqual(counts, { bytes: 55, errors: 7, not: 4 })
})

const describe = (pair: Recorded, answer: Uint8Array): string => {
  const kind = kindOf(pair)
  const show = (bytes: Uint8Array): string =>
    describeFacts(kind === undefined ? decodeTlObject(bytes) : decodeLiteAnswer(kind, bytes)).slice(0, 2000)
  return `expected ${show(pair.response)}, got ${show(answer)}`
}

/** Seen at the live node, and not recorded. */
it('a configuration with the blocks before holds those that the real node shows', async () => {
  const store = await loadLocalnetStore()
  const { id } = store.findMaster(395)!
  const { configProof, mode } = await getConfigParams(stillContext(store), { mode: 128, id, paramList: [] })
  assert.equal(mode, 128 | 512)
  const state = openState(unwrapUnchecked(decodeSingleBoc(configProof)))
  const { prevBlocks } = openMcStateHistory(openMasterExtra(state).history)
  const recent = Array.from({ length: 15 }, (_, k) => 380 + k)
  assert.deepEqual(
    visibleKeys(prevBlocks.root, 32).map((key) => getU32BE(key, 0)),
    [0, 100, 200, 300, ...recent],
  )
})
