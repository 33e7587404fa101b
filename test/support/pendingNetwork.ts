import assert from 'node:assert/strict'
import { type RunningNetwork, type StartOptions, startNetwork } from '../../src/cli/dev/startNetwork.ts'
import type { Cell } from '../../src/codec/cell/Cell.ts'
import { encodeBoc } from '../../src/codec/cell/encodeBoc.ts'
import { createTraffic, type Traffic } from '../../src/devnet/demo/createTraffic.ts'
import { createRandom } from '../../src/devnet/demo/DemoStep.ts'
import { type DemoPlan, deployDemo, planDemo } from '../../src/devnet/demo/deployDemo.ts'
import { type DemoPort, findInt, OrderSender } from '../../src/devnet/demo/OrderSender.ts'
import { findAccounts, WELL_KNOWN_SEED } from '../../src/devnet/network/networkKeys.ts'
import type { DevAccount } from '../../src/devnet/wallets/createDevAccounts.ts'
import { toBase64 } from '../../src/primitives/base64.ts'
import { filled } from './sampleMessages.ts'
import { untilIndexed } from './untilIndexed.ts'
import { getV3, type Json, postV3 } from './v3Client.ts'
import { runLiveMethod } from './v3Demo.ts'

/** Who tidies up in the end: a test, or whoever else. */
type Cleanup = { after(ending: () => unknown): void }

export type SentBoc = {
  /** Both in base64: as it was sent, and normal. */
  readonly hash: string
  readonly normalHash: string
  /** When the network had taken it, and when it was given to it. */
  readonly takenAt: number
  readonly sentAt: number
}

/** An embedded network with the demonstration on it, indexed, to which everything is sent through the live interface. */
export type PendingNetwork = {
  readonly network: RunningNetwork
  /** Where it is served: at the first, and at whatever else a test adds. They are asked and sent to in turn. */
  readonly urls: string[]
  readonly plan: DemoPlan
  readonly sender: OrderSender
  readonly traffic: Traffic
  /** What was sent so far, the newest last. */
  readonly sent: SentBoc[]
  send(message: Cell): Promise<void>
  /** The number that a wallet expects next. */
  findSeqno(account: DevAccount): Promise<number>
  ask(name: string, args: object): Promise<Json>
  catchUp(): Promise<void>
}

export const startPendingNetwork = async (
  t: Cleanup,
  databaseUrl: string,
  { trafficSeed = 1, ...options }: StartOptions & { readonly trafficSeed?: number } = {},
): Promise<PendingNetwork> => {
  const network = await startNetwork({
    seed: WELL_KNOWN_SEED,
    mining: { mode: 'manual' },
    http: {},
    index: { databaseUrl },
    ...options,
  })
  t.after(() => network.close())
  await network.indexed
  const { controls } = network
  const url = network.url!
  const urls = [url]
  let turn = 0
  const nextUrl = (): string => urls[turn++ % urls.length]!
  await controls.mine(2)
  const sent: SentBoc[] = []
  const send = async (message: Cell): Promise<void> => {
    const sentAt = performance.now()
    const { body } = await postV3(`${nextUrl()}/api/v2`, 'sendBocReturnHash', { boc: toBase64(encodeBoc([message])) })
    assert.equal(body.ok, true, JSON.stringify(body))
    const takenAt = performance.now()
    sent.push({ hash: body.result.hash, normalHash: body.result.hash_norm, sentAt, takenAt })
  }
  const isManual = controls.getStatus().mining.mode === 'manual'
  const nextBlock = async (): Promise<void> => {
    const { seqno } = controls.getStatus().head
    if (isManual) await controls.mine(1)
    while (controls.getStatus().head.seqno === seqno) await new Promise((done) => setTimeout(done, 20))
  }
  const port: DemoPort = {
    send,
    runMethod: (address, method, stack) => runLiveMethod(url, address, method, stack),
    now: () => controls.getStatus().utime,
    nextBlock,
  }
  const sender = new OrderSender(port)
  const plan = planDemo(await findAccounts(WELL_KNOWN_SEED))
  await deployDemo(port, sender, plan)
  for (let k = 0; k < 4; k++) await nextBlock()
  const catchUp = (): Promise<void> => untilIndexed(`${url}/api/v3`, controls.getStatus().head.seqno)
  await catchUp()
  return {
    network,
    urls,
    plan,
    sender,
    traffic: createTraffic({ port, sender, plan, random: createRandom(filled(trafficSeed)) }),
    sent,
    send,
    findSeqno: async ({ wallet }) => Number(findInt(await port.runMethod(wallet.address, 'seqno', []), 0) ?? 0n),
    ask: async (name, args) => {
      const { status, body } = await getV3(`${nextUrl()}/api/v3`, name, { ...args })
      assert.equal(status, 200, `${name} ${JSON.stringify(args)}: ${JSON.stringify(body)}`)
      return body
    },
    catchUp,
  }
}
