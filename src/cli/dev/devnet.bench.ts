import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { formatTable } from '../../../test/support/formatTable.ts'
import { encodeBoc } from '../../codec/cell/encodeBoc.ts'
import { createSigner, type Signer } from '../../devnet/contracts/messages.ts'
import { signTransfer } from '../../devnet/wallets/signTransfer.ts'
import { createWallet, type Wallet } from '../../devnet/wallets/wallets.ts'
import { LiteClient } from '../../node/LiteClient.ts'
import { createLogger } from '../../observe/Logger.ts'
import { fromBase64 } from '../../primitives/base64.ts'
import { type RunningNetwork, startNetwork } from './startNetwork.ts'

const WALLETS = 120
const TRANSFERS = 4
const WARM_UP_MS = 4000
const MEASURED_MS = 20_000
const GRAM = 1_000_000_000n

type Sender = { readonly wallet: Wallet; readonly key: Signer; seqno: number }

/** What the log of the network says of the blocks it made. */
type Made = { transactions: number; blocks: number; blockMs: number; vmMs: number }

/**
 * Wallets pay each other as fast as the network takes it: every message goes to the liteserver over its socket, is tried there,
 * waits, gets into a block with what follows from it, and the blocks are written to disk.
 */
export const run = async () => {
  const { firstBlockMs, readyMs } = await measureStart()
  const folder = await mkdtemp(join(tmpdir(), 'chaincenter-bench-'))
  const made: Made = { transactions: 0, blocks: 0, blockMs: 0, vmMs: 0 }
  const network = await startNetwork({
    folder,
    mining: { mode: 'interval', intervalMs: 200, emptyBlocks: true },
    keepStates: 50,
    logger: createLogger({ level: 'debug', format: 'json', colours: false, write: (line) => count(made, line) }),
  })
  const { host, port, key } = network.liteserver
  const client = new LiteClient({ host, port, publicKey: fromBase64(key) })
  try {
    const senders = await fundSenders(network)
    const start = performance.now()
    while (performance.now() - start < WARM_UP_MS) await payRound(network, client, senders)
    const before = { ...made }
    const measured = performance.now()
    while (performance.now() - measured < MEASURED_MS) await payRound(network, client, senders)
    const wallMs = performance.now() - measured
    const transactions = made.transactions - before.transactions
    const vmMs = made.vmMs - before.vmMs
    const blockMs = made.blockMs - before.blockMs
    const row = {
      'all served after ms': Math.round(readyMs),
      blocks: made.blocks - before.blocks,
      transactions,
      seconds: Math.round(wallMs / 1000),
      'making blocks ms': Math.round(blockMs),
      'of it in the emulator ms': Math.round(vmMs),
    }
    console.log(formatTable([row]))
    return {
      tx_per_s: (transactions * 1000) / wallMs,
      vm_share: vmMs / blockMs,
      first_block_ms: firstBlockMs,
      ready_ms: readyMs,
    }
  } finally {
    client.close()
    await network.close()
    await rm(folder, { recursive: true, force: true })
  }
}

const count = (made: Made, line: string): void => {
  const entry = JSON.parse(line) as { message: string; transactions: number; ms: number; vmMs: number }
  if (entry.message !== 'block produced') return
  made.blocks++
  made.transactions += entry.transactions
  made.blockMs += entry.ms
  made.vmMs += entry.vmMs
}

const fundSenders = async ({ controls }: RunningNetwork): Promise<Sender[]> => {
  const senders = Array.from({ length: WALLETS }, (_, k) => {
    const key = createSigner(new Uint8Array(32).fill(k + 1))
    return { wallet: createWallet('v4r2', key.publicKey, -239), key, seqno: 0 }
  })
  await Promise.all(senders.map(({ wallet }) => controls.faucet(wallet.address, 1000n * GRAM)))
  await settle(controls)
  return senders
}

/** Waits until nothing waits for a block any more. */
const settle = async (controls: RunningNetwork['controls']): Promise<void> => {
  do await new Promise((resolve) => setTimeout(resolve, 20))
  while (controls.getStatus().waitingMessages > 0)
}

/** Every wallet pays some of the others, and the round is over when all of them have. */
const payRound = async (
  { controls }: RunningNetwork,
  client: LiteClient,
  senders: readonly Sender[],
): Promise<void> => {
  const validUntil = controls.getStatus().utime + 600
  await Promise.all(
    senders.map((sender, at) => {
      const { wallet, key, seqno } = sender
      const messages = Array.from({ length: TRANSFERS }, (_, k) => ({
        destination: senders[(at + 1 + k * 7) % senders.length]!.wallet.address,
        value: GRAM / 100n,
        bounce: false,
      }))
      const message = signTransfer(wallet, key, { seqno, validUntil, messages }, { deploy: seqno === 0 })
      sender.seqno++
      return client.query('liteServer.sendMessage', { body: encodeBoc([message]) })
    }),
  )
  await settle(controls)
}

/** From the command to its first block, as its log tells it, and to the moment at which everything is served. */
const measureStart = async (): Promise<{ firstBlockMs: number; readyMs: number }> => {
  const start = performance.now()
  const program = join(import.meta.dirname, '../../../bin/chaincenter.js')
  const args = ['dev', '--ephemeral', '--json', '--log-level', 'debug', '--log-format', 'json']
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  const waitFor = async (output: Readable, text: string): Promise<number> => {
    for await (const line of createInterface({ input: output })) {
      if (line.includes(text)) return performance.now() - start
    }
    throw new Error(`The command ended without a line with ${text}.`)
  }
  const [firstBlockMs, readyMs] = await Promise.all([
    waitFor(child.stderr, '"block produced"'),
    waitFor(child.stdout, '"liteserver"'),
  ])
  child.stderr.resume()
  child.kill('SIGINT')
  return { firstBlockMs, readyMs }
}
