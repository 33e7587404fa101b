import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { listShardTops } from '../../src/chain/shardBlocks.ts'
import { networkFolder } from '../../src/cli/start/prepareNetwork.ts'
import { openCell } from '../../src/codec/cell/CellReader.ts'
import { decodeSingleBoc } from '../../src/codec/cell/decodeBoc.ts'
import { encodeBoc } from '../../src/codec/cell/encodeBoc.ts'
import { openAccount } from '../../src/codec/tlb/Account.ts'
import { openBlock, openBlockExtra } from '../../src/codec/tlb/Block.ts'
import { openMcBlockExtra } from '../../src/codec/tlb/McBlockExtra.ts'
import { openMcStateExtra } from '../../src/codec/tlb/McStateExtra.ts'
import { openOutMsgQueueInfo } from '../../src/codec/tlb/OutMsgQueueInfo.ts'
import { openShardAccounts } from '../../src/codec/tlb/ShardAccounts.ts'
import { openStateTotals } from '../../src/codec/tlb/ShardState.ts'
import { openUnsplit } from '../../src/devnet/collate/MasterView.ts'
import { createSigner, type Signer } from '../../src/devnet/contracts/messages.ts'
import { type ChainStore, checkBlock } from '../../src/devnet/store/ChainStore.ts'
import { openChainFolder } from '../../src/devnet/store/openChainFolder.ts'
import { mnemonicToKeySeed } from '../../src/devnet/wallets/createDevAccounts.ts'
import { signTransfer } from '../../src/devnet/wallets/signTransfer.ts'
import { createWallet, type Wallet, type WalletKind } from '../../src/devnet/wallets/wallets.ts'
import { LiteClient } from '../../src/node/LiteClient.ts'
import { type BlockIdExt, formatBlockIdExt } from '../../src/primitives/BlockId.ts'
import { fromBase64 } from '../../src/primitives/base64.ts'
import { createRandom, type Random } from './ownWorkload.ts'

/** How long a chain may take to go on. */
const PATIENCE_MS = 20_000
const PROGRAM = join(import.meta.dirname, '../../bin/chaincenter.js')

type Ready = {
  readonly liteserver: { readonly host: string; readonly port: number; readonly key: string }
  readonly accounts: readonly { readonly mnemonic: string; readonly walletType: string }[]
}

type Life = { readonly child: ChildProcess; readonly client: LiteClient; readonly ready: Ready }

/** Starts the command as a user would, and waits until it says that the network runs. */
const startLife = async (folder: string, more: readonly string[]): Promise<Life> => {
  const args = [PROGRAM, 'dev', '--no-index', '--data-dir', folder, '--json', '--log-level', 'error', ...more]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  const errors: string[] = []
  child.stderr!.setEncoding('utf8').on('data', (text: string) => errors.push(text))
  for await (const line of createInterface({ input: child.stdout! })) {
    if (!line.startsWith('{')) continue
    const ready = JSON.parse(line) as Ready
    if (ready.liteserver === undefined) throw new Error(`The network did not start: ${line}`)
    const { host, port, key } = ready.liteserver
    return { child, client: new LiteClient({ host, port, publicKey: fromBase64(key) }), ready }
  }
  throw new Error(`The network did not start: ${errors.join('')}`)
}

const headOf = async (client: LiteClient): Promise<BlockIdExt> =>
  (await client.query('liteServer.getMasterchainInfo', {})).last

/** The shard blocks that a masterchain block names, by the block itself. */
const shardTops = async (client: LiteClient, id: BlockIdExt): Promise<readonly BlockIdExt[]> => {
  const { data } = await client.query('liteServer.getBlock', { id })
  const { custom } = openBlockExtra(openBlock(decodeSingleBoc(data)).extra)
  return listShardTops(openMcBlockExtra(custom!).shardHashes)
}

/** All money there is, account by account, with fees that wait; and what there should be. */
const sumMoney = (store: ChainStore): { found: bigint; stated: bigint } => {
  const states = [store.head!.id, ...store.shardTops].map((id) => openUnsplit(store.findState(id)!))
  let found = 0n
  for (const { accounts, totals, outMsgQueueInfo, custom } of states) {
    openShardAccounts(accounts).forEach((_hash, { account }) => {
      const opened = openAccount(account)
      if (opened.kind === 'account') found += opened.balance.grams
    })
    // Fees of shards go to the masterchain with the block that includes theirs; what their states say is a sum over all time.
    if (custom !== undefined) found += openStateTotals(totals).totalValidatorFees.grams
    if (!openOutMsgQueueInfo(outMsgQueueInfo).outQueue.isEmpty) throw new Error('Messages still wait in queues.')
  }
  return { found, stated: openMcStateExtra(states[0]!.custom!).globalBalance.grams }
}

export type KillRunOptions = {
  readonly folder: string
  readonly kills: number
  readonly seed: number
  readonly arguments?: readonly string[]
  readonly onKill?: (line: string) => void
}

export type KillRunReport = { readonly blocks: number; readonly sent: number; readonly heads: readonly number[] }

/**
 * Kills a network under load again and again. After each start all blocks that were ever served must be there as they were,
 * the chain must go on, and all the money must be there.
 */
export const runKills = async ({
  folder,
  kills,
  seed,
  arguments: more = [],
  onKill,
}: KillRunOptions): Promise<KillRunReport> => {
  const random = createRandom(seed)
  const served = new Map<string, BlockIdExt>()
  const heads: number[] = []
  let payers: readonly Payer[] | undefined
  let sent = 0
  for (let life = 0; life <= kills; life++) {
    const { child, client, ready } = await startLife(folder, more)
    try {
      const before = heads.at(-1) ?? 0
      await checkServed(client, served)
      const head = await headOf(client)
      if (head.seqno < before) throw new Error(`Block ${before} was served, after the restart there are ${head.seqno}.`)
      const isLast = life === kills
      payers ??= await openPayers(ready)
      const load = sendLoad(client, payers, random, () => sent++)
      await watch(client, served, { ms: isLast ? 3000 : 200 + random.below(2500), beyond: before })
      load.stop()
      if (isLast) await drain(client)
      heads.push((await headOf(client)).seqno)
      if (heads.at(-1)! <= before) throw new Error(`The chain does not go on from block ${before}.`)
      onKill?.(`life ${life}: ${served.size} blocks served, head ${heads.at(-1)}, ${sent} messages sent`)
      child.kill(isLast ? 'SIGTERM' : 'SIGKILL')
    } finally {
      if (child.exitCode === null && child.signalCode === null) {
        if (!child.killed) child.kill('SIGKILL')
        await once(child, 'exit')
      }
      client.close()
    }
  }
  await checkFolder(folder, served)
  return { blocks: served.size, sent, heads }
}

const checkServed = async (client: LiteClient, served: ReadonlyMap<string, BlockIdExt>): Promise<void> => {
  // All of the newest, and some of those long ago.
  const all = [...served.values()]
  const chosen = all.filter((_, at) => at >= all.length - 60 || at % 17 === 0)
  for (const id of chosen) {
    const answer = await client.query('liteServer.getBlock', { id })
    if (formatBlockIdExt(answer.id) !== formatBlockIdExt(id)) throw new Error(`${formatBlockIdExt(id)} has changed.`)
  }
}

/** Notes every head and its shard blocks as they appear. */
const watch = async (
  client: LiteClient,
  served: Map<string, BlockIdExt>,
  { ms, beyond }: { ms: number; beyond: number },
): Promise<void> => {
  const start = performance.now()
  for (let seqno = 0; performance.now() - start < ms || seqno <= beyond; ) {
    if (performance.now() - start > PATIENCE_MS) return
    const head = await headOf(client)
    seqno = head.seqno
    if (!served.has(formatBlockIdExt(head))) {
      served.set(formatBlockIdExt(head), head)
      for (const top of await shardTops(client, head)) if (top.seqno > 0) served.set(formatBlockIdExt(top), top)
    }
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

type Payer = { readonly wallet: Wallet; readonly key: Signer }

/** The wallets of the network; highload ones count their messages otherwise, and are left out. */
const openPayers = async ({ accounts }: Ready): Promise<Payer[]> => {
  const all = await Promise.all(
    accounts.map(async ({ mnemonic, walletType }) => {
      const key = createSigner(await mnemonicToKeySeed(mnemonic.split(' ')))
      return { key, wallet: createWallet(walletType as WalletKind, key.publicKey, -239) }
    }),
  )
  return all.filter(({ wallet }) => wallet.kind !== 'highload-v3')
}

/** Every wallet sends again and again. What is lost with a killed process is sent again. */
const sendLoad = (client: LiteClient, payers: readonly Payer[], random: Random, onSent: () => void) => {
  let isOver = false
  const work = async ({ wallet, key }: Payer): Promise<void> => {
    while (!isOver) {
      const destination = payers[random.below(payers.length)]!.wallet.address
      const message = { destination, value: BigInt(1 + random.below(1000)) * 1_000_000n, bounce: false }
      try {
        const seqno = await findSeqno(client, wallet)
        const validUntil = Math.floor(Date.now() / 1000) + 60
        const cell = signTransfer(wallet, key, { seqno, validUntil, messages: [message] }, { deploy: seqno === 0 })
        await client.query('liteServer.sendMessage', { body: encodeBoc([cell]) })
        onSent()
      } catch {
        // Refused because the last one is not through yet, or because the process is gone.
      }
      await new Promise((resolve) => setTimeout(resolve, 60))
    }
  }
  for (const payer of payers) void work(payer)
  return {
    stop: () => {
      isOver = true
    },
  }
}

const findSeqno = async (client: LiteClient, { address, kind }: Wallet): Promise<number> => {
  const id = await headOf(client)
  const account = { workchain: address.workchain, id: address.hash }
  const { state } = await client.query('liteServer.getAccountState', { id, account })
  if (state.length === 0) return 0
  const opened = openAccount(decodeSingleBoc(state))
  if (opened.kind !== 'account' || opened.state.kind !== 'active') return 0
  const r = openCell(opened.state.init.data!)
  if (kind === 'v5r1') r.skipBits(1)
  return r.readUint(32)
}

/** Waits until all messages have arrived and no queue holds one. */
const drain = async (client: LiteClient): Promise<void> => {
  const end = performance.now() + PATIENCE_MS
  let emptySince = 0
  while (performance.now() < end) {
    const head = await headOf(client)
    const sizes = await Promise.all(
      [head, ...(await shardTops(client, head))].map((id) =>
        client.query('liteServer.getBlockOutMsgQueueSize', { mode: 0, id }),
      ),
    )
    // External messages may wait for a block or two.
    if (sizes.some(({ size }) => size > 0n)) emptySince = head.seqno
    else if (emptySince > 0 && head.seqno > emptySince + 4) return
    if (emptySince === 0) emptySince = head.seqno
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('Messages wait in queues for ever.')
}

/** Looks at what the last life left: every block that was ever served, and all the money. */
const checkFolder = async (folder: string, served: ReadonlyMap<string, BlockIdExt>): Promise<void> => {
  const { store, close } = await openChainFolder(networkFolder(folder), { keep: 1 })
  try {
    for (const [name, id] of served) {
      const bytes = store.findBytes(id)
      if (bytes === undefined) throw new Error(`Block ${name} was served and is gone.`)
      checkBlock(bytes, id)
    }
    const { found, stated } = sumMoney(store)
    if (found !== stated) throw new Error(`There should be ${stated} nanograms, there are ${found}.`)
  } finally {
    await close()
  }
}
