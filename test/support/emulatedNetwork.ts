import assert from 'node:assert/strict'
import { type RunningNetwork, type StartOptions, startNetwork } from '../../src/cli/dev/startNetwork.ts'
import type { Cell } from '../../src/codec/cell/Cell.ts'
import { decodeSingleBoc } from '../../src/codec/cell/decodeBoc.ts'
import { encodeBoc } from '../../src/codec/cell/encodeBoc.ts'
import { readWhole } from '../../src/codec/cell/wholeCell.ts'
import { readTransaction, type Transaction } from '../../src/codec/tlb/Transaction.ts'
import { type DemoPlan, deployDemo, planDemo } from '../../src/devnet/demo/deployDemo.ts'
import { type DemoPort, findInt, OrderSender } from '../../src/devnet/demo/OrderSender.ts'
import { findAccounts, WELL_KNOWN_SEED } from '../../src/devnet/network/networkKeys.ts'
import type { DevAccount } from '../../src/devnet/wallets/createDevAccounts.ts'
import { createLogger } from '../../src/observe/Logger.ts'
import { fromBase64, toBase64 } from '../../src/primitives/base64.ts'
import { getV3, type Json, postV3, type V3Answer } from './v3Client.ts'
import { runLiveMethod } from './v3Demo.ts'

/** An embedded network without an index, with the demonstration on it, and its emulation interface. */
export type EmulatedNetwork = {
  readonly network: RunningNetwork
  readonly url: string
  readonly plan: DemoPlan
  readonly port: DemoPort
  readonly sender: OrderSender
  /** Replaces what sending does. */
  onSend: ((message: Cell) => Promise<void>) | undefined
  account(name: string): DevAccount
  findSeqno(account: DevAccount): Promise<number>
  emulate(name: string, body: object | string, dialect?: 'ton'): Promise<V3Answer>
  /** The result of a request that must succeed. */
  expectEmulated(name: string, body: object): Promise<Json>
  /** Makes blocks until everything has arrived. */
  settle(): Promise<void>
  /** Transactions of an account, the newest first. */
  listTransactions(address: string, count: number): Promise<Transaction[]>
}

/** Failures that are bugs go to the log, and the answer says nothing of them. */
const logger = createLogger({ level: 'error', format: 'pretty', colours: false, write: (line) => console.error(line) })

export const bocOf = (cell: Cell): string => toBase64(encodeBoc([cell]))

export const startEmulatedNetwork = async (
  t: { after(ending: () => unknown): void },
  options: StartOptions = {},
): Promise<EmulatedNetwork> => {
  const network = await startNetwork({
    seed: WELL_KNOWN_SEED,
    mining: { mode: 'manual' },
    http: {},
    logger,
    ...options,
  })
  t.after(() => network.close())
  const { controls } = network
  const url = network.url!
  await controls.mine(2)
  const mine = async (): Promise<void> => void (await controls.mine(1))
  const port: DemoPort = {
    send: (message) => (own.onSend === undefined ? controls.send(message) : own.onSend(message)),
    runMethod: (address, method, stack) => runLiveMethod(url, address, method, stack),
    now: () => controls.getStatus().utime,
    nextBlock: mine,
  }
  const plan = planDemo(await findAccounts(WELL_KNOWN_SEED))
  const sender = new OrderSender(port)
  const emulate = (name: string, body: object | string, dialect?: 'ton'): Promise<V3Answer> =>
    postV3(
      `${url}${dialect === 'ton' ? '/ton' : ''}/api/emulate/v1`,
      name,
      body as { readonly [name: string]: unknown },
    )
  const own: EmulatedNetwork = {
    network,
    url,
    plan,
    port,
    sender,
    onSend: undefined,
    account: (name) => plan.accounts.find((account) => account.name === name)!,
    findSeqno: async ({ wallet }) => Number(findInt(await port.runMethod(wallet.address, 'seqno', []), 0) ?? 0n),
    emulate,
    expectEmulated: async (name, body) => {
      const answer = await emulate(name, body)
      assert.equal(answer.status, 200, JSON.stringify(answer.body))
      return answer.body
    },
    settle: async () => {
      await controls.mine(6)
    },
    listTransactions: async (address, count) => {
      const { body } = await getV3(`${url}/api/v2`, 'getTransactions', { address, limit: count })
      assert.equal(body.ok, true, JSON.stringify(body))
      return body.result.map(({ data }: Json) =>
        readWhole(decodeSingleBoc(fromBase64(data)), readTransaction, 'A transaction'),
      )
    },
  }
  await deployDemo(port, sender, plan)
  await own.settle()
  return own
}
