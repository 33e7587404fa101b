import { existsSync, readdirSync } from 'node:fs'
import { fixturePath, readFixture } from '../../../test/support/fixtures.ts'
import { formatTable } from '../../../test/support/formatTable.ts'
import { createLiteserverContext } from '../../../test/support/liteserverContext.ts'
import { readLocalnetZeroStates, replayInto } from '../../../test/support/localnetStore.ts'
import { median } from '../../../test/support/measure.ts'
import { encodeLiteQuery } from '../../codec/tl/liteQuery.ts'
import { openAccountBlocks, openBlock, openBlockExtra } from '../../codec/tlb/Block.ts'
import { createLogger } from '../../observe/Logger.ts'
import { type BlockIdExt, formatBlockId } from '../../primitives/BlockId.ts'
import { toHex } from '../../primitives/hex.ts'
import { createMemoryFiles } from '../store/BlockFiles.ts'
import { ChainStore, checkBlock } from '../store/ChainStore.ts'
import { Liteserver } from './Liteserver.ts'

const BLOCKS = fixturePath('localnet/blocks')
const LOADS = 3
const ROUNDS = 7
/** Before these, rounds that do not count: the engine compiles what it has seen to be used. */
const WARM_UP_ROUNDS = 3
const ANSWERS_PER_ROUND = 2000
const MIB = 1024 * 1024

const logger = createLogger({ level: 'error', format: 'json', colours: false, write: () => undefined })

type Account = { readonly workchain: number; readonly id: Uint8Array }

/** How often something was done in a second: of the processor, which a busy machine does not slow, and of the clock. */
type Rate = { readonly cpu: number; readonly wall: number }

const startClock = (): ((count: number) => Rate) => {
  const start = performance.now()
  const cpuStart = process.cpuUsage()
  return (count) => {
    const { user, system } = process.cpuUsage(cpuStart)
    return { cpu: (count * 1e6) / (user + system), wall: (count * 1e3) / (performance.now() - start) }
  }
}

const medianRate = (rates: readonly Rate[]): Rate => ({
  cpu: median(rates.map(({ cpu }) => cpu)),
  wall: median(rates.map(({ wall }) => wall)),
})

/** From the bytes of blocks to a chain whose every state is made: reading files is not counted. */
const load = async (files: readonly Uint8Array[]) => {
  const store = new ChainStore(readLocalnetZeroStates(), createMemoryFiles(), { keep: 0 })
  const stop = startClock()
  const blocks = files.map((bytes) => checkBlock(bytes))
  await replayInto(store, new Map(blocks.map((block) => [formatBlockId(block.id), block])))
  return { store, rate: stop(store.index.count) }
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

/** How many requests are answered, one after another, in the median round. */
const measureAnswers = async (liteserver: Liteserver, requests: readonly Uint8Array[]): Promise<Rate> => {
  const rates: Rate[] = []
  let next = 0
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
    globalThis.gc?.()
    const stop = startClock()
    for (let k = 0; k < ANSWERS_PER_ROUND; k++) await liteserver.answer(requests[next++ % requests.length]!)
    if (round >= 0) rates.push(stop(ANSWERS_PER_ROUND))
  }
  return medianRate(rates)
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
  const { store, rate } = await load(files)
  globalThis.gc?.()
  const rss = process.memoryUsage().rss / MIB
  const rates = [rate]
  while (rates.length < LOADS) rates.push((await load(files)).rate)
  const loading = medianRate(rates)

  const masters = Array.from({ length: store.head!.id.seqno - 1 }, (_, k) => store.findMaster(k + 2)!.id)
  const accounts = listAccounts(store, masters)
  const liteserver = new Liteserver(createLiteserverContext(store), { logger })
  const head = await measureAnswers(
    liteserver,
    accounts.map((account) => askState(store.head!.id, account)),
  )
  const anywhere = await measureAnswers(
    liteserver,
    Array.from({ length: masters.length * accounts.length }, (_, k) =>
      // A stride through all blocks, so that neighbours have nothing in common.
      askState(masters[(k * 89) % masters.length]!, accounts[k % accounts.length]!),
    ),
  )
  const row = (what: string, { cpu, wall }: Rate) => ({ what, 'per CPU second': cpu, 'per second': wall })
  console.log(
    formatTable([
      row(`load ${store.index.count} blocks`, loading),
      row(`${accounts.length} accounts at the head`, head),
      row(`the same at any of ${masters.length} blocks`, anywhere),
    ]),
  )
  console.log(`memory: ${Math.round(rss)} MiB with the chain, ${Math.round(rssBefore)} MiB before\n`)
  return { blocks_per_s: loading.cpu, account_rps: head.cpu, rss_mib: rss }
}
