import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { createFaceContext } from '../../test/support/faceContext.ts'
import { fixturesRoot, readFixture } from '../../test/support/fixtures.ts'
import { formatTable } from '../../test/support/formatTable.ts'
import { readLocalnetZeroStates, replayInto } from '../../test/support/localnetStore.ts'
import { median } from '../../test/support/measure.ts'
import { encodeLiteQuery } from '../codec/tl/liteQuery.ts'
import { openBlock } from '../codec/tlb/Block.ts'
import { openAccountBlocks, openBlockExtra } from '../codec/tlb/BlockExtra.ts'
import { createLogger } from '../observe/Logger.ts'
import { type BlockIdExt, formatBlockId } from '../primitives/BlockId.ts'
import { toHex } from '../primitives/hex.ts'
import { LiteFace } from './face/LiteFace.ts'
import { ChainStore, checkBlock } from './store/ChainStore.ts'
import { createMemoryFiles } from './store/memoryFiles.ts'

const BLOCKS = join(fixturesRoot, 'localnet/blocks')
const LOADS = 3
const ROUNDS = 7
const ROUND_MS = 500
const MIB = 1024 * 1024

const logger = createLogger({ level: 'error', format: 'json', colours: false, write: () => undefined })

type Account = { readonly workchain: number; readonly id: Uint8Array }

/** From the bytes of blocks to a chain whose every state is made: reading files is not counted. */
const load = async (files: readonly Uint8Array[]) => {
  const store = new ChainStore(readLocalnetZeroStates(), createMemoryFiles(), { keep: 0 })
  const start = performance.now()
  const blocks = files.map((bytes) => checkBlock(bytes))
  await replayInto(store, new Map(blocks.map((block) => [formatBlockId(block.id), block])))
  return { store, blocksPerSecond: store.index.count / ((performance.now() - start) / 1000) }
}

/** All accounts that ever had a transaction. */
const listAccounts = (store: ChainStore, masters: readonly BlockIdExt[]): Account[] => {
  const accounts = new Map<string, Account>()
  for (const { seqno } of masters) {
    for (const { id } of [...store.index.listIncluded(seqno), store.findMaster(seqno)!]) {
      openAccountBlocks(openBlockExtra(openBlock(store.getRoot(id)).extra)).forEach((account) => {
        accounts.set(`${id.workchain}:${toHex(account)}`, { workchain: id.workchain, id: account.slice() })
      })
    }
  }
  return [...accounts.values()]
}

/** Questions answered in a second, one after another, in the median round. */
const measureAnswers = async (face: LiteFace, questions: readonly Uint8Array[]): Promise<number> => {
  const rates: number[] = []
  let next = 0
  for (let round = 0; round <= ROUNDS; round++) {
    globalThis.gc?.()
    const start = performance.now()
    let count = 0
    for (; performance.now() - start < ROUND_MS; count++) await face.answer(questions[next++ % questions.length]!)
    // The first is for the compiler.
    if (round > 0) rates.push(count / ((performance.now() - start) / 1000))
  }
  return median(rates)
}

const askState = (id: BlockIdExt, account: Account): Uint8Array =>
  encodeLiteQuery({ call: { kind: 'liteServer.getAccountState', id, account } })

/** Loads the recorded local network and asks its accounts, each answer with its proofs. */
export const run = async () => {
  if (!existsSync(BLOCKS)) throw new Error('This bench needs the recorded blocks at ../shared/fixtures/localnet.')
  const files = readdirSync(BLOCKS)
    .filter((name) => name.endsWith('.boc'))
    .map((name) => readFixture(`localnet/blocks/${name}`))
  globalThis.gc?.()
  const rssBefore = process.memoryUsage().rss / MIB
  const { store, blocksPerSecond } = await load(files)
  globalThis.gc?.()
  const rss = process.memoryUsage().rss / MIB
  const rates = [blocksPerSecond]
  while (rates.length < LOADS) rates.push((await load(files)).blocksPerSecond)

  const masters = Array.from({ length: store.head!.id.seqno - 1 }, (_, k) => store.findMaster(k + 2)!.id)
  const accounts = listAccounts(store, masters)
  const face = new LiteFace(createFaceContext(store), { logger })
  const head = await measureAnswers(
    face,
    accounts.map((account) => askState(store.head!.id, account)),
  )
  const anywhere = await measureAnswers(
    face,
    Array.from({ length: masters.length * accounts.length }, (_, k) =>
      // A stride through all blocks, so that neighbours have nothing in common.
      askState(masters[(k * 89) % masters.length]!, accounts[k % accounts.length]!),
    ),
  )
  console.log(
    formatTable([
      { what: `load ${store.index.count} blocks`, 'per second': median(rates) },
      { what: `${accounts.length} accounts at the head`, 'per second': head },
      { what: `the same at any of ${masters.length} blocks`, 'per second': anywhere },
    ]),
  )
  console.log(`memory: ${Math.round(rss)} MiB with the chain, ${Math.round(rssBefore)} MiB before\n`)
  return { blocks_per_s: median(rates), account_rps: head, account_rps_any_block: anywhere, rss_mib: rss }
}
