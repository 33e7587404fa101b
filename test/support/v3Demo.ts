import assert from 'node:assert/strict'
import { type Cell, wholeSlice } from '../../src/codec/cell/Cell.ts'
import { emptyCell } from '../../src/codec/cell/CellWriter.ts'
import { decodeSingleBoc } from '../../src/codec/cell/decodeBoc.ts'
import type { VmStack } from '../../src/codec/tlb/VmStack.ts'
import type { VmValue } from '../../src/codec/tlb/VmValue.ts'
import { contractInit } from '../../src/devnet/contracts/contractInit.ts'
import type { OutgoingMessage } from '../../src/devnet/contracts/messages.ts'
import { createTraffic, grandTour, type Traffic } from '../../src/devnet/demo/createTraffic.ts'
import { createRandom } from '../../src/devnet/demo/DemoStep.ts'
import { type DemoPlan, deployDemo, planDemo } from '../../src/devnet/demo/deployDemo.ts'
import { type DemoPort, OrderSender } from '../../src/devnet/demo/OrderSender.ts'
import { findAccounts, WELL_KNOWN_SEED } from '../../src/devnet/network/networkKeys.ts'
import type { DevAccount } from '../../src/devnet/wallets/createDevAccounts.ts'
import { type Address, formatRawAddress, formatUpperRawAddress } from '../../src/primitives/Address.ts'
import { fromBase64 } from '../../src/primitives/base64.ts'
import { amount, filled } from './sampleMessages.ts'
import { type Json, postV3 } from './v3Client.ts'
import type { V3NetworkService } from './v3Service.ts'

const GRAM = 1_000_000_000n
const SETTLING_BLOCKS = 6

/** The demonstration on a network that makes blocks by hand: its contracts, and the means to let things happen to them. */
export type V3Demo = {
  readonly plan: DemoPlan
  readonly traffic: Traffic
  /** Runs a get-method through the live interface. */
  readonly runMethod: DemoPort['runMethod']
  /** Sends messages from an account. They are on their way until {@link settle}. */
  send(from: DevAccount, messages: readonly OutgoingMessage[]): Promise<void>
  /** Puts a contract at an address of its own, and has it get a message, so that it is seen. */
  place(address: Address, code: Cell): Promise<void>
  /** Sends a message as anybody. */
  tell(from: Address, to: Address, body: Cell): Promise<void>
  /** Makes blocks until all that follows has happened and is indexed. */
  settle(): Promise<void>
}

/** Deploys the demonstration. */
export const openV3Demo = async (
  service: V3NetworkService,
  seed = 1,
  programme?: Parameters<typeof createTraffic>[1],
): Promise<V3Demo> => {
  const { controls } = service.network
  const plan = planDemo(await findAccounts(WELL_KNOWN_SEED))
  const port: DemoPort = {
    send: (message) => controls.send(message),
    runMethod: (address, method, stack) => runLiveMethod(service.url, address, method, stack),
    now: () => controls.getStatus().utime,
    nextBlock: async () => void (await controls.mine(1)),
  }
  const sender = new OrderSender(port)
  await deployDemo(port, sender, plan)
  const settle = () => service.mine(SETTLING_BLOCKS)
  await settle()
  const demo: V3Demo = {
    plan,
    traffic: createTraffic({ port, sender, plan, random: createRandom(filled(seed)) }, programme),
    runMethod: port.runMethod,
    send: (from, messages) => sender.send(from, messages),
    place: async (address, code) => {
      const state = { kind: 'active', init: contractInit(code, emptyCell) } as const
      await controls.setAccount({ address, balance: amount(GRAM), state })
      await demo.tell({ workchain: 0, hash: filled(0xfe) }, address, emptyCell)
    },
    tell: async (from, to, body) => {
      const value = amount(GRAM / 2n)
      await controls.impersonate({ source: from, destination: to, value, bounce: false, stateInit: undefined, body })
    },
    settle,
  }
  return demo
}

/** Deploys the demonstration and shows everything it has, once. */
export const runGrandTour = async (service: V3NetworkService): Promise<void> => {
  const { controls } = service.network
  const demo = await openV3Demo(service, 1, grandTour)
  for (let k = 0; demo.traffic.isTouring; k++) {
    assert.ok(k < 2 * grandTour.first.length, 'the tour does not end')
    await demo.traffic.step()
    await controls.mine(1)
    // Auctions end.
    if (k === grandTour.first.length - 5) await controls.moveClock(60)
  }
  await demo.settle()
}

/** The newest state is asked for: what was sent before has to be in it. */
export const runLiveMethod = async (
  url: string,
  address: Address,
  method: string,
  stack: VmStack,
): Promise<VmStack | undefined> => {
  if (stack.length > 0) throw new TypeError('Methods of the demonstration take no arguments.')
  const { body } = await postV3(`${url}/api/v2`, 'runGetMethod', {
    address: formatRawAddress(address),
    method,
    stack: [],
  })
  if (body.ok !== true || body.result.exit_code !== 0) return undefined
  return body.result.stack.map(toVmValue)
}

const toVmValue = ([type, value]: [string, Json]): VmValue => {
  if (type === 'num') return { kind: 'int', value: readNumber(value) }
  if (type === 'cell') return { kind: 'slice', slice: wholeSlice(decodeSingleBoc(fromBase64(value.bytes))) }
  return { kind: 'null' }
}

const readNumber = (text: string): bigint => (text.startsWith('-') ? -BigInt(text.slice(1)) : BigInt(text))

/** An address as the interface writes it. */
export const rawText = (address: Address): string => formatUpperRawAddress(address)
