import type { TestContext } from 'node:test'
import { createServerKey } from '../../src/adnl/handshake.ts'
import { openForkSource } from '../../src/cli/dev/openForkSource.ts'
import type { Cell } from '../../src/codec/cell/Cell.ts'
import { openCell } from '../../src/codec/cell/CellReader.ts'
import { openAccountBlocks, openBlock, openBlockExtra } from '../../src/codec/tlb/Block.ts'
import { bodyCell, readMessage } from '../../src/codec/tlb/Message.ts'
import { listOutMsgs, readTransaction, type Transaction } from '../../src/codec/tlb/Transaction.ts'
import type { LiteFunctions } from '../../src/devnet/liteserver/LiteFunction.ts'
import { Liteserver, liteFunctions } from '../../src/devnet/liteserver/Liteserver.ts'
import { type LiteserverListener, listenLiteserver } from '../../src/devnet/liteserver/listenLiteserver.ts'
import type { Network, NetworkOptions } from '../../src/devnet/network/createNetwork.ts'
import type { ChainStore } from '../../src/devnet/store/ChainStore.ts'
import { createLogger } from '../../src/observe/Logger.ts'
import { createShutdown } from '../../src/observe/Shutdown.ts'
import { toHex } from '../../src/primitives/hex.ts'
import { formatLiteServer } from '../../src/primitives/LiteServerAddress.ts'
import { stillContext } from './listenStore.ts'
import { tempFolder } from './tempFolder.ts'
import { shareMachine, startTestNetwork, type TestNetwork } from './testNetwork.ts'

const logger = createLogger({ level: 'silent', format: 'json', colours: false, write: () => undefined })

/** A chain on a port of this machine, with get-methods. `name` is what `--fork` takes. */
export const serveChain = async (t: TestContext, store: ChainStore, port = 0, lies: LiteFunctions = {}) => {
  const context = { ...stillContext(store), vm: await shareMachine() }
  const server = await listenLiteserver({
    liteserver: new Liteserver(context, { logger, functions: { ...liteFunctions, ...lies } }),
    key: createServerKey(new Uint8Array(32).fill(0x61)),
    logger,
    port,
  })
  t.after(() => server.close())
  return { name: formatLiteServer(server), close: () => server.close() }
}

/** The liteserver of a network in this process. */
export const listenNetwork = async (t: TestContext, network: Network): Promise<LiteserverListener> => {
  const server = await listenLiteserver({
    liteserver: new Liteserver(network.liteserver, { logger }),
    key: createServerKey(new Uint8Array(32).fill(0x62)),
    logger,
  })
  t.after(() => server.close())
  return server
}

/** A network that forks another one over its liteservers. */
export const forkNetwork = async (
  t: TestContext,
  fork: { readonly name: string; readonly block?: number } | undefined,
  options: Partial<NetworkOptions> = {},
): Promise<TestNetwork> => {
  const shutdown = createShutdown({ logger, timeoutMs: 5000 })
  t.after(() => shutdown.close('the test is over'))
  const folder = tempFolder(t)
  return startTestNetwork(t, {
    seed: 'fork',
    fork,
    startTime: undefined,
    openForkSource: async (name) => openForkSource(name, { folder, logger, shutdown, queryTimeoutMs: 2000 }),
    ...options,
  })
}

/** A transaction without what depends on where it stands in the chain. */
export const effectOf = (transaction: Transaction) => {
  const { description, totalFees } = transaction
  const compute = 'computePhase' in description ? description.computePhase : undefined
  return {
    fees: totalFees.grams,
    gas: compute?.kind === 'vm' ? compute.gasUsed : undefined,
    exitCode: compute?.kind === 'vm' ? compute.exitCode : undefined,
    sent: listOutMsgs(transaction).map(describeMessage),
  }
}

const describeMessage = (cell: Cell) => {
  const { info, body } = readMessage(openCell(cell))
  if (info.kind !== 'internal' || info.destination.kind !== 'std') return info.kind
  const { destination, value, fwdFee, bounce } = info
  return { to: toHex(destination.hash), value: value.grams, fwdFee, bounce, body: toHex(bodyCell(body).hash()) }
}

/** The hash of the first transaction of an account from a masterchain block on. */
export const hashOf = (network: Pick<Network, 'store'>, account: Uint8Array, from: number): Uint8Array =>
  cellsOf(network, account, from)[0]!.hash()

/** The transactions of an account in the blocks from one masterchain block on, oldest first. */
export const transactionsOf = (network: Pick<Network, 'store'>, account: Uint8Array, from: number): Transaction[] =>
  cellsOf(network, account, from).map((cell) => readTransaction(openCell(cell)))

const cellsOf = ({ store }: Pick<Network, 'store'>, account: Uint8Array, from: number): Cell[] => {
  const found: Cell[] = []
  for (let seqno = from; seqno <= (store.head?.id.seqno ?? 0); seqno++) {
    for (const { id } of [...store.index.listIncluded(seqno), store.findMaster(seqno)!]) {
      const blocks = openAccountBlocks(openBlockExtra(openBlock(store.getRoot(id)).extra))
      for (const [, cell] of blocks.find(account)?.transactions.entries() ?? []) {
        found.push(cell)
      }
    }
  }
  return found
}
